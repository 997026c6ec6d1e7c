/* SPDX-License-Identifier: Apache-2.0 */
/* line_groups.c - see line_groups.h. */
#include "model/line_groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"

bool line_shows_better(const struct model_context *c, const struct model_context *other)
{
	bool unread = callstack_is_unread(c->model, c->jvm, c->stack_id);

	if (unread != callstack_is_unread(other->model, other->jvm, other->stack_id))
		return !unread;
	return c->bytes > other->bytes;
}

/* The key of a context's line. */
static void line_key(struct callstack_hasher *h, const struct model_context *c,
		     struct callstack_hash *key)
{
	size_t line = callstack_line_of(h->model, c->jvm, c->stack_id);

	if (callstack_hasher_frame(h, c->jvm, c->stack_id, line, line_class_key(c->class, c->jvm),
				   key) < 0)
		out_of_memory();
}

static void add(struct line_groups *to, struct callstack_hasher *h, struct hash_numbers *numbers,
		const struct model_context *c, uint32_t *number)
{
	struct callstack_hash key;
	bool is_new;

	line_key(h, c, &key);
	const XXH128_hash_t hash = { key.low, key.high };
	if (hash_numbers_of(numbers, hash, number, &is_new) < 0)
		out_of_memory();
	struct line_group *line = &to->line[*number];
	if (is_new || line_shows_better(c, line->context))
		line->context = c;
	line->hash = key;
	line->objects += c->objects;
	line->bytes += c->bytes;
}

void line_groups_make(struct line_groups *to, const struct model *m,
		      const struct findings_options *options,
		      bool (*wanted)(const struct model_context *c, const void *arg),
		      const void *arg)
{
	size_t n = model_ncontexts(m);
	struct callstack_hasher hasher;
	struct hash_numbers numbers = HASH_NUMBERS_INIT;

	*to = (struct line_groups){ .line = xcalloc(n, sizeof *to->line),
				    .of = xcalloc(n, sizeof *to->of) };
	memset(to->of, 0xff, n * sizeof *to->of); /* LINE_NONE */
	callstack_hasher_begin(&hasher, m);
	for (size_t i = 0; i < findings_ncontexts(options, m); i++) {
		const struct model_context *c = findings_context(options, m, i);
		if (c->id && wanted(c, arg))
			add(to, &hasher, &numbers, c, &to->of[c->number]);
	}
	callstack_hasher_end(&hasher);
	to->n = numbers.n;
	hash_numbers_release(&numbers);
}

void line_groups_release(struct line_groups *g)
{
	free(g->line);
	free(g->of);
	*g = (struct line_groups){ .n = 0 };
}

void line_group_begin_row(struct finding_row *row, const struct model *m,
			  const struct line_group *line)
{
	const struct model_context *c = line->context;
	const struct model_jvm *jvm = model_jvm(m, c->jvm);

	row->hash = line->hash;
	row->class_name = c->class ? c->class->name : NULL;
	row->pid = jvm ? jvm->info.pid : 0;
	xcallstack_resolve(&row->stack[0], m, c->jvm, c->stack_id);
}
