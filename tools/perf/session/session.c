// SPDX-License-Identifier: GPL-2.0-only
/* Opening and closing a session. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "session/build-id.h"
#include "session/session-internal.h"
#include "session/swap.h"

void session__warn(const struct perf_session *s, const char *fmt, ...)
{
	struct errbuf line; /* escapes what came in with the file's text */
	char buf[sizeof(line.msg)];
	int saved = errno;
	va_list ap;

	if (!s->opts.warn)
		return;
	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	errbuf__set(&line, 0, "%s", buf);
	s->opts.warn(s->opts.ctx, line.msg);
	errno = saved;
}

/* ---- directories: perf record --threads ---- */
#define DIR_MAX_FILES 16384

static int cmp_number(const void *a, const void *b)
{
	const long *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static int list_data_files(const char *path, long **out, int *nr, struct errbuf *eb)
{
	DIR *d = opendir(path);
	struct dirent *de;
	long *list = NULL;
	int n = 0;

	if (!d)
		return errbuf__set(eb, -errno, "cannot read the directory %s: %s", path,
				   strerror(errno));
	while ((de = readdir(d)) && n < DIR_MAX_FILES) {
		long *more;
		char *end;

		if (strncmp(de->d_name, "data.", 5) || !isdigit((unsigned char)de->d_name[5]))
			continue;
		more = realloc(list, (n + 1) * sizeof(*list));
		if (!more)
			break;
		list = more;
		list[n] = strtol(de->d_name + 5, &end, 10);
		if (!*end)
			n++;
	}
	closedir(d);
	if (n)
		qsort(list, n, sizeof(*list), cmp_number);
	*out = list;
	*nr = n;
	return 0;
}

static int check_owner(const char *path, const struct stat *st, bool force, struct errbuf *eb)
{
	if (force || !st->st_uid || st->st_uid == geteuid())
		return 0;
	return errbuf__set(eb, -EPERM,
			   "File %s not owned by current user or root (use -f to override)", path);
}

static int open_dir_files(struct perf_session *s, const char *dir, struct errbuf *eb)
{
	long *list = NULL;
	int nr = 0, err = list_data_files(dir, &list, &nr, eb);

	if (err)
		return err;
	s->dir = calloc(nr ? nr : 1, sizeof(*s->dir));
	for (int i = 0; i < nr && !err && s->dir; i++) {
		struct reader *r = &s->dir[i];
		char path[4096];
		struct stat st;
		int fd;

		snprintf(path, sizeof(path), "%s/data.%ld", dir, list[i]);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0 || fstat(fd, &st)) {
			err = errbuf__set(eb, -errno, "cannot open %s: %s", path, strerror(errno));
			if (fd >= 0)
				close(fd);
			break;
		}
		err = check_owner(path, &st, s->opts.force, eb);
		if (err || reader__init(r, &s->pool, path, fd, true)) {
			close(fd);
			break;
		}
		s->nr_dir++;
		r->swapped = s->rd.swapped;
		reader__set_data(r, 0, UINT64_MAX);
	}
	free(list);
	return err;
}

/* ---- streams ---- */
static int open_stream(struct perf_session *s, struct errbuf *eb)
{
	union {
		struct perf_pipe_header pipe;
		struct perf_file_header file;
	} raw;
	int err = reader__bytes(&s->rd, &raw.pipe, sizeof(raw.pipe), eb);
	u64 size;

	if (err == -ENODATA)
		return errbuf__set(eb, -EBADMSG, "%s: not perf data: fewer than 16 bytes came",
				   s->path);
	if (err)
		return err;
	if (raw.pipe.magic != PERF_MAGIC2 && raw.pipe.magic != PERF_MAGIC2_SWAPPED)
		return errbuf__set(eb, -EBADMSG,
				   "%s: not perf data: it does not begin with PERFILE2", s->path);
	s->rd.swapped = raw.pipe.magic == PERF_MAGIC2_SWAPPED;
	size = s->rd.swapped ? bswap_64(raw.pipe.size) : raw.pipe.size;
	s->version = 1;
	s->hdr.magic = raw.pipe.magic;
	s->hdr.size = size;
	if (size != sizeof(raw.pipe))
		return errbuf__set(eb, -EBADMSG,
				   "%s: a perf.data file cannot be read from a pipe (its header "
				   "points to places in the file); give its name with -i",
				   s->path);
	s->is_pipe = true;
	reader__set_data(&s->rd, sizeof(raw.pipe), UINT64_MAX);
	return 0;
}

