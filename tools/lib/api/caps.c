// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/api/caps.h"
#include "lib/api/procfs.h"

bool caps__has(int cap)
{
	struct __user_cap_header_struct hdr = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2] = {};

	if (syscall(SYS_capget, &hdr, data))
		return false;
	return data[cap / 32].effective & (1u << (cap % 32));
}

bool caps__perfmon(void)
{
	return caps__has(CAP_PERFMON) || caps__has(CAP_SYS_ADMIN);
}

bool caps__bpf(void)
{
	return caps__has(CAP_SYS_ADMIN) || (caps__has(CAP_BPF) && caps__has(CAP_PERFMON));
}

bool caps__ptrace(void)
{
	return caps__has(CAP_SYS_PTRACE);
}

int caps__perf_event_paranoid(void)
{
	return procfs__sysctl("kernel/perf_event_paranoid", 2);
}

int caps__unprivileged_bpf_disabled(void)
{
	return procfs__sysctl("kernel/unprivileged_bpf_disabled", 0);
}

int caps__kptr_restrict(void)
{
	return procfs__sysctl("kernel/kptr_restrict", 0);
}

int caps__yama_scope(void)
{
	return procfs__sysctl("kernel/yama/ptrace_scope", 0);
}

/* @enough: the highest perf_event_paranoid that allows it. */
static void explain_perf(struct errbuf *eb, int enough)
{
	int is = caps__perf_event_paranoid();

	if (is > enough)
		errbuf__append(eb,
			       "; needs CAP_PERFMON, or kernel.perf_event_paranoid of %d or less "
			       "(is %d): run as root, or setcap cap_perfmon,cap_bpf+ep on perf",
			       enough, is);
}

static void explain_ptrace(struct errbuf *eb)
{
	static const char *const why[] = {
		"the same user, not setuid, dumpable",
		"to be its parent (kernel.yama.ptrace_scope is 1)",
		"CAP_SYS_PTRACE (kernel.yama.ptrace_scope is 2)",
	};
	int scope = caps__yama_scope();

	if (scope >= 3)
		errbuf__append(eb,
			       "; kernel.yama.ptrace_scope is 3: nobody may trace until reboot");
	else if (!caps__ptrace())
		errbuf__append(eb, "; needs %s: run as root", why[scope < 0 ? 0 : scope]);
}

void caps__explain(struct errbuf *eb, enum caps_need need)
{
	switch (need) {
	case CAPS_NEED_SYSTEM_WIDE:
		explain_perf(eb, 0);
		break;
	case CAPS_NEED_KERNEL:
		explain_perf(eb, 1);
		break;
	case CAPS_NEED_TRACEPOINT:
		explain_perf(eb, -1);
		break;
	case CAPS_NEED_BPF:
		if (!caps__bpf())
			errbuf__append(eb,
				       "; needs CAP_BPF and CAP_PERFMON: run as root, or setcap "
				       "cap_perfmon,cap_bpf+ep on perf");
		break;
	case CAPS_NEED_PTRACE:
		explain_ptrace(eb);
		break;
	}
}
