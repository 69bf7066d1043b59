// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel writes kallsyms anew for each reader, which takes longer than all else that a small
 * report does. For reading files the part that stays the same from boot to boot and module to
 * module is kept in the user's cache directory, readable by the user alone.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/api/outbuf.h"
#include "lib/api/worker.h"
#include "lib/symbol/cache-dir.h"
#include "lib/symbol/kallsyms.h"

#define PREFIX "kallsyms-"

static int read_small(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = read(fd, buf, size - 1);
	close(fd);
	if (n <= 0)
		return -EIO;
	buf[n] = 0;
	buf[strcspn(buf, "\n")] = 0;
	return 0;
}

static u64 hash_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	u64 h = 0xcbf29ce484222325ULL;
	char buf[65536];
	ssize_t n;

	while (fd >= 0 && (n = read(fd, buf, sizeof(buf))) > 0)
		for (ssize_t i = 0; i < n; i++)
			h = (h ^ (u8)buf[i]) * 0x100000001b3ULL;
	if (fd >= 0)
		close(fd);
	return h;
}

/* The copy's name: of this boot and these modules. */
static int copy_name(char *name, size_t size)
{
	char boot[64];

	if (read_small("/proc/sys/kernel/random/boot_id", boot, sizeof(boot)) || strchr(boot, '/'))
		return -ENOENT;
	snprintf(name, size, PREFIX "%s-%016llx", boot,
		 (unsigned long long)hash_file("/proc/modules"));
	return 0;
}

struct writer {
	struct outbuf ob;
	int (*cb)(const struct kallsyms_symbol *s, void *data);
	void *data;
};

/* One symbol in the copy; behind it the two names, each with its NUL. */
struct record {
	u64 addr;
	u8 type, name_len, module_len;
};

#define MAGIC "perfksy1" /* at both ends: a copy that was cut is none */

/* BPF programs and the kernel's own trampolines come and go. */
static bool lasting(const struct kallsyms_symbol *s)
{
	return s->addr >> 63 && strchr("TtWwDdBb", s->type) && strcmp(s->module, "bpf") &&
	       strncmp(s->module, "__builtin__", 11);
}

static int write_and_pass(const struct kallsyms_symbol *s, void *data)
{
	struct writer *w = data;

	if (lasting(s)) {
		size_t n = strlen(s->name), m = strlen(s->module);
		struct record r = {s->addr, (u8)s->type, (u8)n, (u8)m};

		if (n > UINT8_MAX || m > UINT8_MAX)
			return w->cb(s, w->data);
		outbuf__write(&w->ob, &r, offsetof(struct record, module_len) + 1);
		outbuf__write(&w->ob, s->name, n + 1);
		outbuf__write(&w->ob, s->module, m + 1);
	}
	return w->cb(s, w->data);
}

#define CHUNK 65536
#define MAX_RECORD (sizeof(struct record) + 2 * 256)

static bool is_copy(int fd, u64 *size)
{
	char mark[sizeof(MAGIC)];
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
	    st.st_size < 2 * (off_t)sizeof(MAGIC))
		return false;
	*size = (u64)st.st_size;
	for (int end = 0; end < 2; end++)
		if (pread(fd, mark, sizeof(mark), end ? st.st_size - (off_t)sizeof(mark) : 0) !=
			    sizeof(mark) ||
		    memcmp(mark, MAGIC, sizeof(mark)))
			return false;
	return true;
}

/* The records in @buf, as far as they are whole; what is left moves to the front: its size. */
static size_t pass_records(char *buf, size_t len, bool last,
			   int (*cb)(const struct kallsyms_symbol *s, void *data), void *data,
			   int *err)
{
	const size_t fixed = offsetof(struct record, module_len) + 1;
	char *p = buf;

	while (len > fixed && (last || len >= MAX_RECORD) && !*err) {
		struct kallsyms_symbol s;
		struct record r;
		size_t names;

		memcpy(&r, p, fixed);
		names = (size_t)r.name_len + r.module_len + 2;
		if (len - fixed < names || p[fixed + r.name_len] || p[fixed + names - 1]) {
			*err = -EIO;
			break;
		}
		s.addr = r.addr;
		s.type = (char)r.type;
		s.name = p + fixed;
		s.module = p + fixed + r.name_len + 1;
		*err = cb(&s, data);
		p += fixed + names;
		len -= fixed + names;
	}
	memmove(buf, p, len);
	return len;
}

