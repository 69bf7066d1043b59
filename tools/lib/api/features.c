// SPDX-License-Identifier: GPL-2.0-only
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "compiler.h"
#include "lib/api/caps.h"
#include "lib/api/features.h"

enum answer { UNKNOWN, NO, YES };

#define ASK_ONCE(expr)                             \
	do {                                       \
		static enum answer known;          \
		if (known == UNKNOWN)              \
			known = (expr) ? YES : NO; \
		return known == YES;               \
	} while (0)

/* r0 = 0; exit. The descriptor or -errno. */
static int load_nothing(enum bpf_prog_type type)
{
	static const struct bpf_insn insns[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
		{.code = BPF_JMP | BPF_EXIT},
	};
	int fd = bpf_prog_load(type, "probe", "GPL", insns, ARRAY_SIZE(insns), NULL);

	return fd < 0 ? -errno : fd;
}

static int try_load(enum bpf_prog_type type)
{
	int fd = load_nothing(type);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

bool feature__bpf(struct errbuf *eb)
{
	static int err = 1;

	if (err == 1)
		err = try_load(BPF_PROG_TYPE_PERF_EVENT);
	if (!err)
		return true;
	if (err == -ENOSYS || err == -EINVAL)
		errbuf__set(eb, err, "this kernel has no BPF programs on perf events");
	else
		errbuf__set(eb, err, "BPF programs cannot be loaded: %s", strerror(-err));
	caps__explain(eb, CAPS_NEED_BPF);
	return false;
}

bool feature__bpf_tracepoint(void)
{
	ASK_ONCE(!try_load(BPF_PROG_TYPE_TRACEPOINT));
}

bool feature__btf(void)
{
	ASK_ONCE(!access("/sys/kernel/btf/vmlinux", R_OK));
}

bool feature__ringbuf(void)
{
	ASK_ONCE(libbpf_probe_bpf_map_type(BPF_MAP_TYPE_RINGBUF, NULL) == 1);
}

/* A kernel that knows the link looks at the event's descriptor, and says that -1 is none. */
static bool try_perf_link(void)
{
	int prog = load_nothing(BPF_PROG_TYPE_TRACEPOINT), link;
	bool yes;

	if (prog < 0)
		return false;
	link = bpf_link_create(prog, -1, BPF_PERF_EVENT, NULL);
	yes = link < 0 && errno == EBADF;
	if (link >= 0)
		close(link);
	close(prog);
	return yes;
}

bool feature__perf_link(void)
{
	ASK_ONCE(try_perf_link());
}

bool feature__task_storage(void)
{
	ASK_ONCE(libbpf_probe_bpf_map_type(BPF_MAP_TYPE_TASK_STORAGE, NULL) == 1 &&
		 libbpf_probe_bpf_helper(BPF_PROG_TYPE_TRACEPOINT, BPF_FUNC_task_storage_get,
					 NULL) == 1);
}

bool feature__send_signal_thread(void)
{
	ASK_ONCE(libbpf_probe_bpf_helper(BPF_PROG_TYPE_TRACEPOINT, BPF_FUNC_send_signal_thread,
					 NULL) == 1);
}

/* On an empty map the command ends with ENOENT; an unknown one with EINVAL. */
static bool try_batch_delete(void)
{
	int map = bpf_map_create(BPF_MAP_TYPE_HASH, "probe", 4, 4, 1, NULL);
	u32 keys[1], values[1], count = 1, out;
	bool yes;
	int err;

	if (map < 0)
		return false;
	err = bpf_map_lookup_and_delete_batch(map, NULL, &out, keys, values, &count, NULL);
	yes = !err || errno == ENOENT;
	close(map);
	return yes;
}

bool feature__batch_delete(void)
{
	ASK_ONCE(try_batch_delete());
}

static bool try_cgroup_sample(void)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_CGROUP,
		.exclude_kernel = 1,
		.disabled = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

bool feature__perf_event_cgroup(void)
{
	ASK_ONCE(try_cgroup_sample());
}
