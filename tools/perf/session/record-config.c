// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/perf/regs.h"
#include "session/record-config.h"

int callgraph__parse(const char *text, enum callgraph_mode *mode, u32 *stack_size,
		     struct errbuf *eb)
{
	size_t n = strcspn(text, ",");
	const char *size = text[n] ? text + n + 1 : NULL;

	if (n == 2 && !strncmp(text, "no", n)) {
		*mode = CALLGRAPH_NONE;
	} else if (n == 2 && !strncmp(text, "fp", n)) {
		*mode = CALLGRAPH_FP;
	} else if (n == 3 && !strncmp(text, "lbr", n)) {
		*mode = CALLGRAPH_LBR;
	} else if (n == 5 && !strncmp(text, "dwarf", n)) {
		*mode = CALLGRAPH_DWARF;
		*stack_size = CALLGRAPH_STACK_SIZE;
		if (size) {
			char *end;
			unsigned long v = strtoul(size, &end, 0);

			if (end == size || *end || !v || v > CALLGRAPH_STACK_MAX)
				return errbuf__set(eb, -EINVAL,
						   "call graph '%s': a stack size of 8 to %d bytes "
						   "is expected behind 'dwarf,'",
						   text, CALLGRAPH_STACK_MAX);
			*stack_size = (v + 7) & ~7UL;
		}
		return 0;
	} else {
		return errbuf__set(eb, -EINVAL,
				   "call graph '%s': fp, dwarf[,SIZE] or lbr is expected", text);
	}
	if (size)
		return errbuf__set(eb, -EINVAL, "call graph '%s': only dwarf takes a size", text);
	return 0;
}

/* ---- one event ---- */

static void set_callgraph(const struct record_config *c, struct evsel *e)
{
	const struct evsel_terms *t = evsel__terms(e);
	struct perf_event_attr *a = evsel__attr(e);
	enum callgraph_mode mode = c->callgraph;
	u32 size = c->stack_size ? c->stack_size : CALLGRAPH_STACK_SIZE;

	if (t->call_graph)
		callgraph__parse(t->call_graph, &mode, &size, NULL);
	if (t->stack_size)
		size = t->stack_size;
	if (mode == CALLGRAPH_NONE)
		return;
	a->sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (!a->sample_max_stack)
		a->sample_max_stack = c->max_stack;
	if (c->kernel_callchains)
		a->exclude_callchain_user = 1;
	if (c->user_callchains)
		a->exclude_callchain_kernel = 1;
	if (mode == CALLGRAPH_LBR) {
		a->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		a->branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK |
					PERF_SAMPLE_BRANCH_NO_CYCLES | PERF_SAMPLE_BRANCH_NO_FLAGS |
					PERF_SAMPLE_BRANCH_HW_INDEX;
		a->exclude_callchain_user = 1;
	} else if (mode == CALLGRAPH_DWARF) {
		/* The user's half is unwound later, from registers and a copy of the stack. */
		a->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |
				  PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC;
		a->sample_regs_user |= perf_regs__user_mask();
		a->sample_stack_user = size;
		a->exclude_callchain_user = 1;
	}
}

static void set_rate(const struct record_config *c, u64 freq, struct evsel *e)
{
	struct perf_event_attr *a = evsel__attr(e);
	bool given = c->freq_given || c->period;

	if (!evsel__own_period(e) && !evsel__is_bpf_output(e) &&
	    (!a->sample_period || a->freq || given)) {
		if (c->period) {
			a->freq = 0;
			a->sample_period = c->period;
		} else {
			a->freq = 1;
			a->sample_freq = freq;
		}
	}
	if (a->freq)
		a->sample_type |= PERF_SAMPLE_PERIOD;
	if (c->no_samples)
		a->sample_period = 0;
}

static void set_sample_type(const struct record_config *c, struct evsel *e)
{
	struct perf_event_attr *a = evsel__attr(e);
	int time = evsel__terms(e)->time;
	u64 t = PERF_SAMPLE_IP | PERF_SAMPLE_TID;

	t |= !c->no_time ? PERF_SAMPLE_TIME : 0;
	t |= c->cpu || c->per_cpu ? PERF_SAMPLE_CPU : 0;
	t |= c->addr ? PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC : 0;
	t |= c->phys_addr ? PERF_SAMPLE_PHYS_ADDR : 0;
	t |= c->data_page_size ? PERF_SAMPLE_DATA_PAGE_SIZE : 0;
	t |= c->code_page_size ? PERF_SAMPLE_CODE_PAGE_SIZE : 0;
	t |= c->weight ? PERF_SAMPLE_WEIGHT_STRUCT : 0;
	t |= c->transaction ? PERF_SAMPLE_TRANSACTION : 0;
	t |= c->raw ? PERF_SAMPLE_RAW | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU : 0;
	t |= c->cgroups ? PERF_SAMPLE_CGROUP : 0;
	if (c->intr_regs) {
		a->sample_regs_intr = c->intr_regs;
		t |= PERF_SAMPLE_REGS_INTR;
	}
	if (c->user_regs) {
		a->sample_regs_user = c->user_regs;
		t |= PERF_SAMPLE_REGS_USER;
	}
	if (c->branch)
		a->branch_sample_type = c->branch;
	if (a->branch_sample_type)
		t |= PERF_SAMPLE_BRANCH_STACK;
	a->sample_type |= t;
	if (c->period_flag)
		a->sample_type |= PERF_SAMPLE_PERIOD;
	if (c->no_period)
		a->sample_type &= ~(u64)PERF_SAMPLE_PERIOD;
	if (c->no_time && !evsel__is_tracepoint(e))
		a->sample_type &= ~(u64)PERF_SAMPLE_TIME;
	if (time >= 0) {
		a->sample_type &= ~(u64)PERF_SAMPLE_TIME;
		a->sample_type |= time ? PERF_SAMPLE_TIME : 0;
	}
}

