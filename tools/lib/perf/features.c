// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an older kernel may lack. perf_event_open(2) says EINVAL for an attr bit it does not know
 * and for a real mistake alike, so each bit in use is tried alone on a harmless event; the answer
 * is kept for the run.
 */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/perf/internal.h"

/* Newest first; @fatal: the user asked for it, and output without it would not be what was asked.
 */
enum feature {
	FEAT_READ_LOST,
	FEAT_WEIGHT_STRUCT,
	FEAT_CODE_PAGE_SIZE,
	FEAT_DATA_PAGE_SIZE,
	FEAT_BUILD_ID,
	FEAT_TEXT_POKE,
	FEAT_CGROUP,
	FEAT_AUX_OUTPUT,
	FEAT_KSYMBOL,
	FEAT_PHYS_ADDR,
	FEAT_NAMESPACES,
	FEAT_WRITE_BACKWARD,
	FEAT_CONTEXT_SWITCH,
	FEAT_CLOCKID,
	FEAT_COMM_EXEC,
	FEAT_MMAP2,
	FEAT_IDENTIFIER,
	FEAT_EXCLUDE_GUEST,
	FEAT_SAMPLE_ID_ALL,
	FEAT_NR,
};

static const struct {
	const char *name;
	bool fatal;
} features[FEAT_NR] = {
	[FEAT_READ_LOST] = {"counts of lost samples (Linux 6.0)", false},
	[FEAT_WEIGHT_STRUCT] = {"instruction latencies in --weight (Linux 5.12)", false},
	[FEAT_CODE_PAGE_SIZE] = {"code page sizes (Linux 5.11)", true},
	[FEAT_DATA_PAGE_SIZE] = {"data page sizes (Linux 5.11)", true},
	[FEAT_BUILD_ID] = {"build ids in mmap records (Linux 5.12)", false},
	[FEAT_TEXT_POKE] = {"text poke records (Linux 5.9)", false},
	[FEAT_CGROUP] = {"cgroup records (Linux 5.7)", true},
	[FEAT_AUX_OUTPUT] = {"AUX output (Linux 5.4)", true},
	[FEAT_KSYMBOL] = {"records of BPF programs and kernel symbols (Linux 5.1)", false},
	[FEAT_PHYS_ADDR] = {"physical addresses (Linux 4.14)", true},
	[FEAT_NAMESPACES] = {"namespace records (Linux 4.12)", true},
	[FEAT_WRITE_BACKWARD] = {"overwritable rings (Linux 4.7)", true},
	[FEAT_CONTEXT_SWITCH] = {"context switch records (Linux 4.3)", true},
	[FEAT_CLOCKID] = {"the choice of a clock (Linux 4.1)", true},
	[FEAT_COMM_EXEC] = {"exec marks in comm records (Linux 3.16)", false},
	[FEAT_MMAP2] = {"inode numbers in mmap records (Linux 3.16)", false},
	[FEAT_IDENTIFIER] = {"sample identifiers (Linux 3.12)", false},
	[FEAT_EXCLUDE_GUEST] = {"the choice of host or guest (Linux 3.2)", false},
	[FEAT_SAMPLE_ID_ALL] = {"ids in side-band records (Linux 2.6.38)", false},
};

#define PERF_SAMPLE_BIT(a, bit) (!!((a)->sample_type & (bit)))

static bool attr__uses(const struct perf_event_attr *a, enum feature f)
{
	switch (f) {
	case FEAT_READ_LOST:
		return a->read_format & PERF_FORMAT_LOST;
	case FEAT_WEIGHT_STRUCT:
		return PERF_SAMPLE_BIT(a, PERF_SAMPLE_WEIGHT_STRUCT);
	case FEAT_CODE_PAGE_SIZE:
		return PERF_SAMPLE_BIT(a, PERF_SAMPLE_CODE_PAGE_SIZE);
	case FEAT_DATA_PAGE_SIZE:
		return PERF_SAMPLE_BIT(a, PERF_SAMPLE_DATA_PAGE_SIZE);
	case FEAT_BUILD_ID:
		return a->build_id;
	case FEAT_TEXT_POKE:
		return a->text_poke;
	case FEAT_CGROUP:
		return a->cgroup || PERF_SAMPLE_BIT(a, PERF_SAMPLE_CGROUP);
	case FEAT_AUX_OUTPUT:
		return a->aux_output;
	case FEAT_KSYMBOL:
		return a->ksymbol || a->bpf_event;
	case FEAT_PHYS_ADDR:
		return PERF_SAMPLE_BIT(a, PERF_SAMPLE_PHYS_ADDR);
	case FEAT_NAMESPACES:
		return a->namespaces;
	case FEAT_WRITE_BACKWARD:
		return a->write_backward;
	case FEAT_CONTEXT_SWITCH:
		return a->context_switch;
	case FEAT_CLOCKID:
		return a->use_clockid;
	case FEAT_COMM_EXEC:
		return a->comm_exec;
	case FEAT_MMAP2:
		return a->mmap2;
	case FEAT_IDENTIFIER:
		return PERF_SAMPLE_BIT(a, PERF_SAMPLE_IDENTIFIER);
	case FEAT_EXCLUDE_GUEST:
		return a->exclude_guest || a->exclude_host;
	case FEAT_SAMPLE_ID_ALL:
		return a->sample_id_all;
	case FEAT_NR:
		break;
	}
	return false;
}

