// SPDX-License-Identifier: GPL-2.0-only
/* Names of errors and signals. The C library knows the public ones; the kernel's own, which a
 * tracer sees when a call is restarted, are here. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "trace/table.h"

static const struct {
	int err;
	const char *name, *text;
} kernel_errors[] = {
	{512, "ERESTARTSYS", "To be restarted if SA_RESTART is set"},
	{513, "ERESTARTNOINTR", "To be restarted"},
	{514, "ERESTARTNOHAND", "To be restarted if no handler"},
	{515, "ENOIOCTLCMD", "No ioctl command"},
	{516, "ERESTART_RESTARTBLOCK", "Interrupted by signal"},
	{517, "EPROBE_DEFER", "Probe again later"},
	{518, "EOPENSTALE", "Open found a stale dentry"},
	{519, "ENOPARAM", "Parameter not supported"},
	{524, "ENOTSUPP", "Operation is not supported"},
	{529, "EIOCBQUEUED", "Queued, completion later"},
};

const char *trace_errno__name(int err)
{
	const char *name = err > 0 ? strerrorname_np(err) : NULL;

	for (u32 i = 0; !name && i < ARRAY_SIZE(kernel_errors); i++) {
		if (kernel_errors[i].err == err)
			name = kernel_errors[i].name;
	}
	return name;
}

const char *trace_errno__text(int err)
{
	static char unknown[32];
	const char *text = err > 0 ? strerrordesc_np(err) : NULL;

	for (u32 i = 0; !text && i < ARRAY_SIZE(kernel_errors); i++) {
		if (kernel_errors[i].err == err)
			text = kernel_errors[i].text;
	}
	if (text)
		return text;
	snprintf(unknown, sizeof(unknown), "Unknown error %d", err);
	return unknown;
}

int trace_errno__number(const char *name)
{
	if (!strcmp(name, "EWOULDBLOCK"))
		return EAGAIN;
	for (int e = 1; e < 530; e++) {
		const char *n = trace_errno__name(e);

		if (n && !strcmp(n, name))
			return e;
	}
	return 0;
}

const char *trace_signal__name(int sig)
{
	static char names[65][12];
	const char *abbrev;

	if (sig < 1 || sig > 64)
		return NULL;
	if (!names[sig][0]) {
		abbrev = sigabbrev_np(sig);
		if (sig == 32)
			strcpy(names[sig], "SIGRTMIN");
		else if (sig == SIGIO)
			strcpy(names[sig], "SIGIO");
		else if (sig > 32)
			snprintf(names[sig], sizeof(names[sig]), "SIGRT_%d", sig - 32);
		else
			snprintf(names[sig], sizeof(names[sig]), "SIG%s", abbrev ? abbrev : "?");
	}
	return names[sig];
}
