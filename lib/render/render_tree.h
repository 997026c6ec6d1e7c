/* SPDX-License-Identifier: Apache-2.0 */
/* render_tree.h - writes calling contexts as a tree, in which common frames are shown once. */
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
 * Writes the tree of `n` paths, and sorts the paths. It shows the frames from the outermost one in
 * which paths differ to the innermost, with the largest shares first. It leaves out what all paths
 * have in common, except the innermost frame, and the middle of chains that are longer than
 * `frames`. Each line begins with `indent`.
 */
void render_tree(FILE *out, const struct style *s, struct tree_path *paths, size_t n, size_t frames,
		 const char *indent);

#endif
