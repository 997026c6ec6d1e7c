/* SPDX-License-Identifier: Apache-2.0 */
/* context_groups.c - see context_groups.h. */
#include "model/context_groups.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
#include "base/xmalloc.h"
#include "model/callstack_hasher.h"

/* Tells each key its group, and counts the contexts of each group. */
static void number(struct context_groups *to, uint32_t *group_of, const struct context_key *keys,
		   size_t n)
{
	struct hash_numbers groups = HASH_NUMBERS_INIT;

	for (size_t i = 0; i < n; i++) {
		const XXH128_hash_t hash = { keys[i].key.low, keys[i].key.high };
		bool is_new;
		group_of[i] = xhash_numbers_of(&groups, hash, &is_new);
		to->group[group_of[i]].key = keys[i].key;
		to->group[group_of[i]].n++;
	}
	to->n = groups.n;
	hash_numbers_release(&groups);
}

static void fill(struct context_groups *to, const uint32_t *group_of,
		 const struct context_key *keys, size_t n)
{
	struct model_context **next = to->contexts;

	for (size_t i = 0; i < to->n; i++) {
		to->group[i].contexts = next;
		next += to->group[i].n;
		to->group[i].n = 0;
	}
	for (size_t i = 0; i < n; i++) {
		struct context_group *group = &to->group[group_of[i]];
		group->contexts[group->n++] = keys[i].context;
	}
}

void context_groups_make(struct context_groups *to, const struct context_key *keys, size_t n)
{
	uint32_t *group_of = xcalloc(n, sizeof *group_of);

	*to = (struct context_groups){ .group = xcalloc(n, sizeof *to->group),
				       .contexts = xcalloc(n, sizeof(struct model_context *)) };
	number(to, group_of, keys, n);
	fill(to, group_of, keys, n);
	free(group_of);
}

void context_groups_release(struct context_groups *groups)
{
	free(groups->group);
	free(groups->contexts);
	*groups = (struct context_groups){ .n = 0 };
}

/* ---- lines ------------------------------------------------------------------------------- */

bool line_shows_better(const struct model_context *c, const struct model_context *other)
{
	bool unread = callstack_is_unread(c->model, c->jvm, c->stack_id);

	if (unread != callstack_is_unread(other->model, other->jvm, other->stack_id))
		return !unread;
	return c->bytes > other->bytes;
}

/* Keys of the contexts that are wanted; *n receives how many there are. */
static struct context_key *list_keys(const struct model *m, const struct findings_options *options,
				     bool (*wanted)(const struct model_context *c, const void *arg),
				     const void *arg, size_t *n)
{
	size_t all = findings_ncontexts(options, m);
	struct context_key *keys = xmallocarray(all, sizeof *keys);
	struct callstack_hasher hasher;

	*n = 0;
	callstack_hasher_begin(&hasher, m);
	for (size_t i = 0; i < all; i++) {
		const struct model_context *c = findings_context(options, m, i);
		if (!c->id || !wanted(c, arg))
			continue;
		size_t line = callstack_line_of(m, c->jvm, c->stack_id);
		keys[*n].context = model_context(m, c->number);
		keys[(*n)++].key = callstack_hasher_frame(&hasher, c->jvm, c->stack_id, line,
							  line_class_key(c->class, c->jvm));
	}
	callstack_hasher_end(&hasher);
	return keys;
}

static struct line_group sum_up(const struct context_group *g)
{
	struct line_group line = { .hash = g->key, .context = g->contexts[0] };

	for (size_t i = 0; i < g->n; i++) {
		const struct model_context *c = g->contexts[i];
		if (line_shows_better(c, line.context))
			line.context = c;
		line.objects += c->objects;
		line.bytes += c->bytes;
	}
	return line;
}

void line_groups_make(struct line_groups *to, const struct model *m,
		      const struct findings_options *options,
		      bool (*wanted)(const struct model_context *c, const void *arg),
		      const void *arg)
{
	size_t n, all = model_ncontexts(m);
	struct context_key *keys = list_keys(m, options, wanted, arg, &n);
	struct context_groups groups;

	context_groups_make(&groups, keys, n);
	free(keys);
	*to = (struct line_groups){ .line = xcalloc(groups.n, sizeof *to->line),
				    .n = (uint32_t)groups.n,
				    .of = xmallocarray(all, sizeof *to->of) };
	memset(to->of, 0xff, all * sizeof *to->of); /* LINE_NONE */
	for (uint32_t i = 0; i < to->n; i++) {
		const struct context_group *g = &groups.group[i];
		to->line[i] = sum_up(g);
		for (size_t k = 0; k < g->n; k++)
			to->of[g->contexts[k]->number] = i;
	}
	context_groups_release(&groups);
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
	row->jvm = c->jvm;
	row->pid = jvm ? jvm->info.pid : 0;
	xcallstack_resolve(&row->stack[0], m, c->jvm, c->stack_id);
}
