/* SPDX-License-Identifier: GPL-2.0-only */
/* Small shared helpers that have no better home: types, sizes, attributes. */
#ifndef PERF_COMPILER_H
#define PERF_COMPILER_H

#include <stddef.h>
#include <stdint.h>

typedef uint64_t u64;
typedef uint32_t u32;
typedef uint16_t u16;
typedef uint8_t u8;
typedef int64_t s64;
typedef int32_t s32;
typedef int16_t s16;
typedef int8_t s8;

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define min_t(type, a, b) ((type)(a) < (type)(b) ? (type)(a) : (type)(b))
#define max_t(type, a, b) ((type)(a) > (type)(b) ? (type)(a) : (type)(b))
#define container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define __unused __attribute__((unused))
#define __printf(f, a) __attribute__((format(printf, f, a)))

#endif