/* Of a pipe, what stands in a file's header comes as records; all before the first sample. Files
 * can begin with some, too. */
static int read_preamble(struct perf_session *s, struct errbuf *eb)
{
	for (;;) {
		struct perf_event_header *rec;
		u64 offset;
		int ret = reader__next(&s->rd, &rec, &offset, eb);

		if (ret < 0)
			return ret;
		if (!ret)
			break;
		if (!session__is_header_record(rec->type)) {
			s->peeked = rec;
			s->peeked_offset = offset;
			break;
		}
		if (s->rd.swapped && rec->type != PERF_RECORD_HEADER_ATTR)
			swap_record(rec, NULL);
		if (s->opts.raw) {
			ret = s->opts.raw(s->opts.ctx, s, rec, offset);
			if (ret)
				return errbuf__set(eb, -ECANCELED, "%s: stopped", s->path);
		}
		ret = session__header_record(s, &s->rd, rec, offset, eb);
		if (ret)
			return ret;
	}
	s->header_end = s->peeked ? s->peeked_offset : s->rd.pos;
	/* Features can come before the attrs they describe. */
	if (s->feat[FEAT_EVENT_DESC].present)
		session__take_feature(s, FEAT_EVENT_DESC);
	if (s->feat[FEAT_GROUP_DESC].present)
		session__take_feature(s, FEAT_GROUP_DESC);
	session__events_known(s);
	return 0;
}

