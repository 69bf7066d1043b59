// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <bpf/libbpf.h>

#include "bpf/load.h"

/* A verifier's log is long; its end is what tells. */
static char log_buf[64 * 1024];
static size_t log_len;

static int keep(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	char line[8192];
	int n;

	if (level == LIBBPF_DEBUG)
		return 0;
	n = vsnprintf(line, sizeof(line), fmt, ap);
	if (n <= 0)
		return 0;
	if ((size_t)n >= sizeof(line))
		n = sizeof(line) - 1;
	if (log_len + n >= sizeof(log_buf)) {
		size_t half = sizeof(log_buf) / 2;

		memmove(log_buf, log_buf + log_len - (log_len < half ? log_len : half),
			log_len < half ? log_len : half);
		log_len = log_len < half ? log_len : half;
	}
	memcpy(log_buf + log_len, line, n);
	log_len += n;
	log_buf[log_len] = 0;
	return 0;
}

void bpf_load__quiet(void)
{
	libbpf_set_print(keep);
	log_len = 0;
	log_buf[0] = 0;
}

const char *bpf_load__log(void)
{
	return log_buf;
}

int bpf_load__error(struct errbuf *eb, int err, const char *what)
{
	if (err == -EPERM || err == -EACCES)
		return errbuf__set(
			eb, err, "cannot load %s: %s (BPF needs CAP_BPF and CAP_PERFMON, or root)",
			what, strerror(-err));
	if (err == -ENOSYS)
		return errbuf__set(eb, err, "cannot load %s: this kernel has no BPF", what);
	return errbuf__set(eb, err, "cannot load %s: %s", what, strerror(-err));
}
