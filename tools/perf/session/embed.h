/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols carried in the recording (perf record --embed-symbols), so that it is read in full on
 * another machine: names of the kernel code that samples lie in, in the form of /proc/kallsyms, and
 * an excerpt (lib/symbol/excerpt.h) of each file that they lie in.
 *
 * The section: u32 version 1; u32 count of files; u32 length of the kallsyms text, the text; each
 * file: u16 length of its name, u8 bytes of its build id, u8 0, u8 id[20], name, u64 length of the
 * excerpt, the excerpt. Numbers in the recording's byte order; nothing is padded.
 */
#ifndef PERF_SESSION_EMBED_H
#define PERF_SESSION_EMBED_H

#include "lib/symbol/dso.h"
#include "session/session.h"

/*
 * embed__make - reads the recording @path, made on this machine, and puts the section together.
 * With user stacks among the samples, unwind tables are carried as well. *@data is malloc'd. 0 or
 * -errno with @eb.
 */
int embed__make(const char *path, void **data, size_t *size, struct errbuf *eb);

struct embedded;

/* embedded__new - what @s carries; an empty one when that is nothing or malformed (@warn, may be
 * NULL, says so). NULL: no memory. Lives no longer than @s. */
struct embedded *embedded__new(struct perf_session *s, struct errbuf *warn);
void embedded__delete(struct embedded *e);
/*
 * embedded__symbol_conf - sets what the recording tells of files in @conf: build ids of its table,
 * and the excerpts. @e must outlive the dsos that are made with @conf.
 */
void embedded__symbol_conf(struct embedded *e, struct symbol_conf *conf);
/* embedded__kallsyms - a descriptor that reads like /proc/kallsyms did on the recorded machine, for
 * machine_opts.kallsyms_fd; 0: none. */
int embedded__kallsyms(const struct embedded *e);

#endif
