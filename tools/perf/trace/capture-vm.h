/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Captures made by the tool: the same as the BPF program's (bpf/trace-capture.bpf.h), with
 * process_vm_readv(2), which brings in pages that are not there.
 */
#ifndef PERF_TRACE_CAPTURE_VM_H
#define PERF_TRACE_CAPTURE_VM_H

#include <stdbool.h>
#include <sys/types.h>

#include "trace/record.h"

/*
 * capture_vm__add - one capture of @tid's memory as a blob at the end of @r, which has room for
 * @room bytes in all (record included). @when: CAP_ENTRY or CAP_EXIT. A blob is added in any case
 * unless there is no room for its header or the capture is optional: its status tells. Returns
 * false when memory could not be read that should have been.
 */
bool capture_vm__add(pid_t tid, const struct trace_capture *cap, int when, struct trace_record *r,
		     u32 room);
/* capture_vm__row - all captures of a row for @when, as the result in @r allows. Returns how many
 * could not be read. */
u32 capture_vm__row(pid_t tid, const struct trace_capture_row *row, int when,
		    struct trace_record *r, u32 room);

#endif
