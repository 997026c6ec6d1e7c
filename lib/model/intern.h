/* SPDX-License-Identifier: Apache-2.0 */
/*
 * intern.h - numbers strings, frames and stacks from 0; each is kept once.
 *
 * Stacks are the nodes of a tree whose root is the outermost frame: a node is a frame called from
 * its parent. A parent's number is lower than those of its children. The stacks of a program share
 * most of their frames, so the tree is small. It is also what a flame graph shows. The root of a
 * stack whose callers were not read is callstack_unread. Memory is as xmalloc.h says.
 */
#ifndef OJX_INTERN_H
#define OJX_INTERN_H

#include <stddef.h>
#include <stdint.h>

#include "base/idmap.h"
#include "model/callstack.h"

#define INTERN_NONE UINT32_MAX

/* Arrays of numbers that grow together: the columns of a table. */
enum { INTERN_COLUMNS = 6 };
struct intern_table {
	struct idmap map; /* hash of a row: its number + 1 */
	uint32_t *column[INTERN_COLUMNS];
	size_t n, cap, ncolumns;
};

/*
 * Columns of the tables. A folded frame has the class INTERN_NONE, and its line is the number of
 * frames that repeat. An unknown file is INTERN_NONE, an unknown line 0. FRAME_PLATFORM is 1 for
 * code of the platform, FRAME_OWN for what the reader calls their own. NODE_LINE is callstack_line
 * of the stack, or INTERN_NONE if all its frames belong to the platform.
 */
enum {
	FRAME_CLASS,
	FRAME_METHOD,
	FRAME_FILE,
	FRAME_LINE,
	FRAME_PLATFORM,
	FRAME_OWN, /* not in a page, which has the lines */
	FRAME_COLUMNS
};
enum { NODE_PARENT, NODE_FRAME, NODE_LINE, NODE_COLUMNS };

/* Frames of a JVM, by the model's numbers. */
struct intern_known {
	uint32_t *frame; /* INTERN_NONE: not known yet */
	size_t n;
};

struct intern {
	const char **text; /* of the strings; owned by others */
	size_t ntexts, cap;
	struct idmap by_text, by_pointer;
	struct intern_table frames, nodes;
	struct idmap tree;	    /* parent and frame: node + 1 */
	struct idmap stacks;	    /* JVM and stack: node + 1 */
	struct intern_known *known; /* by JVM - 1 */
	size_t njvms;
};

/* An empty table. Release with intern_release. */
void intern_init(struct intern *t);
void intern_release(struct intern *t);

/* The number of a string, which must stay unchanged as long as the table lives. */
uint32_t intern_text(struct intern *t, const char *text);

/* The node of a stack's innermost frame; INTERN_NONE for an empty one. */
uint32_t intern_stack(struct intern *t, const struct callstack *stack);

/* The same for a stack of the model; each frame is resolved once. */
uint32_t intern_stack_id(struct intern *t, const struct model *m, uint32_t jvm, uint32_t stack);

#endif
