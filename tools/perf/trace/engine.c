// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>

#include "bpf/trace.h"
#include "lib/subcmd/subcmd.h"
#include "trace/engine-internal.h"

struct trace_engine *trace_engine__new(enum trace_engine_kind kind,
				       const struct trace_engine_opts *o, struct errbuf *eb)
{
	return kind == TRACE_ENGINE_BPF ? engine_bpf__new(o, eb) : engine_ptrace__new(o, eb);
}

void trace_engine__delete(struct trace_engine *e)
{
	if (e)
		e->ops->delete (e);
}

static int check_reader(const struct trace_engine *e, struct errbuf *eb)
{
	struct thread_map *m = engine__targets(&e->opts, eb);
	pid_t *pids;
	int err, nr = 0;

	if (!m)
		return -errno;
	pids = calloc(m->nr ? m->nr : 1, sizeof(*pids));
	for (int i = 0; pids && i < m->nr; i++)
		if (!i || m->thread[i].pid != m->thread[i - 1].pid || !m->thread[i].pid)
			pids[nr++] = m->thread[i].pid ? m->thread[i].pid : m->thread[i].tid;
	err = pids ? trace__check_reader(e->opts.out_fd, pids, nr, eb)
		   : errbuf__set(eb, -ENOMEM, "out of memory");
	free(pids);
	free(m);
	return err;
}

int trace_engine__attach(struct trace_engine *e, struct errbuf *eb)
{
	int err = e->opts.block && !e->opts.workload ? check_reader(e, eb) : 0;

	if (err)
		return err;
	return e->ops->attach(e, eb);
}

int trace_engine__poll(struct trace_engine *e, int timeout_ms)
{
	return e->ops->poll(e, timeout_ms);
}

void trace_engine__wake(struct trace_engine *e)
{
	e->ops->wake(e);
}

void trace_engine__finish(struct trace_engine *e)
{
	e->ops->finish(e);
}

void trace_engine__stats(const struct trace_engine *e, struct trace_stats *st)
{
	*st = (struct trace_stats){.calls = e->calls - e->hidden};
	e->ops->stats(e, st);
}

void trace_engine__ledger(const struct trace_engine *e, struct loss_ledger *l)
{
	e->ops->ledger(e, l);
}

int trace_engine__summary(struct trace_engine *e, struct trace_summary *s)
{
	return e->ops->summary ? e->ops->summary(e, s) : 0;
}

void trace_engine__block_report(const struct trace_engine *e,
				void (*fn)(void *arg, pid_t tid, const char *comm, u64 stops,
					   u64 blocked_ns),
				void *arg)
{
	if (e->ops->block_report)
		e->ops->block_report(e, fn, arg);
}

struct thread_map *engine__targets(const struct trace_engine_opts *o, struct errbuf *eb)
{
	struct target t = *o->target;

	if (o->workload)
		t.workload_pid = workload__pid(o->workload);
	return thread_map__new(&t, eb);
}

void engine__fill_rows(const struct trace_engine_opts *o, struct trace_capture_row *rows)
{
	for (int abi = 0; abi < 3; abi++) {
		for (int nr = 0; nr < TRACE_NR_CALLS; nr++) {
			struct trace_capture_row row = {};

			bool asked = trace_callset__has(o->calls, abi, nr);
			bool follow = o->follow && trace_callset__has(o->follow, abi, nr);

			if (!asked && !follow)
				continue;
			trace_table__capture_row(o->table, abi, nr, o->string_limit, &row);
			row.flags |= TRACE_ROW_TRACED | (follow ? TRACE_ROW_FOLLOW : 0) |
				     (asked ? 0 : TRACE_ROW_HIDDEN);
			for (int i = 0; i < row.nr; i++) {
				u8 when = row.cap[i].when;

				row.early |= (when & CAP_ENTRY ? 1u : 0) << i;
				row.late |= (when & CAP_EXIT ? 1u : 0) << i;
				if (when & CAP_EXIT && when & CAP_ON_ERROR)
					row.late_failed |= 1u << i;
			}
			rows[abi * TRACE_NR_CALLS + nr] = row;
		}
	}
}

bool engine__shows_unfinished(const struct trace_engine_opts *o, const struct trace_record *r)
{
	return o->ret_filter == RET_ANY && r->time_exit - r->time_enter >= o->min_ns;
}

void engine__hand_up(struct trace_engine *e, const struct trace_record *r, u32 size)
{
	if (r->size > size || r->size < sizeof(*r))
		return;
	if (!(r->flags & (TR_EVENT | TR_SIGNAL | TR_EXITED)))
		e->calls++;
	if (r->flags & TR_HIDDEN)
		e->hidden++;
	e->opts.record(r, r->size, e->opts.arg);
}
