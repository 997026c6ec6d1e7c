/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_population.c - windows (wire_population.h): the objects that they begin with, by context;
 * in how many of them a content was found; and what was walked of each class.
 *
 * Windows of a context are kept like looks, by tickets and thresholds (model_evidence.c), with a
 * cap of their own. Contents are those of objects that windows begin with, so that their number
 * grows as these do; beyond a bound new ones are not kept, and the objects that have them are taken
 * for unknown.
 */
#include <math.h>
#include <stdlib.h>

#include "model/model_parts.h"

/* ---- windows ----------------------------------------------------------------------------- */

void model_sift_windows(struct model *m, struct context *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->pub.nwindows; i++)
		if (c->pub.windows[i].ticket < c->window_threshold)
			c->pub.windows[n++] = c->pub.windows[i];
	m->nwindows -= c->pub.nwindows - n;
	c->pub.nwindows = n;
}

static void thin(struct model *m, struct context *c)
{
	while (c->pub.nwindows > m->window_cap) {
		c->window_threshold /= 2;
		model_sift_windows(m, c);
	}
}

static void thin_all(struct model *m)
{
	while (m->nwindows > MODEL_MAX_WINDOWS && m->window_cap > MODEL_FEW_WINDOWS) {
		m->window_cap /= 2;
		for (size_t i = 0; i < m->ncontexts; i++)
			thin(m, m->contexts[i]);
	}
}

static bool window_ok(const struct wire_window *w)
{
	return w->array_length <= INT32_MAX && model_weight_ok(w->weight, 1) && w->spacing >= 0 &&
	       w->spacing <= (double)MODEL_MAX_SIZE && w->alone >= 0 && w->alone <= 1;
}

enum model_fed model_take_window(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct wire_window *w = (const struct wire_window *)rec;

	if (!window_ok(w))
		return model_bad();
	struct context *c = model_event_context(m, j, w->context);
	if (!c)
		return MODEL_BAD;
	if (w->ticket >= c->window_threshold || model_lacks(m, j, w->context))
		return MODEL_DROPPED;
	void *windows = model_grow(c->pub.windows, (uint32_t)c->pub.nwindows, &c->windows_room,
				   sizeof *c->pub.windows);
	if (!windows)
		return MODEL_BAD;
	c->pub.windows = windows;
	c->pub.windows[c->pub.nwindows++] = (struct model_window){
		.key = w->key,
		.weight = w->weight,
		.spacing = w->spacing,
		.alone = w->alone,
		.array_length = w->array_length,
		.ticket = w->ticket,
		.block = w->block,
		.flags = w->flags | (m->outside ? MODEL_OUTSIDE : 0),
	};
	m->nwindows++;
	thin(m, c);
	thin_all(m);
	return MODEL_KEEP;
}

/* ---- contents ---------------------------------------------------------------------------- */

enum model_fed model_take_content(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct wire_content *w = (const struct wire_content *)rec;
	uint32_t *windows = idmap_get(&j->contents, w->key);

	if (!windows) {
		if (j->contents.count >= MODEL_MAX_CONTENTS)
			return MODEL_DROPPED;
		windows = arena_alloc(&m->memory, sizeof *windows);
		if (!windows || idmap_put(&j->contents, w->key, windows) < 0)
			return MODEL_BAD;
		*windows = 0;
	}
	*windows = w->windows;
	return MODEL_KEEP;
}

uint32_t model_content_windows(const struct model *m, uint32_t jvm, uint64_t key)
{
	const uint32_t *windows =
		jvm >= 1 && jvm <= m->njvms ? idmap_get(&m->jvms[jvm - 1]->contents, key) : NULL;

	return windows && *windows > 1 ? *windows : 1;
}

bool model_contents_full(const struct model *m, uint32_t jvm)
{
	return jvm >= 1 && jvm <= m->njvms &&
	       m->jvms[jvm - 1]->contents.count >= MODEL_MAX_CONTENTS;
}

/* ---- classes ----------------------------------------------------------------------------- */

enum model_fed model_take_population(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct wire_population *w = (const struct wire_population *)rec;
	uint64_t key = (uint64_t)w->class_id + 1;
	struct model_population *p = idmap_get(&j->populations, key);

	if (w->objects > MODEL_MAX_COUNT || w->bytes > MODEL_MAX_COUNT)
		return model_bad();
	if (!p) {
		if (j->populations.count >= MODEL_MAX_POPULATIONS)
			return MODEL_DROPPED;
		p = arena_alloc(&m->memory, sizeof *p);
		if (!p || idmap_put(&j->populations, key, p) < 0)
			return MODEL_BAD;
	}
	*p = (struct model_population){ w->windows, w->objects, w->bytes };
	return MODEL_KEEP;
}

const struct model_population *model_population(const struct model *m, uint32_t jvm,
						uint32_t class_id)
{
	return jvm >= 1 && jvm <= m->njvms
		       ? idmap_get(&m->jvms[jvm - 1]->populations, (uint64_t)class_id + 1)
		       : NULL;
}