/* Reads the copy. -EBADMSG, before anything was passed on, when it is not one. */
static int read_copy(int fd, int (*cb)(const struct kallsyms_symbol *s, void *data), void *data)
{
	u64 size, off = sizeof(MAGIC);
	size_t len = 0;
	char *buf;
	int err = 0;

	if (!is_copy(fd, &size))
		return -EBADMSG;
	buf = malloc(CHUNK);
	if (!buf)
		return -ENOMEM;
	size -= sizeof(MAGIC);
	while (off < size && !err) {
		ssize_t n = pread(fd, buf + len, min_t(u64, CHUNK - len, size - off), (off_t)off);

		if (n <= 0)
			break;
		len += (size_t)n;
		off += (u64)n;
		len = pass_records(buf, len, off == size, cb, data, &err);
	}
	free(buf);
	return err;
}

static int read_and_keep(int dir, const char *name,
			 int (*cb)(const struct kallsyms_symbol *s, void *data), void *data)
{
	struct writer w = {.cb = cb, .data = data};
	char tmp[64];
	int fd, err;
	bool ok;

	fd = cache_dir__begin(dir, tmp, sizeof(tmp));
	if (fd < 0)
		return kallsyms__stream("/proc/kallsyms", cb, data);
	if (outbuf__init(&w.ob, fd, 0)) {
		close(fd);
		cache_dir__commit(dir, tmp, name, false);
		return -ENOMEM;
	}
	outbuf__write(&w.ob, MAGIC, sizeof(MAGIC));
	err = kallsyms__stream("/proc/kallsyms", write_and_pass, &w);
	outbuf__write(&w.ob, MAGIC, sizeof(MAGIC));
	ok = !outbuf__flush(&w.ob) && !err;
	ok &= !close(fd);
	outbuf__exit(&w.ob);
	/* a full disk is no reason to fail; earlier boots' copies are of no more use */
	if (!cache_dir__commit(dir, tmp, name, ok))
		cache_dir__drop(dir, PREFIX, 1);
	return err;
}

/* ---- ahead of time ---- */

static pthread_t maker;
static bool making;

static int ignore(const struct kallsyms_symbol *s, void *data)
{
	(void)s, (void)data;
	return 0;
}

static void *make_copy(void *unused)
{
	int dir = cache_dir__open();
	char name[128];

	if (dir < 0)
		return unused;
	if (!copy_name(name, sizeof(name)) && faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) &&
	    kallsyms__restricted("/proc/kallsyms") == 0)
		read_and_keep(dir, name, ignore, NULL);
	close(dir);
	return unused;
}

void kallsyms__prefetch(void)
{
	if (!making)
		making = !worker__start(&maker, make_copy, NULL);
}

void kallsyms__prefetched(void)
{
	if (making)
		pthread_join(maker, NULL);
	making = false;
}

int kallsyms__stream_cached(int (*cb)(const struct kallsyms_symbol *s, void *data), void *data)
{
	int fd, in, err;
	char name[128];

	kallsyms__prefetched();
	fd = cache_dir__open();
	if (fd < 0)
		return kallsyms__stream("/proc/kallsyms", cb, data);
	if (copy_name(name, sizeof(name))) {
		close(fd);
		return kallsyms__stream("/proc/kallsyms", cb, data);
	}
	in = openat(fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	err = in >= 0 ? read_copy(in, cb, data) : -EBADMSG;
	if (err == -EBADMSG)
		err = read_and_keep(fd, name, cb, data);
	if (in >= 0)
		close(in);
	close(fd);
	return err;
}
