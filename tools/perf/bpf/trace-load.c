// SPDX-License-Identifier: GPL-2.0-only
/* Opening and loading the trace programs: what the kernel's types are, two loads at a time. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf/trace-internal.h"
#include "bpf/trace.skel.h"
#include "lib/api/worker.h"

/* What the programs look into: kernel_types.h. */
static const char *const task_members[] = {"thread_info", "ptrace",  "exit_code", "pid", "tgid",
					   "comm",	  "blocked", "pending",	  "mm",	 NULL};

/* A program that is loaded beside libbpf, by a thread of its own. */
struct trace_apart {
	pthread_t thread;
	struct bpf_insn *insns;
	size_t nr;
	struct bpf_prog_load_opts opts;
	int fd; /* or -errno */
};

static void *load_one(void *arg)
{
	struct trace_apart *a = arg;
	static const char name[] = "trace_capture_r";
	bool debug = getenv("PERF_BPF_DEBUG") != NULL;

	a->fd = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, name, "GPL", a->insns, a->nr, &a->opts);
	if (a->fd < 0 && debug) {
		static char log[1 << 20];

		a->opts.log_level = 1;
		a->opts.log_buf = log;
		a->opts.log_size = sizeof(log);
		a->fd = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, name, "GPL", a->insns, a->nr,
				      &a->opts);
		fputs(log, stderr);
	}
	return NULL;
}

/*
 * Half of what loading takes is the verification of the program that captures memory: it goes on
 * beside that of the others. libbpf loads one after the other; it gets a program that does nothing
 * in its place. @insns is taken over.
 */
static int load_apart(struct trace_kern *t, struct bpf_program *prog, struct bpf_insn *insns,
		      size_t nr, struct bpf_prog_load_opts *opts)
{
	struct bpf_insn nothing[] = {{.code = BPF_ALU64 | BPF_MOV | BPF_K},
				     {.code = BPF_JMP | BPF_EXIT}};
	struct trace_apart *a = calloc(1, sizeof(*a));
	int err = a ? 0 : -ENOMEM;

	if (!err) {
		*a = (struct trace_apart){.insns = insns, .nr = nr, .opts = *opts, .fd = -ENOMEM};
		err = worker__start(&a->thread, load_one, a);
	}
	if (err) {
		free(insns);
		free(a);
		return err;
	}
	t->apart = a;
	opts->func_info_cnt = opts->line_info_cnt = 0;
	return bpf_program__set_insns(prog, nothing, ARRAY_SIZE(nothing));
}

static int end_apart(struct trace_kern *t)
{
	if (!t->apart || !t->apart->insns)
		return 0;
	pthread_join(t->apart->thread, NULL);
	free(t->apart->insns);
	t->apart->insns = NULL;
	return t->apart->fd < 0 ? t->apart->fd : 0;
}

/* cast() of the programs becomes a call of the kernel's function, which libbpf would look for in
 * all of the kernel's BTF. Called when a program is about to be loaded. */
static int prepare(struct bpf_program *prog, struct bpf_prog_load_opts *opts, long cookie)
{
	struct trace_kern *t = (struct trace_kern *)cookie;
	size_t nr = bpf_program__insn_cnt(prog);
	struct bpf_insn *insns = malloc(nr * sizeof(*insns));
	int err;

	if (!insns)
		return -ENOMEM;
	memcpy(insns, bpf_program__insns(prog), nr * sizeof(*insns));
	for (size_t i = 0; i < nr; i++)
		if (insns[i].code == (BPF_JMP | BPF_CALL) && insns[i].imm == TRACE_CAST_CALL) {
			insns[i].src_reg = BPF_PSEUDO_KFUNC_CALL;
			insns[i].imm = (int)t->cast_func;
		}
	if (prog == t->skel->progs.trace_capture_raw)
		return load_apart(t, prog, insns, nr, opts);
	err = bpf_program__set_insns(prog, insns, nr);
	free(insns);
	return err;
}

int trace_kern__open_programs(struct trace_kern *t)
{
	struct kernel_btf_want raw[] = {
		{.name = "task_struct", .members = task_members, .kernel_id = &t->task_type},
		{.name = "pt_regs", .kernel_id = &t->regs_type},
		{.name = "linux_binprm"},
		{.name = "mm_struct"},
		{.name = "bpf_rdonly_cast", .kernel_id = &t->cast_func, .func = true},
		{},
	};
	/* The contexts of classic tracepoints as well. */
	static const struct kernel_btf_want classic[] = {
		{.name = "task_struct", .members = task_members},
		{.name = "pt_regs"},
		{.name = "linux_binprm"},
		{.name = "mm_struct"},
		{.name = "trace_event_raw_sched_process_fork"},
		{.name = "trace_event_raw_sched_process_exec"},
		{.name = "trace_event_raw_signal_generate"},
		{},
	};
	LIBBPF_OPTS(bpf_object_open_opts, opts);
	LIBBPF_OPTS(libbpf_prog_handler_opts, handler, .prog_prepare_load_fn = prepare);

	opts.btf_custom_path = kernel_btf__open(&t->btf, t->raw ? raw : classic);
	handler.cookie = (long)t;
	/* The programs refer to it as long as they are there. */
	if (t->cast_func)
		t->handler = libbpf_register_prog_handler("raw_tp+", BPF_PROG_TYPE_RAW_TRACEPOINT,
							  0, &handler);
	if (t->handler <= 0)
		t->cast_func = 0; /* does without */
	t->skel = trace_bpf__open_opts(&opts);
	return t->skel ? 0 : -errno;
}

int trace_kern__load_programs(struct trace_kern *t)
{
	int err = trace_bpf__load(t->skel);

	if (!err)
		err = end_apart(t);
	kernel_btf__close(&t->btf);
	return err;
}

int trace_kern__capture_fd(const struct trace_kern *t)
{
	if (t->apart)
		return t->apart->fd;
	return bpf_program__fd(t->raw ? t->skel->progs.trace_capture_raw
				      : t->skel->progs.trace_capture);
}

void trace_kern__close_programs(struct trace_kern *t)
{
	end_apart(t); /* what it is made of belongs to the others */
	kernel_btf__close(&t->btf);
	trace_bpf__destroy(t->skel);
	t->skel = NULL;
	if (t->apart && t->apart->fd >= 0)
		close(t->apart->fd);
	free(t->apart);
	t->apart = NULL;
	if (t->handler > 0)
		libbpf_unregister_prog_handler(t->handler);
	t->handler = 0;
}
