/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What this kernel, as this user, can do: found out by trying, never by version. Each answer is
 * kept. feature__bpf() fills @eb with the reason and what helps where the answer is no.
 */
#ifndef PERF_API_FEATURES_H
#define PERF_API_FEATURES_H

#include <stdbool.h>

#include "errbuf.h"

bool feature__bpf(struct errbuf *eb);	/* a program of type perf_event loads */
bool feature__bpf_tracepoint(void);	/* one of type tracepoint loads */
bool feature__btf(void);		/* /sys/kernel/btf/vmlinux: CO-RE and struct printing */
bool feature__ringbuf(void);		/* BPF_MAP_TYPE_RINGBUF (5.8) */
bool feature__perf_link(void);		/* bpf_link for perf events (5.15), with cookies */
bool feature__task_storage(void);	/* task storage in tracing programs (5.11) */
bool feature__send_signal_thread(void); /* bpf_send_signal_thread (5.5) */
bool feature__batch_delete(void);	/* BPF_MAP_LOOKUP_AND_DELETE_BATCH on hash maps (5.6) */
bool feature__perf_event_cgroup(void);	/* PERF_SAMPLE_CGROUP (5.7) */

#endif
