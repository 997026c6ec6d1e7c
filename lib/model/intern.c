/* SPDX-License-Identifier: Apache-2.0 */
/*
 * intern.c - see intern.h. Most strings come repeatedly from the same address, so they are first
 * looked up by address.
 */
#include "model/intern.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/grow.h"
#include "base/xmalloc.h"

/* The map's values are numbers; 0 would mean a free slot. */
static void *number(size_t id)
{
	return (void *)(uintptr_t)(id + 1);
}

static bool is_number(void *value, uint32_t *id)
{
	*id = (uint32_t)((uintptr_t)value - 1);
	return value != NULL;
}

/* ---- strings ------------------------------------------------------------------------------- */

static uint32_t append_text(struct intern *t, const char *text)
{
	XGROW(t->text, t->ntexts, t->cap, 256);
	t->text[t->ntexts++] = text;
	return (uint32_t)t->ntexts - 1;
}

uint32_t intern_text(struct intern *t, const char *text)
{
	uint64_t seed = 0, hash;
	uint32_t id;

	if (is_number(idmap_get(&t->by_pointer, (uintptr_t)text), &id))
		return id;
	for (;; seed++) { /* the next seed is for different texts with equal hashes */
		hash = XXH3_64bits_withSeed(text, strlen(text), seed);
		if (!is_number(idmap_get(&t->by_text, hash), &id)) {
			id = append_text(t, text);
			xidmap_put(&t->by_text, hash, number(id));
			break;
		}
		if (strcmp(t->text[id], text) == 0)
			break;
	}
	xidmap_put(&t->by_pointer, (uintptr_t)text, number(id));
	return id;
}

/* ---- tables -------------------------------------------------------------------------------- */

static void table_grow(struct intern_table *t)
{
	t->cap = t->cap ? 2 * t->cap : 256;
	for (size_t k = 0; k < t->ncolumns; k++)
		t->column[k] = xreallocarray(t->column[k], t->cap, sizeof *t->column[k]);
}

static bool table_has(const struct intern_table *t, size_t i, const uint32_t *row)
{
	for (size_t k = 0; k < t->ncolumns; k++)
		if (t->column[k][i] != row[k])
			return false;
	return true;
}

/* The number of a row; adds it if it is new. */
static uint32_t table_add(struct intern_table *t, const uint32_t *row)
{
	for (uint64_t seed = 0;; seed++) {
		uint64_t hash = XXH3_64bits_withSeed(row, t->ncolumns * sizeof *row, seed);
		uint32_t id;
		if (!is_number(idmap_get(&t->map, hash), &id)) {
			if (t->n == t->cap)
				table_grow(t);
			for (size_t k = 0; k < t->ncolumns; k++)
				t->column[k][t->n] = row[k];
			xidmap_put(&t->map, hash, number(t->n));
			return (uint32_t)t->n++;
		}
		if (table_has(t, id, row))
			return id;
	}
}

static void table_release(struct intern_table *t)
{
	idmap_release(&t->map);
	for (size_t k = 0; k < INTERN_COLUMNS; k++)
		free(t->column[k]);
}

/* ---- stacks -------------------------------------------------------------------------------- */

static uint32_t add_frame(struct intern *t, const struct model_frame *f)
{
	uint32_t row[FRAME_COLUMNS] = { INTERN_NONE, INTERN_NONE, INTERN_NONE,
					0,	     f->platform, f->own };

	if (f->folded > 0) {
		row[FRAME_LINE] = (uint32_t)f->folded;
		return table_add(&t->frames, row);
	}
	row[FRAME_CLASS] = intern_text(t, f->class_name ? f->class_name : "?");
	row[FRAME_METHOD] = intern_text(t, f->method ? f->method : "?");
	if (f->file)
		row[FRAME_FILE] = intern_text(t, f->file);
	row[FRAME_LINE] = f->line > 0 ? (uint32_t)f->line : 0;
	return table_add(&t->frames, row);
}

/* Whether the line of a stack is the reader's own. */
static bool has_own_line(const struct intern *t, uint32_t node)
{
	uint32_t *const *column = t->nodes.column;

	for (uint32_t line = column[NODE_LINE][node]; line > 0; line--)
		node = column[NODE_PARENT][node];
	return t->frames.column[FRAME_OWN][column[NODE_FRAME][node]];
}

