// SPDX-License-Identifier: GPL-2.0-only
/* Records that are no samples, in upstream's words. Sizes have been checked by the session; strings
 * end within the record, which is checked here. */
#include <string.h>

#include "output/script-internal.h"

struct rec_mmap {
	struct perf_event_header header;
	s32 pid, tid;
	u64 start, len, pgoff;
	char filename[];
};

struct rec_mmap2 {
	struct perf_event_header header;
	s32 pid, tid;
	u64 start, len, pgoff;
	union {
		struct {
			u32 maj, min;
			u64 ino, ino_generation;
		};
		struct {
			u8 build_id_size, reserved[3], build_id[20];
		};
	};
	u32 prot, flags;
	char filename[];
};

struct rec_comm {
	struct perf_event_header header;
	s32 pid, tid;
	char comm[];
};

struct rec_fork {
	struct perf_event_header header;
	s32 pid, ppid, tid, ptid;
	u64 time;
};

struct rec_namespaces {
	struct perf_event_header header;
	s32 pid, tid;
	u64 nr;
	struct {
		u64 dev, inode;
	} link[];
};

static bool has(const struct perf_event_header *rec, size_t size)
{
	return rec->size >= size;
}

/* An 8-byte or smaller number at @off, 0 when the record is shorter. */
static u64 number(const struct perf_event_header *rec, size_t off, size_t size)
{
	u64 v = 0;

	if (has(rec, off + size))
		memcpy(&v, (const char *)rec + off, size);
	return v;
}

static void put_string(struct outbuf *ob, const struct perf_event_header *rec, size_t off)
{
	if (has(rec, off + 1))
		outbuf__safe(ob, (const char *)rec + off,
			     strnlen((const char *)rec + off, rec->size - off));
	outbuf__putc(ob, '\n');
}

static void put_mmap(struct outbuf *ob, const struct perf_event_header *rec)
{
	const struct rec_mmap *m = (const void *)rec;

	if (!has(rec, sizeof(*m)))
		return;
	outbuf__printf(ob, " %d/%d: [%#llx(%#llx) @ %#llx]: %c ", m->pid, m->tid,
		       (unsigned long long)m->start, (unsigned long long)m->len,
		       (unsigned long long)m->pgoff,
		       rec->misc & PERF_RECORD_MISC_MMAP_DATA ? 'r' : 'x');
	put_string(ob, rec, sizeof(*m));
}

static void put_mmap2(struct outbuf *ob, const struct perf_event_header *rec)
{
	const struct rec_mmap2 *m = (const void *)rec;

	if (!has(rec, sizeof(*m)))
		return;
	outbuf__printf(ob, " %d/%d: [%#llx(%#llx) @ %#llx ", m->pid, m->tid,
		       (unsigned long long)m->start, (unsigned long long)m->len,
		       (unsigned long long)m->pgoff);
	if (rec->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		outbuf__putc(ob, '<');
		for (int i = 0; i < m->build_id_size && i < 20; i++)
			outbuf__hex(ob, m->build_id[i], 2, '0');
		outbuf__putc(ob, '>');
	} else {
		outbuf__printf(ob, "%02x:%02x %llu %llu", m->maj, m->min,
			       (unsigned long long)m->ino, (unsigned long long)m->ino_generation);
	}
	outbuf__printf(ob, "]: %c%c%c%c ", m->prot & 1 ? 'r' : '-', m->prot & 2 ? 'w' : '-',
		       m->prot & 4 ? 'x' : '-', m->flags & 1 ? 's' : 'p');
	put_string(ob, rec, sizeof(*m));
}

static void put_comm(struct outbuf *ob, const struct perf_event_header *rec)
{
	const struct rec_comm *c = (const void *)rec;

	if (!has(rec, sizeof(*c)))
		return;
	outbuf__puts(ob, rec->misc & PERF_RECORD_MISC_COMM_EXEC ? " exec: " : ": ");
	outbuf__safe(ob, c->comm, strnlen(c->comm, rec->size - sizeof(*c)));
	outbuf__printf(ob, ":%d/%d\n", c->pid, c->tid);
}

static void put_task(struct outbuf *ob, const struct perf_event_header *rec)
{
	const struct rec_fork *f = (const void *)rec;

	if (has(rec, sizeof(*f)))
		outbuf__printf(ob, "(%d:%d):(%d:%d)\n", f->pid, f->tid, f->ppid, f->ptid);
}

static void put_namespaces(struct outbuf *ob, const struct perf_event_header *rec)
{
	static const char *const names[] = {"net", "uts", "ipc", "pid", "user", "mnt", "cgroup"};
	const struct rec_namespaces *n = (const void *)rec;
	u64 nr;

	if (!has(rec, sizeof(*n)))
		return;
	nr = min_t(u64, n->nr, (rec->size - sizeof(*n)) / sizeof(n->link[0]));
	outbuf__printf(ob, " %d/%d - nr_namespaces: %llu\n\t\t[", n->pid, n->tid,
		       (unsigned long long)nr);
	for (u64 i = 0; i < nr; i++) {
		if (i && i % 4 == 0)
			outbuf__puts(ob, "\n\t\t ");
		outbuf__printf(ob, "%llu/%s: %llu/%#llx%s", (unsigned long long)i,
			       i < ARRAY_SIZE(names) ? names[i] : "unknown",
			       (unsigned long long)n->link[i].dev,
			       (unsigned long long)n->link[i].inode, i + 1 < nr ? ", " : "");
	}
	outbuf__puts(ob, "]\n");
}

