/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_values.c - texts of strings, by the hash of their content. A text is kept once for each
 * content and context, for the first contents that come. The frequent ones, which a report shows,
 * are among them; a context that makes only distinct strings would have no end. As with evidence,
 * what is kept depends only on the records kept, so the reader of the file gets to the same state
 * as the writer.
 */
#include <string.h>

#include "model/model_parts.h"

size_t model_value_index(const struct model_context *c, uint64_t deep)
{
	size_t low = 0, high = c->nvalues;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (c->values[middle]->deep < deep)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct model_value *make_value(struct model *m, const struct wire_value *w)
{
	struct model_value *v = arena_alloc(&m->values, sizeof *v + w->len + 1);

	if (!v)
		return NULL;
	*v = (struct model_value){ .deep = w->deep, .chars = w->chars, .len = w->len };
	memcpy(v->text, w + 1, w->len);
	v->text[w->len] = '\0';
	return v;
}

static enum model_fed keep_value(struct model *m, struct context *c, size_t at,
				 const struct wire_value *w)
{
	size_t n = c->pub.nvalues;

	if (!ARENA_GROW(&m->memory, c->pub.values, n, c->values_room))
		return MODEL_BAD;
	struct model_value *v = make_value(m, w);
	if (!v)
		return MODEL_BAD;
	struct model_value **to = c->pub.values + at;
	memmove(to + 1, to, (n - at) * sizeof *to);
	*to = v;
	c->pub.nvalues++;
	m->nvalues++;
	return MODEL_KEEP;
}

bool model_has_values(const struct model *m)
{
	return m->nvalues > 0;
}

enum model_fed model_take_value(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct wire_value *w = (const struct wire_value *)rec;

	if (w->len > WIRE_VALUE_TEXT || w->chars > INT32_MAX ||
	    rec->len != sizeof *w + wire_pad(w->len))
		return model_bad();
	struct context *c = model_event_context(m, j, w->context);
	if (!c)
		return MODEL_BAD;
	size_t at = model_value_index(&c->pub, w->deep);
	if (at < c->pub.nvalues && c->pub.values[at]->deep == w->deep)
		return MODEL_DROPPED;
	if (c->pub.nvalues >= MODEL_MAX_VALUES || m->nvalues >= MODEL_MAX_ALL_VALUES)
		return MODEL_DROPPED;
	return keep_value(m, c, at, w);
}