/* Takes feature @f out of @a; with @set, puts the least of it in (for the try). */
static void attr__change(struct perf_event_attr *a, enum feature f, bool set)
{
	u64 bit = 0;

	switch (f) {
	case FEAT_READ_LOST:
		a->read_format &= ~(u64)PERF_FORMAT_LOST;
		a->read_format |= set ? PERF_FORMAT_LOST : 0;
		break;
	case FEAT_WEIGHT_STRUCT:
		bit = PERF_SAMPLE_WEIGHT_STRUCT;
		if (!set)
			a->sample_type |= PERF_SAMPLE_WEIGHT;
		break;
	case FEAT_CODE_PAGE_SIZE:
		bit = PERF_SAMPLE_CODE_PAGE_SIZE;
		break;
	case FEAT_DATA_PAGE_SIZE:
		bit = PERF_SAMPLE_DATA_PAGE_SIZE;
		break;
	case FEAT_BUILD_ID:
		a->build_id = set;
		break;
	case FEAT_TEXT_POKE:
		a->text_poke = set;
		break;
	case FEAT_CGROUP:
		a->cgroup = set;
		bit = PERF_SAMPLE_CGROUP;
		break;
	case FEAT_AUX_OUTPUT:
		a->aux_output = 0; /* not tried: it needs an AUX leader */
		break;
	case FEAT_KSYMBOL:
		a->ksymbol = a->bpf_event = set;
		break;
	case FEAT_PHYS_ADDR:
		bit = PERF_SAMPLE_PHYS_ADDR;
		break;
	case FEAT_NAMESPACES:
		a->namespaces = set;
		break;
	case FEAT_WRITE_BACKWARD:
		a->write_backward = set;
		break;
	case FEAT_CONTEXT_SWITCH:
		a->context_switch = set;
		break;
	case FEAT_CLOCKID:
		a->use_clockid = set;
		a->clockid = set ? 1 /* CLOCK_MONOTONIC */ : 0;
		break;
	case FEAT_COMM_EXEC:
		a->comm_exec = set;
		break;
	case FEAT_MMAP2:
		a->mmap2 = set;
		break;
	case FEAT_IDENTIFIER:
		bit = PERF_SAMPLE_IDENTIFIER;
		if (!set)
			a->sample_type |= PERF_SAMPLE_ID;
		break;
	case FEAT_EXCLUDE_GUEST:
		a->exclude_guest = set;
		a->exclude_host = 0;
		break;
	case FEAT_SAMPLE_ID_ALL:
		a->sample_id_all = set;
		break;
	case FEAT_NR:
		break;
	}
	a->sample_type &= ~bit;
	a->sample_type |= set ? bit : 0;
}

static bool kernel_lacks(enum feature f)
{
	static signed char known[FEAT_NR]; /* 1: has it, -1: lacks it */
	struct perf_event_attr a = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(a),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd;

	if (known[f])
		return known[f] < 0;
	attr__change(&a, f, true);
	fd = syscall(SYS_perf_event_open, &a, 0, -1, -1, 0UL);
	known[f] = fd < 0 && (errno == EINVAL || errno == E2BIG) ? -1 : 1;
	if (fd >= 0)
		close(fd);
	return known[f] < 0;
}

bool evlist__drop_feature(struct evlist *l, const char **what, bool *fatal)
{
	for (int f = 0; f < FEAT_NR; f++) {
		bool used = false;

		for (int i = 0; i < l->nr; i++)
			used |= attr__uses(&l->e[i]->attr, f);
		if (!used || !kernel_lacks(f))
			continue;
		*what = features[f].name;
		*fatal = features[f].fatal;
		for (int i = 0; i < l->nr; i++)
			if (attr__uses(&l->e[i]->attr, f))
				attr__change(&l->e[i]->attr, f, false);
		return true;
	}
	return false;
}