/* The line of a stack whose innermost frame is `frame`, called by the stack `parent`. */
static uint32_t line_below(const struct intern *t, uint32_t parent, uint32_t frame)
{
	bool platform = t->frames.column[FRAME_PLATFORM][frame];
	uint32_t line = parent == INTERN_NONE ? INTERN_NONE : t->nodes.column[NODE_LINE][parent];

	if (t->frames.column[FRAME_OWN][frame] ||
	    (!platform && (line == INTERN_NONE || !has_own_line(t, parent))))
		return 0;
	return line == INTERN_NONE ? INTERN_NONE : line + 1;
}

/* The node of a frame below its parent: two 32-bit numbers, which are the key. */
static uint32_t add_node(struct intern *t, uint32_t parent, uint32_t frame)
{
	uint64_t key = (uint64_t)parent << 32 | frame;
	struct intern_table *nodes = &t->nodes;
	uint32_t id;

	if (is_number(idmap_get(&t->tree, key), &id))
		return id;
	if (nodes->n == nodes->cap)
		table_grow(nodes);
	nodes->column[NODE_PARENT][nodes->n] = parent;
	nodes->column[NODE_FRAME][nodes->n] = frame;
	nodes->column[NODE_LINE][nodes->n] = line_below(t, parent, frame);
	xidmap_put(&t->tree, key, number(nodes->n));
	return (uint32_t)nodes->n++;
}

/* What stands at the root of a stack with these flags. */
static uint32_t root_of(struct intern *t, unsigned flags)
{
	if (!(flags & WIRE_STACK_COUNTED))
		return INTERN_NONE;
	return add_node(t, INTERN_NONE, add_frame(t, &callstack_unread));
}

uint32_t intern_stack(struct intern *t, const struct callstack *stack)
{
	uint32_t node = stack->n > 0 ? root_of(t, stack->flags) : INTERN_NONE;

	for (size_t i = stack->n; i-- > 0;)
		node = add_node(t, node, add_frame(t, &stack->frames[i]));
	return node;
}

/* What is known of the frames of a JVM. */
static uint32_t *known_frames(struct intern *t, const struct model *m, uint32_t jvm)
{
	if (!t->known) {
		t->njvms = model_njvms(m);
		t->known = xcalloc(t->njvms, sizeof *t->known);
	}
	struct intern_known *k = &t->known[jvm - 1];
	if (!k->frame) {
		k->n = model_nframes(m, jvm);
		k->frame = xmallocarray(k->n, sizeof *k->frame);
		for (size_t i = 0; i < k->n; i++)
			k->frame[i] = INTERN_NONE;
	}
	return k->frame;
}

uint32_t intern_stack_id(struct intern *t, const struct model *m, uint32_t jvm, uint32_t stack)
{
	uint64_t key = (uint64_t)jvm << 32 | stack;
	const uint32_t *numbers;
	uint32_t node;
	unsigned flags;

	if (is_number(idmap_get(&t->stacks, key), &node))
		return node;
	size_t n = model_stack_frames(m, jvm, stack, &numbers, &flags);
	if (n == 0)
		return INTERN_NONE;
	if (n > WIRE_MAX_STACK)
		n = WIRE_MAX_STACK;
	node = root_of(t, flags);
	uint32_t *known = known_frames(t, m, jvm);
	while (n-- > 0) {
		uint32_t *frame = &known[numbers[n]];
		if (*frame == INTERN_NONE) {
			struct model_frame resolved = model_frame(m, jvm, numbers[n]);
			*frame = add_frame(t, &resolved);
		}
		node = add_node(t, node, *frame);
	}
	xidmap_put(&t->stacks, key, number(node));
	return node;
}

/* ---- life ---------------------------------------------------------------------------------- */

void intern_init(struct intern *t)
{
	memset(t, 0, sizeof *t);
	t->frames.ncolumns = FRAME_COLUMNS;
	t->nodes.ncolumns = NODE_COLUMNS;
}

void intern_release(struct intern *t)
{
	free(t->text);
	idmap_release(&t->by_text);
	idmap_release(&t->by_pointer);
	idmap_release(&t->tree);
	idmap_release(&t->stacks);
	for (size_t i = 0; i < t->njvms && t->known; i++)
		free(t->known[i].frame);
	free(t->known);
	table_release(&t->frames);
	table_release(&t->nodes);
}
