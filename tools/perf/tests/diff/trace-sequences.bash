# What perf trace and strace saw of a program, as one line a thread: the calls with their results, in order. Threads
# are sorted, so that two runs of one program can be compared; what differs from run to run by nature is made equal: thread
# ids (only in calls that return one: a small pid may equal a length), the tool's own pid. futex() is left out: whether a thread has to wait depends on timing. So
# is a call that the kernel restarts: whether a signal (any that would be ignored, once a tracer is there) comes while it waits does so, too.

# sequences_json FILE: from perf trace --json
sequences_json() {
	awk '
	{
		if (!match($0, /"tid":[0-9]+/)) next
		tid = substr($0, RSTART + 6, RLENGTH - 6)
		if (!match($0, /"syscall":"[a-z0-9_]+"/)) next
		name = substr($0, RSTART + 11, RLENGTH - 12)
		if (name == "futex" || name == "restart_syscall") next
		ret = "?"
		if (match($0, /"ret":-?[0-9]+/)) ret = substr($0, RSTART + 6, RLENGTH - 6)
		if (match($0, /"errno":"[A-Z0-9_]+"/)) ret = "-1 " substr($0, RSTART + 9, RLENGTH - 10)
		if (ret ~ /ERESTART/) next
		# The return of the clone that began a thread is its first record; strace does not see it.
		if (!(tid in seen) && name ~ /^(clone|clone3|fork|vfork)$/ && ret == 0) next
		seen[tid] = 1
		n++; t[n] = tid; c[n] = name; r[n] = ret
	}
	END {
		for (i = 1; i <= n; i++) {
			v = r[i]
			if (c[i] ~ /^(clone|clone3|fork|vfork|wait4|getpid|gettid|getppid|getpgrp|set_tid_address)$/ && (v in seen || c[i] == "getppid")) v = "PID"
			if (c[i] == "rt_sigreturn") v = "?" # what a register held when the signal came
			s[t[i]] = s[t[i]] c[i] "=" v " "
		}
		for (x in s) print s[x]
	}' "$1" | LC_ALL=C sort
}

# sequences_strace PREFIX: from strace -ff -e raw=all -o PREFIX
sequences_strace() {
	awk '
	function hex(h,   i, v) {
		v = 0
		h = substr(h, 3)
		for (i = 1; i <= length(h); i++) v = v * 16 + index("0123456789abcdef", substr(h, i, 1)) - 1
		return sprintf("%.0f", v)
	}
	FNR == 1 { k = split(FILENAME, p, "."); tid = p[k]; seen[tid] = 1 }
	/^(---|\+\+\+)/ { next }
	{
		if (!match($0, /^[a-z0-9_]+\(/)) next
		name = substr($0, 1, RLENGTH - 1)
		if (name == "futex" || name == "restart_syscall") next
		ret = $0
		if (!sub(/^.*\) += /, "", ret)) ret = "?"
		split(ret, w, " ")
		ret = w[1]
		if (w[2] ~ /^ERESTART/) next
		if (ret == "-1") ret = "-1 " w[2]
		else if (ret ~ /^0x/) ret = hex(ret)
		else if (ret != "?" && ret !~ /^[0-9]+$/) ret = "?"
		n++; t[n] = tid; c[n] = name; r[n] = ret
	}
	END {
		for (i = 1; i <= n; i++) {
			v = r[i]
			if (c[i] ~ /^(clone|clone3|fork|vfork|wait4|getpid|gettid|getppid|getpgrp|set_tid_address)$/ && (v in seen || c[i] == "getppid")) v = "PID"
			if (c[i] == "rt_sigreturn") v = "?" # what a register held when the signal came
			s[t[i]] = s[t[i]] c[i] "=" v " "
		}
		for (x in s) print s[x]
	}' "$1".* | LC_ALL=C sort
}
