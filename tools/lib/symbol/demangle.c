// SPDX-License-Identifier: GPL-2.0-only
/* Demangling with a ceiling: a short hostile name can expand to gigabytes, so the output is taken
 * through a callback that leaves as soon as the buffer is full. */
#include <libiberty/demangle.h>
#include <setjmp.h>
#include <string.h>

#include "lib/symbol/demangle.h"

#define MAX_MANGLED 4096

struct sink {
	char *buf;
	size_t len, size;
	jmp_buf full;
};

static void sink__put(const char *s, size_t n, void *opaque)
{
	struct sink *k = opaque;

	if (n >= k->size - k->len)
		longjmp(k->full, 1);
	memcpy(k->buf + k->len, s, n);
	k->len += n;
}

static size_t run(const char *raw, char *buf, size_t size, int options)
{
	struct sink k = {.buf = buf, .size = size};
	int ok;

	if (!size || strnlen(raw, MAX_MANGLED) >= MAX_MANGLED)
		return 0;
	/* libiberty's callbacks keep all state on the stack: leaving by longjmp loses nothing */
	if (setjmp(k.full))
		return 0;
	ok = rust_demangle_callback(raw, options, sink__put, &k);
	if (!ok) {
		k.len = 0;
		ok = cplus_demangle_v3_callback(raw, options, sink__put, &k);
	}
	if (!ok || !k.len)
		return 0;
	buf[k.len] = 0;
	return k.len;
}

size_t demangle(const char *raw, char *buf, size_t size)
{
	return run(raw, buf, size, DMGL_NO_OPTS);
}

size_t demangle_full(const char *raw, char *buf, size_t size)
{
	return run(raw, buf, size, DMGL_PARAMS | DMGL_ANSI);
}
