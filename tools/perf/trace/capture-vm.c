// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>
#include <sys/uio.h>

#include "bpf/trace.h"
#include "trace/capture-vm.h"

/* One capture on its way: where the next byte goes, whose memory it is. */
struct cap {
	pid_t tid;
	u8 *p, *end;
	const struct trace_record *r;
	struct trace_blob *b;
	bool cut;
};

static ssize_t vm_read(pid_t tid, u64 addr, void *buf, size_t len)
{
	struct iovec l = {buf, len}, r = {(void *)addr, len};

	return len ? process_vm_readv(tid, &l, 1, &r, 1, 0) : 0;
}

static bool read_all(struct cap *c, u64 addr, void *buf, size_t len)
{
	return vm_read(c->tid, addr, buf, len) == (ssize_t)len;
}

static u32 word_size(const struct cap *c)
{
	return c->r->abi == TRACE_ABI_32 ? 4 : 8;
}

static bool word(struct cap *c, u64 addr, u32 index, u64 *v)
{
	*v = 0;
	return read_all(c, addr + (u64)index * word_size(c), v, word_size(c));
}

/* @len bytes, of which at most @most are taken. */
static bool bytes(struct cap *c, u64 addr, u64 len, u64 most)
{
	u64 n = len < most ? len : most;

	if (n > (u64)(c->end - c->p))
		n = c->end - c->p;
	if (n < len)
		c->cut = true;
	if (!read_all(c, addr, c->p, n))
		return false;
	c->p += n;
	return true;
}

static bool element(struct cap *c, u64 addr, u64 len, u64 most)
{
	u8 *head = c->p;
	u32 n;

	if (c->end - c->p < 8) {
		c->cut = true;
		return true;
	}
	c->p += 4;
	if (!bytes(c, addr, len, most)) {
		c->p = head;
		return false;
	}
	n = c->p - head - 4;
	memcpy(head, &n, 4);
	while ((c->p - head) & 3 && c->p < c->end)
		*c->p++ = 0;
	return true;
}

/* Page by page: the string may end right before memory that is not there. */
static bool string(struct cap *c, u64 addr, u32 limit)
{
	u32 got = 0;

	while (got <= limit) {
		u32 n = 256 - (addr & 255);
		u8 *nul;

		if (n > limit + 1 - got)
			n = limit + 1 - got;
		if (n > (size_t)(c->end - c->p))
			n = c->end - c->p;
		if (!n)
			break;
		if (!read_all(c, addr, c->p, n))
			return false;
		nul = memchr(c->p, 0, n);
		if (nul) {
			c->p = nul;
			return true;
		}
		c->p += n;
		got += n;
		addr += n;
	}
	c->cut = true;
	if (got > limit)
		c->p--;
	return true;
}

static bool buffers(struct cap *c, u64 iov, u64 n, u64 total, u64 limit)
{
	for (u64 i = 0; i < n; i++) {
		u64 base, len;

		if (!word(c, iov, 2 * i, &base) || !word(c, iov, 2 * i + 1, &len))
			return false;
		if (len > total)
			len = total;
		total -= len;
		if (!element(c, base, len, limit))
			return false;
	}
	return true;
}

static bool iovec(struct cap *c, u64 addr, u64 n, u64 total, u64 limit)
{
	u64 k = n < TRACE_MAX_IOV ? n : TRACE_MAX_IOV;

	c->b->orig_len = n;
	c->b->head = k * 2 * word_size(c);
	if (k < n)
		c->cut = true;
	return bytes(c, addr, c->b->head, c->b->head) && buffers(c, addr, k, total, limit);
}

static bool message(struct cap *c, u64 hdr, u64 total, u64 limit)
{
	u64 w[6];

	for (int i = 0; i < 6; i++)
		if (!word(c, hdr, i, &w[i]))
			return false;
	if (w[3] > TRACE_MAX_IOV)
		w[3] = TRACE_MAX_IOV;
	return element(c, w[0], w[0] ? (u32)w[1] : 0, 128) &&
	       element(c, w[2], w[3] * 2 * word_size(c), TRACE_MAX_IOV * 16) &&
	       buffers(c, w[2], w[3], total, limit) && element(c, w[4], w[4] ? w[5] : 0, 512);
}

static bool messages(struct cap *c, u64 addr, u64 n, u64 limit)
{
	u32 size = c->r->abi == TRACE_ABI_32 ? 32 : 64;
	u64 k = n < 8 ? n : 8;

	c->b->orig_len = n;
	c->b->head = k * size;
	if (k < n)
		c->cut = true;
	if (!bytes(c, addr, c->b->head, c->b->head))
		return false;
	for (u64 i = 0; i < k; i++)
		if (!message(c, addr + i * size, ~0ull, limit))
			return false;
	return true;
}

