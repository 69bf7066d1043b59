bats_require_minimum_version 1.5.0
# Shared by the suites: the binaries as scripts/run-tests hands them over.
: "${B:=$BATS_TEST_DIRNAME/../../../../build}"
B=$(cd "$B" && pwd)
: "${PERF:=$B/perf}" "${WORKLOADS:=$B/workloads}"
PEER=/usr/bin/perf # Debian's linux-perf
export PERF_PAGER=cat

# spin: keeps every CPU busy in the background until unspin (or ten minutes): an idle machine gives a clock few or no samples.
spin() {
	"$WORKLOADS/hotwarm" 600 "$(nproc)" >/dev/null 2>&1 3>&- &
	spinner=$!
}
unspin() {
	[ -z "${spinner:-}" ] || kill "$spinner" 2>/dev/null || true
	spinner=
}

# not COMMAND...: it must fail. (A bare "! command" is none of what ends a test.)
not() {
	if "$@"; then return 1; fi
}

# until_true SECONDS COMMAND...: runs it every 50 ms until it succeeds; fails after that time.
until_true() {
	local left=$(($1 * 20))
	shift
	until "$@"; do
		[ $((left--)) -gt 0 ] || return 1
		sleep 0.05
	done
}
