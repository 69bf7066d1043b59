/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Call stacks as paths in a tree: each distinct stack is one node, shared prefixes are stored once,
 * so that memory grows with the program's call graph and not with the samples. A node is (parent,
 * frame); node 0 is the root, above the outermost frame. Frames are the caller's small integers.
 */
#ifndef PERF_HIST_CALLCTX_H
#define PERF_HIST_CALLCTX_H

#include "compiler.h"

struct callctx;

struct callctx *callctx__new(void); /* NULL: no memory */
void callctx__delete(struct callctx *c);
void callctx__clear(struct callctx *c);
/* callctx__child - the node of @frame called from @parent, made when new; 0 when out of memory (or
 * for ever at 2^32 nodes). */
u32 callctx__child(struct callctx *c, u32 parent, u32 frame);
u32 callctx__parent(const struct callctx *c, u32 node);
u32 callctx__frame(const struct callctx *c, u32 node);
u32 callctx__depth(const struct callctx *c, u32 node); /* frames from @node to the root */
u32 callctx__nr(const struct callctx *c);

#endif