/* Side-band records come with one event: the first, or a dummy of their own. */
static void set_tracking(const struct record_config *c, struct evsel *e, bool track, bool data)
{
	struct perf_event_attr *a = evsel__attr(e);

	a->mmap = a->mmap2 = a->comm = a->comm_exec = a->task = track;
	a->mmap_data = track && data;
	a->ksymbol = track;
	a->bpf_event = track && !c->no_bpf_event;
	a->namespaces = track && c->namespaces;
	a->cgroup = track && c->cgroups;
	a->context_switch = track && c->switch_events;
	a->text_poke = track && c->text_poke;
	a->build_id = track && c->build_ids;
}

static void config_one(const struct record_config *c, u64 freq, struct evsel *e, bool track,
		       bool data)
{
	struct perf_event_attr *a = evsel__attr(e);

	a->sample_id_all = 1;
	a->read_format |= PERF_FORMAT_ID | PERF_FORMAT_LOST;
	if (c->stat || c->running_time)
		a->read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	a->inherit_stat = c->stat;
	set_rate(c, freq, e);
	set_sample_type(c, e);
	set_callgraph(c, e);
	set_tracking(c, e, track, data);
	a->write_backward = (c->overwrite || evsel__terms(e)->overwrite == 1) &&
			    evsel__terms(e)->overwrite != 0 && !(track && c->separate_sideband);
	if (c->all_kernel && !evsel__is_tracepoint(e)) {
		a->exclude_kernel = 0;
		a->exclude_user = 1;
	}
	if (c->all_user && !evsel__is_tracepoint(e)) {
		a->exclude_kernel = 1;
		a->exclude_user = 0;
	}
	if (c->no_buffering)
		a->wakeup_events = 1;
}

/* :S - the leader alone samples, and reads all members with every sample. */
static void config_leader_sampling(struct evsel *e)
{
	struct perf_event_attr *a = evsel__attr(e);
	struct evsel *leader = evsel__leader(e);

	if (!evsel__sample_read(leader))
		return;
	if (leader == e) {
		a->sample_type |= PERF_SAMPLE_READ;
		if (evsel__nr_members(e) > 1)
			a->read_format |= PERF_FORMAT_GROUP;
		return;
	}
	a->sample_type |= PERF_SAMPLE_READ;
	a->read_format |= PERF_FORMAT_GROUP;
	a->freq = 0;
	a->sample_period = 0;
	a->write_backward = 0;
}

/* With several events a record has to tell whose it is; where their layouts differ, in a place that
 * is the same for all. */
static void config_ids(struct evlist *l, bool identifier)
{
	u64 first = evsel__attr(evlist__at(l, 0))->sample_type;
	struct evsel *e;

	if (evlist__nr(l) == 1 && !identifier &&
	    !(evsel__attr(evlist__at(l, 0))->sample_type & PERF_SAMPLE_READ))
		return;
	evlist__for_each (l, e)
		identifier |= evsel__attr(e)->sample_type != first;
	evlist__for_each (l, e)
		evsel__attr(e)->sample_type |= identifier ? PERF_SAMPLE_IDENTIFIER : PERF_SAMPLE_ID;
}

static bool uses_dwarf(struct evlist *l, const struct record_config *c)
{
	bool dwarf = c->callgraph == CALLGRAPH_DWARF;
	struct evsel *e;

	evlist__for_each (l, e) {
		const char *term = evsel__terms(e)->call_graph;

		dwarf |= term && !strcmp(term, "dwarf");
	}
	return dwarf;
}

int record_config__apply(struct evlist *l, const struct record_config *c, struct errbuf *note,
			 struct errbuf *eb)
{
	struct evsel *e, *track = evlist__at(l, 0);
	u64 freq = c->freq;
	bool data;
	int err;

	note->msg[0] = 0;
	if (!c->period) {
		err = perf_freq__clamp(&freq, note, eb);
		if (err)
			return err;
		if (c->strict_freq && c->freq != UINT64_MAX && freq != c->freq)
			return errbuf__set(eb, -ERANGE, "--strict-freq: %s", note->msg);
	}
	if (c->group) {
		err = evlist__group_all(l);
		if (err)
			return errbuf__set(eb, err, "--group: the events have groups already");
	}
	if (c->separate_sideband) {
		track = evlist__add_sideband(l);
		if (!track)
			return errbuf__set(eb, -ENOMEM, "out of memory for an event");
		evsel__attr(track)->sample_type = 0;
	}
	/* Maps of data as well where data addresses are sampled, and for DWARF: what unwinding
	 * reads of a file need not lie in its executable segment. */
	data = c->addr || uses_dwarf(l, c);
	evlist__for_each (l, e)
		config_one(c, freq, e, e == track, data);
	evlist__for_each (l, e)
		config_leader_sampling(e);
	config_ids(l, c->identifier);
	return 0;
}
