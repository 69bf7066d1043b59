/* SPDX-License-Identifier: GPL-2.0-only */
/* The version, as `perf --version` prints it and as recordings carry it. */
#ifndef PERF_VERSION_H
#define PERF_VERSION_H

#define PERF_VERSION "1.0"

#endif
