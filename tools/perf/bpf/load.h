/* SPDX-License-Identifier: GPL-2.0-only */
/* What loading any of this tool's BPF objects shares: libbpf's messages kept for the error,
 * failures worded. */
#ifndef PERF_BPF_LOAD_H
#define PERF_BPF_LOAD_H

#include "errbuf.h"

/* bpf_load__quiet - libbpf's own lines are kept (the last few KiB) instead of printed; shown by
 * bpf_load__log(). */
void bpf_load__quiet(void);
/* bpf_load__log - what libbpf said since the last bpf_load__quiet(), NUL-terminated; owned by the
 * loader. */
const char *bpf_load__log(void);
/* bpf_load__error - @err (-errno) of loading @what as one line that names the missing right or
 * feature. Returns @err. */
int bpf_load__error(struct errbuf *eb, int err, const char *what);

#endif