/* ---- open ---- */
static int open_path(struct perf_session *s, const char *path, bool *is_dir, struct errbuf *eb)
{
	char inner[4096];
	struct stat st;
	int fd, err;

	if (!strcmp(path, "-")) {
		err = reader__init(&s->rd, &s->pool, path, STDIN_FILENO, false);
		return err ? errbuf__set(eb, err, "no memory") : 0;
	}
	if (!stat(path, &st) && S_ISDIR(st.st_mode)) {
		*is_dir = true;
		snprintf(inner, sizeof(inner), "%s/data", path);
		path = inner;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errbuf__set(eb, -errno, "failed to open %s: %s%s", path, strerror(errno),
				   errno == ENOENT && !strcmp(s->path, "perf.data")
					   ? "  (try 'perf record' first)"
					   : "");
	if (fstat(fd, &st))
		err = errbuf__set(eb, -errno, "cannot stat %s: %s", path, strerror(errno));
	else
		err = check_owner(path, &st, s->opts.force, eb);
	if (!err && S_ISDIR(st.st_mode))
		err = errbuf__set(eb, -EISDIR, "%s is a directory", path);
	if (!err && S_ISREG(st.st_mode) && !st.st_size)
		err = errbuf__set(eb, -ENODATA, "zero-sized data (%s), nothing to do!", path);
	if (!err)
		err = reader__init(&s->rd, &s->pool, path, fd, true);
	if (err)
		close(fd);
	return err;
}

static int open_file(struct perf_session *s, struct errbuf *eb)
{
	struct stat st;
	int err;

	if (fstat(s->rd.fd, &st))
		return errbuf__set(eb, -errno, "cannot stat %s: %s", s->path, strerror(errno));
	s->mtime = st.st_mtime;
	if (!S_ISREG(st.st_mode) || (s->rd.fd == STDIN_FILENO && lseek(s->rd.fd, 0, SEEK_CUR)))
		return open_stream(s, eb);
	err = reader__map(&s->rd, st.st_size);
	if (err)
		return errbuf__set(eb, err, "cannot map %s: %s", s->path, strerror(-err));
	err = session__read_header(s, st.st_size, eb);
	if (!err && s->is_pipe)
		reader__set_data(&s->rd, sizeof(struct perf_pipe_header), st.st_size);
	return err;
}

static const char *default_path(void)
{
	struct stat st;

	if (!fstat(STDIN_FILENO, &st) && S_ISFIFO(st.st_mode))
		return "-";
	return "perf.data";
}

struct perf_session *perf_session__open(const char *path, const struct session_opts *o,
					struct errbuf *eb)
{
	struct perf_session *s = calloc(1, sizeof(*s));
	bool is_dir = false;
	int err = -ENOMEM;

	if (!path)
		path = default_path();
	if (s)
		s->path = strdup(path);
	if (!s || !s->path) {
		errbuf__set(eb, -ENOMEM, "no memory");
		goto failed;
	}
	if (o)
		s->opts = *o;
	s->rd.fd = -1;
	s->id_pos = s->trailer_id_pos = -1;
	s->info.clockid = -1;
	ordered_queue__init(&s->queue);
	err = open_path(s, path, &is_dir, eb);
	if (!err)
		err = open_file(s, eb);
	if (!err)
		err = read_preamble(s, eb);
	if (!err && is_dir)
		err = open_dir_files(s, path, eb);
	if (!err)
		return s;
failed:
	perf_session__delete(s);
	errno = -err;
	return NULL;
}

void perf_session__delete(struct perf_session *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->queue.nr; i++)
		reader__release(&s->rd, s->queue.ent[i].rec);
	ordered_queue__exit(&s->queue);
	for (int i = 0; i < s->nr_events; i++)
		session_event__delete(s->events[i]);
	free(s->events);
	free(s->ids);
	for (int f = 0; f < FEAT_LAST; f++)
		if (s->feat[f].owned)
			free((void *)s->feat[f].data);
	for (u32 i = 0; i < s->nr_strings; i++)
		free(s->strings[i]);
	free(s->strings);
	free((void *)s->info.cmdline);
	free(s->build_ids);
	tep_formats__delete(s->formats);
	for (int i = 0; i < s->nr_dir; i++)
		reader__exit(&s->dir[i]);
	free(s->dir);
	reader__exit(&s->rd);
	chunk_pool__exit(&s->pool);
	free(s->path);
	free(s);
}

/* ---- accessors ---- */
const char *perf_session__path(const struct perf_session *s)
{
	return s->path;
}

bool perf_session__is_pipe(const struct perf_session *s)
{
	return s->is_pipe;
}

bool perf_session__is_swapped(const struct perf_session *s)
{
	return s->rd.swapped;
}

u32 perf_session__version(const struct perf_session *s)
{
	return s->version;
}

struct tep_formats *perf_session__formats(const struct perf_session *s)
{
	return s->formats;
}

/* ---- is it this kernel? ---- */
bool perf_session__kernel_is_ours(const struct perf_session *s, struct errbuf *why)
{
	const struct session_info *i = &s->info;
	struct build_id ours, theirs;
	struct utsname u;

	if (perf_session__build_id(s, "[kernel.kallsyms]", &theirs) && build_id__of_kernel(&ours)) {
		if (ours.size <= theirs.size && !memcmp(ours.data, theirs.data, ours.size))
			return true;
		errbuf__set(why, 0, "%s was recorded on another kernel (%s, its build id differs)",
			    s->path, i->os_release ? i->os_release : "unknown release");
		return false;
	}
	if (uname(&u) || !i->os_release || !i->arch || !i->hostname) {
		errbuf__set(why, 0, "%s does not tell which kernel it was recorded on", s->path);
		return false;
	}
	if (strcmp(u.release, i->os_release) || strcmp(u.machine, i->arch) ||
	    strcmp(u.nodename, i->hostname)) {
		errbuf__set(why, 0, "%s was recorded on another kernel (%s %s on %s)", s->path,
			    i->os_release, i->arch, i->hostname);
		return false;
	}
	return true;
}