static void put_switch(struct outbuf *ob, const struct perf_event_header *rec)
{
	bool out = rec->misc & PERF_RECORD_MISC_SWITCH_OUT;
	const char *what = !out						     ? "IN         "
			   : rec->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? "OUT preempt"
									     : "OUT        ";

	outbuf__printf(ob, " %s", what);
	if (rec->type == PERF_RECORD_SWITCH_CPU_WIDE)
		outbuf__printf(ob, "  %s pid/tid: %5d/%-5d", out ? "next" : "prev",
			       (s32)number(rec, 8, 4), (s32)number(rec, 12, 4));
	outbuf__putc(ob, '\n');
}

static void put_bytes(struct outbuf *ob, const char *what, const u8 *bytes, u32 n)
{
	if (!n)
		return;
	outbuf__puts(ob, what);
	for (u32 i = 0; i < n; i++)
		outbuf__printf(ob, " %02x", bytes[i]);
	outbuf__putc(ob, '\n');
}

static void put_text_poke(struct outbuf *ob, const struct perf_event_header *rec, struct machine *m)
{
	u32 old_len = number(rec, 16, 2), new_len = number(rec, 18, 2);
	const u8 *bytes = (const u8 *)rec + 20;
	u64 addr = number(rec, 8, 8);
	struct addr_location al = {};

	outbuf__printf(ob, " %llx ", (unsigned long long)addr);
	machine__resolve(m, -1, -1, PERF_RECORD_MISC_KERNEL, addr, UINT64_MAX, &al);
	if (al.sym) {
		outbuf__safe(ob, al.sym->name, strlen(al.sym->name));
		outbuf__printf(ob, "+0x%llx", (unsigned long long)(al.addr - al.sym->start));
	}
	outbuf__printf(ob, " old len %u new len %u\n", old_len, new_len);
	if (!has(rec, 20 + (size_t)old_len + new_len))
		return;
	put_bytes(ob, "            Old bytes:", bytes, old_len);
	put_bytes(ob, "            New bytes:", bytes + old_len, new_len);
}

static void put_aux(struct outbuf *ob, const struct perf_event_header *rec)
{
	u64 flags = number(rec, 24, 8);

	outbuf__printf(ob, " offset: %#llx size: %#llx flags: %#llx [%s%s%s]\n",
		       (unsigned long long)number(rec, 8, 8),
		       (unsigned long long)number(rec, 16, 8), (unsigned long long)flags,
		       flags & PERF_AUX_FLAG_TRUNCATED ? "T" : "",
		       flags & PERF_AUX_FLAG_OVERWRITE ? "O" : "",
		       flags & PERF_AUX_FLAG_PARTIAL ? "P" : "");
}

void script_put_record(struct outbuf *ob, const struct perf_event_header *rec, struct machine *m)
{
	outbuf__puts(ob, "PERF_RECORD_");
	outbuf__puts(ob, perf_record__name(rec->type));
	switch (rec->type) {
	case PERF_RECORD_MMAP:
		put_mmap(ob, rec);
		break;
	case PERF_RECORD_MMAP2:
		put_mmap2(ob, rec);
		break;
	case PERF_RECORD_COMM:
		put_comm(ob, rec);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		put_task(ob, rec);
		break;
	case PERF_RECORD_LOST:
		outbuf__printf(ob, " lost %llu\n", (unsigned long long)number(rec, 16, 8));
		break;
	case PERF_RECORD_LOST_SAMPLES:
		outbuf__printf(ob, " lost %llu\n", (unsigned long long)number(rec, 8, 8));
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		put_switch(ob, rec);
		break;
	case PERF_RECORD_NAMESPACES:
		put_namespaces(ob, rec);
		break;
	case PERF_RECORD_KSYMBOL:
		outbuf__printf(ob, " addr %llx len %u type %u flags 0x%x name ",
			       (unsigned long long)number(rec, 8, 8), (u32)number(rec, 16, 4),
			       (u32)number(rec, 20, 2), (u32)number(rec, 22, 2));
		put_string(ob, rec, 24);
		break;
	case PERF_RECORD_BPF_EVENT:
		outbuf__printf(ob, " type %u, flags %u, id %u\n", (u32)number(rec, 8, 2),
			       (u32)number(rec, 10, 2), (u32)number(rec, 12, 4));
		break;
	case PERF_RECORD_CGROUP:
		outbuf__printf(ob, " cgroup: %llu ", (unsigned long long)number(rec, 8, 8));
		put_string(ob, rec, 16);
		break;
	case PERF_RECORD_TEXT_POKE:
		put_text_poke(ob, rec, m);
		break;
	case PERF_RECORD_AUX:
		put_aux(ob, rec);
		break;
	case PERF_RECORD_ITRACE_START:
		outbuf__printf(ob, " pid: %u tid: %u\n", (u32)number(rec, 8, 4),
			       (u32)number(rec, 12, 4));
		break;
	case PERF_RECORD_AUX_OUTPUT_HW_ID:
		outbuf__printf(ob, " hw_id: %#llx\n", (unsigned long long)number(rec, 8, 8));
		break;
	default:
		outbuf__putc(ob, '\n');
		break;
	}
}
