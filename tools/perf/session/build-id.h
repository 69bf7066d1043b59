/* SPDX-License-Identifier: GPL-2.0-only */
/* Build ids of the running kernel and its modules, out of sysfs. */
#ifndef PERF_SESSION_BUILD_ID_H
#define PERF_SESSION_BUILD_ID_H

#include "lib/symbol/dso.h"

/* build_id__of_notes - the GNU build id among the ELF notes in the file @path; false: none. */
bool build_id__of_notes(const char *path, struct build_id *id);
/* build_id__of_kernel - the running kernel's. */
bool build_id__of_kernel(struct build_id *id);
/* build_id__of_module - of a loaded module: "[ext4]", or the path of its file. */
bool build_id__of_module(const char *path, struct build_id *id);

#endif
