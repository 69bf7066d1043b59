// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes a perf.data with events that no machine at hand can record (branch stacks, memory
 * samples), or that must be the same in every run: script-data KIND FILE. KIND: bpf-output, branch,
 * future, memory, names, records, sideband, times.
 */
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char data[1 << 20];
static size_t len;
static struct perf_event_attr attr = {
	.type = PERF_TYPE_SOFTWARE,
	.size = PERF_ATTR_SIZE_VER6,
	.config = PERF_COUNT_SW_CPU_CLOCK,
	.sample_period = 1000,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
		       PERF_SAMPLE_PERIOD,
	.sample_id_all = 1,
};
static size_t start;

static void put(const void *p, size_t n)
{
	memcpy(data + len, p, n);
	len += n;
}

static void u64(uint64_t v)
{
	put(&v, 8);
}

static void u32(uint32_t v)
{
	put(&v, 4);
}

static void string(const char *s)
{
	put(s, strlen(s) + 1);
	while (len % 8)
		data[len++] = 0;
}

static void begin(uint32_t type, uint16_t misc)
{
	struct perf_event_header h = {.type = type, .misc = misc};

	start = len;
	put(&h, sizeof(h));
}

static void end(void)
{
	uint16_t size = len - start;

	memcpy(data + start + offsetof(struct perf_event_header, size), &size, 2);
}

/* The trailing sample_id of a kernel record: tid, time, cpu. */
static void id(uint32_t pid, uint32_t tid, uint64_t time, uint32_t cpu)
{
	u32(pid), u32(tid);
	u64(time);
	u32(cpu), u32(0);
	end();
}

static void comm(uint32_t pid, const char *name, uint64_t time)
{
	begin(PERF_RECORD_COMM, 0);
	u32(pid), u32(pid);
	string(name);
	id(pid, pid, time, 0);
}

static void sample(uint64_t ip, uint32_t pid, uint64_t time, uint32_t cpu)
{
	begin(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	u64(ip);
	u32(pid), u32(pid);
	u64(time);
	if (attr.sample_type & PERF_SAMPLE_ADDR)
		u64(0x7f0000001000 + time % 4096);
	u32(cpu), u32(0);
	u64(1000);
}

static void raw(const void *p, uint32_t n)
{
	u32(n);
	put(p, n);
	while (len % 8)
		data[len++] = 0;
}

static void bpf_output(void)
{
	/* What the kernel hands over is padded: size + 4 is a multiple of 8. */
	static const unsigned char bytes[12] = {0x17, 0xde, 0xad, 0xbe, 0xef};
	static const char text[28] = "Raise a BPF event!";

	attr.config = PERF_COUNT_SW_BPF_OUTPUT;
	attr.sample_type |= PERF_SAMPLE_RAW;
	comm(100, "writer", 1000);
	sample(0x1000, 100, 3000000500, 0), raw(bytes, sizeof(bytes)), end();
	sample(0x1000, 100, 3000001500, 1), raw(text, sizeof(text)), end();
	sample(0x1000, 100, 3000002500, 1), raw("ab\1c\0\0\0", 4), end();
	sample(0x1000, 100, 3000003500, 1), raw("\0\0\0\0\0\0\0", 4), end();
}

static void branch(void)
{
	attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
	attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER;
	comm(100, "brancher", 1000);
	for (int i = 0; i < 4; i++) {
		sample(0x1000 + i, 100, 3000000000 + i, 0);
		u64(i);
		for (int b = 0; b < i; b++) {
			u64(0x400000 + b * 16);
			u64(0x400100 + b * 16);
			u64((b & 3) | (uint64_t)(b + i) << 4 | (uint64_t)(b + i) << 20);
		}
		end();
	}
}

static void memory(void)
{
	/* op, lvl, snoop, lock, dtlb ... as the kernel's PERF_MEM_* shift them */
	static const uint64_t src[] = {
		0x1e05080021,
		0x68100142,
		PERF_MEM_S(OP, LOAD) | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVL, L1) |
			PERF_MEM_S(SNOOP, NONE) | PERF_MEM_S(LOCK, LOCKED) | PERF_MEM_S(TLB, HIT) |
			PERF_MEM_S(TLB, L1) | PERF_MEM_S(TLB, L2),
		PERF_MEM_S(OP, STORE) | PERF_MEM_S(LVL, MISS) | PERF_MEM_S(LVL, LOC_RAM) |
			PERF_MEM_S(LVL, REM_RAM1) | PERF_MEM_S(SNOOP, HITM) |
			PERF_MEM_S(SNOOPX, FWD) | PERF_MEM_S(TLB, MISS) | PERF_MEM_S(TLB, WK),
		PERF_MEM_S(OP, LOAD) | PERF_MEM_S(LVLNUM, RAM) | PERF_MEM_S(REMOTE, REMOTE) |
			PERF_MEM_S(BLK, DATA) | PERF_MEM_S(BLK, ADDR),
		PERF_MEM_S(OP, PFETCH) | PERF_MEM_S(LVLNUM, L3) | PERF_MEM_S(HOPS, 1),
		0,
		1,
		~0ULL,
	};

	attr.sample_type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_WEIGHT |
			    PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_DATA_PAGE_SIZE |
			    PERF_SAMPLE_CODE_PAGE_SIZE;
	attr.type = PERF_TYPE_RAW;
	attr.config = 0x1cd;
	comm(100, "loader", 1000);
	for (size_t i = 0; i < sizeof(src) / sizeof(src[0]); i++) {
		sample(0x1000 + i, 100, 3000000000 + i, 0);
		u64(i * 1000);
		u64(src[i]);
		u64(i * 0x12345000);
		u64(i % 3 ? 4096ULL << (i % 3 * 9) : i);
		u64(i == 1 ? 64 * 1024 : 4096);
		end();
	}
}