static bool argv(struct cap *c, u64 addr)
{
	u64 p;

	for (u32 i = 0; i < TRACE_MAX_ARGV; i++) {
		if (!word(c, addr, i, &p))
			return false;
		if (!p)
			return true;
		c->b->orig_len = i + 1;
		if (c->end - c->p < 2) {
			c->cut = true;
			return true;
		}
		c->end--; /* the NUL's */
		if (!string(c, p, TRACE_CAPTURE_MAX - 2)) {
			c->end++;
			return false;
		}
		c->end++;
		*c->p++ = 0;
	}
	/* Whether that was all. */
	c->cut = !word(c, addr, TRACE_MAX_ARGV, &p) || p;
	return true;
}

static bool length(struct cap *c, const struct trace_capture *cap, u64 *len)
{
	u32 v = 0;

	switch (cap->len_from) {
	case LEN_RET:
		*len = c->r->ret > 0 ? c->r->ret : 0;
		return true;
	case LEN_ARG:
		*len = c->r->args[cap->len_arg % TRACE_NR_ARGS];
		return true;
	case LEN_DEREF:
		*len = 0;
		if (!c->r->args[cap->len_arg % TRACE_NR_ARGS])
			return true;
		if (!read_all(c, c->r->args[cap->len_arg % TRACE_NR_ARGS], &v, sizeof(v)))
			return false;
		*len = v;
		return true;
	}
	*len = cap->size;
	return true;
}

static bool capture(struct cap *c, const struct trace_capture *cap, u64 addr, u64 len, u64 total)
{
	switch (cap->kind) {
	case CAP_STRING:
		return string(c, addr, cap->size ? cap->size : TRACE_PATH_MAX - 1);
	case CAP_BUFFER:
		return bytes(c, addr, len, cap->size);
	case CAP_SOCKADDR:
		return bytes(c, addr, len, 128);
	case CAP_STRUCT:
		return bytes(c, addr, len, TRACE_CAPTURE_MAX);
	case CAP_ARRAY:
		c->b->orig_len = len;
		return bytes(c, addr, (len < 65536 ? len : 65536) * cap->size, TRACE_CAPTURE_MAX);
	case CAP_FDSET:
		return bytes(c, addr, ((len & 0xffff) + 63) / 64 * 8, TRACE_CAPTURE_MAX);
	case CAP_IOVEC:
		return iovec(c, addr, len, total, cap->size);
	case CAP_MSGHDR:
		c->b->orig_len = 1;
		c->b->head = word_size(c) * 7;
		return bytes(c, addr, c->b->head, c->b->head) && message(c, addr, total, cap->size);
	case CAP_MMSGHDR:
		return messages(c, addr, len, cap->size);
	case CAP_ARGV:
		return argv(c, addr);
	}
	return false;
}

bool capture_vm__add(pid_t tid, const struct trace_capture *cap, int when, struct trace_record *r,
		     u32 room)
{
	struct trace_blob *b = (void *)((u8 *)r + r->size);
	struct cap c = {.tid = tid, .r = r, .b = b};
	u64 addr = r->args[cap->arg % TRACE_NR_ARGS], len, total;
	bool ok;

	if (!addr || r->size + sizeof(*b) + 8 > room)
		return true;
	*b = (struct trace_blob){.arg = cap->arg, .kind = cap->kind, .when = when};
	c.p = (u8 *)(b + 1);
	c.end = (u8 *)r + room - 8;
	total = when == CAP_EXIT && r->ret >= 0 ? (u64)r->ret : ~0ull;
	ok = length(&c, cap, &len);
	if (ok) {
		b->orig_len = len > 0xffffffffull ? 0xffffffff : len;
		ok = capture(&c, cap, addr, len, total);
	}
	if (!ok && cap->when & CAP_OPTIONAL)
		return true;
	if (!ok) {
		c.p = (u8 *)(b + 1);
		b->head = b->orig_len = 0;
		b->status = r->ret == -EFAULT && when != CAP_ENTRY ? BLOB_FAULT : BLOB_UNREADABLE;
	} else {
		b->status = c.cut ? BLOB_CUT : BLOB_OK;
		if (cap->kind == CAP_STRING)
			b->orig_len = c.p - (u8 *)(b + 1) + c.cut;
	}
	b->len = c.p - (u8 *)(b + 1);
	while ((c.p - (u8 *)r) & 7)
		*c.p++ = 0;
	r->size = c.p - (u8 *)r;
	r->nr_blobs++;
	return ok || b->status == BLOB_FAULT;
}

u32 capture_vm__row(pid_t tid, const struct trace_capture_row *row, int when,
		    struct trace_record *r, u32 room)
{
	u32 failed = 0;

	for (u32 i = 0; i < row->nr && i < TRACE_MAX_CAPTURES; i++) {
		const struct trace_capture *cap = &row->cap[i];

		if (!(cap->when & when))
			continue;
		if (when == CAP_EXIT && r->ret < 0 && !(cap->when & CAP_ON_ERROR))
			continue;
		if (!capture_vm__add(tid, cap, when, r, room))
			failed++;
	}
	return failed;
}
