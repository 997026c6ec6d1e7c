/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_tree.h - calling contexts as a tree: what several stacks have in common is shown once.
 */
#ifndef OJX_RENDER_TREE_H
#define OJX_RENDER_TREE_H

#include <stddef.h>
#include <stdio.h>

#include "base/style.h"
#include "model/callstack.h"

struct tree_path {
	const struct callstack *stack;
	double share;
};

/*
 * Writes the tree of `n` paths, which it sorts: from the outermost frame in which they differ down
 * to the innermost, the largest shares first. What all of them have in common is left out, but for
 * the innermost frame, and so are the middles of frames that do not branch, if they are longer than
 * `frames`. Each line begins with `indent`.
 */
void render_tree(FILE *out, const struct style *s, struct tree_path *paths, size_t n, size_t frames,
		 const char *indent);

#endif