static void names(void)
{
	static const char *const comms[] = {"a b [c] (d)", "semi;colon",  "tab\there",
					    "\33[31mred",  "back\\slash", ""};

	for (uint32_t i = 0; i < sizeof(comms) / sizeof(comms[0]); i++) {
		comm(100 + i, comms[i], 1000 + i);
		sample(0x1000 + i, 100 + i, 3000000000 + i, 0), end();
	}
	sample(0x1000, 999, 3000000100, 3), end(); /* no COMM for this one */
}

static void sideband(void)
{
	comm(100, "parent", 1000);
	begin(PERF_RECORD_FORK, 0);
	u32(101), u32(100), u32(101), u32(100), u64(2000);
	id(100, 100, 2000, 1);
	begin(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
	u32(101), u32(101);
	string("child");
	id(101, 101, 3000, 1);
	begin(PERF_RECORD_MMAP, PERF_RECORD_MISC_USER);
	u32(101), u32(101), u64(0x1000), u64(0x2000), u64(0);
	string("/nonexistent/bin");
	id(101, 101, 4000, 1);
	begin(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
	u32(101), u32(101), u64(0x7000), u64(0x2000), u64(0x3000);
	u32(8), u32(1), u64(77), u64(5), u32(5), u32(2);
	string("/nonexistent/lib with blank");
	id(101, 101, 5000, 1);
	begin(PERF_RECORD_SWITCH, PERF_RECORD_MISC_SWITCH_OUT);
	id(101, 101, 6000, 1);
	begin(PERF_RECORD_SWITCH_CPU_WIDE, 0);
	u32(100), u32(100);
	id(101, 101, 7000, 1);
	begin(PERF_RECORD_LOST, 0);
	u64(0), u64(17);
	id(101, 101, 8000, 1);
	begin(PERF_RECORD_KSYMBOL, 0);
	u64(0xffffffffa0000000), u32(100), put("\2\0\1\0", 4);
	string("bpf_prog_x");
	id(101, 101, 8500, 1);
	begin(PERF_RECORD_BPF_EVENT, 0);
	put("\1\0\2\0", 4), u32(3), u64(0x1122334455667788);
	id(101, 101, 8600, 1);
	begin(PERF_RECORD_CGROUP, 0);
	u64(55);
	string("/sys.slice/a b");
	id(101, 101, 8700, 1);
	begin(PERF_RECORD_NAMESPACES, 0);
	u32(101), u32(101), u64(2), u64(4), u64(0xeffffff9), u64(4), u64(0xeffffffe);
	id(101, 101, 8800, 1);
	sample(0x1500, 101, 3000000000, 1), end();
	sample(0x7500, 101, 3000000001, 1), end();
	begin(PERF_RECORD_EXIT, 0);
	u32(101), u32(100), u32(101), u32(100), u64(9000);
	id(101, 101, 3000009000, 1);
}

/* Every other record of the kernel up to Linux 6.18. */
static void records(void)
{
	comm(101, "child", 1000);
	begin(PERF_RECORD_TEXT_POKE, PERF_RECORD_MISC_KERNEL);
	u64(0xffffffff81000040), put("\5\0\2\0", 4);
	put("\x0f\x1f\x44\x00\x00\xeb\x7f\0\0\0\0", 12);
	id(101, 101, 2000, 1);
	begin(PERF_RECORD_KSYMBOL, 0);
	u64(0xffffffffa0000000), u32(100), put("\2\0\0\0", 4); /* out of line */
	string("bpf_trampoline_6442");
	id(101, 101, 2100, 1);
	/* new memory: there are no old bytes */
	begin(PERF_RECORD_TEXT_POKE, PERF_RECORD_MISC_KERNEL);
	u64(0xffffffffa0000040), put("\0\0\1\0", 4);
	put("\xcc\0\0", 4);
	id(101, 101, 2200, 1);
	begin(PERF_RECORD_THROTTLE, 0);
	u64(2300), u64(1), u64(1);
	id(101, 101, 2300, 1);
	begin(PERF_RECORD_UNTHROTTLE, 0);
	u64(2400), u64(1), u64(1);
	id(101, 101, 2400, 1);
	begin(PERF_RECORD_AUX, 0);
	u64(4096), u64(512), u64(PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL);
	id(101, 101, 2500, 1);
	begin(PERF_RECORD_ITRACE_START, 0);
	u32(101), u32(101);
	id(101, 101, 2600, 1);
	begin(PERF_RECORD_LOST_SAMPLES, 0);
	u64(12);
	id(101, 101, 2700, 1);
	begin(PERF_RECORD_AUX_OUTPUT_HW_ID, 0);
	u64(77);
	id(101, 101, 2800, 1);
	begin(PERF_RECORD_READ, 0);
	u32(101), u32(101), u64(123456);
	id(101, 101, 2900, 1);
	begin(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);
	u64(0xffffffffa0000010), u32(101), u32(101), u64(3000000000), u32(1), u32(0), u64(1000);
	end();
}

/* Records of kernels and of tools to come. */
static void future(void)
{
	comm(101, "child", 1000);
	begin(40, 0);
	u64(1);
	id(101, 101, 3000, 1);
	begin(120, 0);
	u64(1), end();
	sample(0x1000, 101, 3000000000, 1), end();
}

static void times(void)
{
	comm(100, "clock", 1000);
	for (int i = 0; i <= 100; i++)
		sample(0x1000, 100 + i % 3, 5000000000 + i * 10000000ULL, i % 2), end();
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*make)(void);
	} kinds[] = {{"bpf-output", bpf_output}, {"branch", branch}, {"future", future},
		     {"memory", memory},	 {"names", names},   {"records", records},
		     {"sideband", sideband},	 {"times", times}};
	uint64_t head[13] = {0x32454c4946524550ULL, sizeof(head), PERF_ATTR_SIZE_VER6 + 16,
			     sizeof(head), PERF_ATTR_SIZE_VER6 + 16};
	uint64_t ids[2] = {0, 0}, first = 0, last = 0, times_section[2], feature[2];
	FILE *f;

	for (size_t i = 0; argc == 3 && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!strcmp(argv[1], kinds[i].name))
			kinds[i].make();
	}
	f = len ? fopen(argv[2], "w") : NULL;
	if (!f) {
		fprintf(stderr, "usage: script-data KIND FILE\n");
		return 1;
	}
	head[5] = sizeof(head) + head[4]; /* data */
	head[6] = len;
	if (!strcmp(argv[1], "times")) {
		head[9] = 1ULL << 21; /* SAMPLE_TIME */
		first = 5000000000;
		last = 6000000000;
	}
	fwrite(head, sizeof(head), 1, f);
	fwrite(&attr, PERF_ATTR_SIZE_VER6, 1, f);
	fwrite(ids, sizeof(ids), 1, f);
	fwrite(data, len, 1, f);
	if (last) {
		feature[0] = head[5] + len + sizeof(feature);
		feature[1] = sizeof(times_section);
		times_section[0] = first;
		times_section[1] = last;
		fwrite(feature, sizeof(feature), 1, f);
		fwrite(times_section, sizeof(times_section), 1, f);
	}
	return fclose(f) ? 1 : 0;
}
