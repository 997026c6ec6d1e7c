/* SPDX-License-Identifier: Apache-2.0 */
/*
 * values.c - see values.h. Snapshots are sorted by deep content; each content is looked up among
 * the texts.
 */
#include "analyse/replica/values.h"

#include <stdlib.h>

#include "base/order.h"

struct text_seen {
	uint64_t deep;
	double weight;
};

static int compare_texts(const void *a, const void *b)
{
	const struct text_seen *x = a, *y = b;

	return ORDER(x->deep, y->deep);
}

static int compare_values(const void *a, const void *b)
{
	const struct replica_value *x = a, *y = b;

	return ORDER(y->share, x->share) ?: ORDER(x->value->deep, y->value->deep);
}

static const struct model_value *find_in(const struct model_context *c, uint64_t deep)
{
	size_t i = model_value_index(c, deep);

	return i < c->nvalues && c->values[i]->deep == deep ? c->values[i] : NULL;
}

static const struct model_value *find(struct model_context *const *contexts, size_t n,
				      uint64_t deep)
{
	const struct model_value *v = NULL;

	for (size_t i = 0; i < n && !v; i++)
		v = find_in(contexts[i], deep);
	return v;
}

/* Adds the snapshots of a context, scaled to what it allocated. Returns their number. */
static size_t add_texts(struct text_seen *to, const struct model_context *c)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < c->nsnapshots; i++)
		if (c->snapshots[i]->flags & WIRE_DEEP) {
			to[n++] = (struct text_seen){ c->snapshots[i]->deep,
						      c->snapshots[i]->weight };
			sum += c->snapshots[i]->weight;
		}
	for (size_t i = 0; i < n && c->objects > 0 && sum > 0; i++)
		to[i].weight *= c->objects / sum;
	return n;
}

/* Inserts it among the first *n values; the last may drop out. */
static void insert(struct replica_value *values, size_t *n, struct replica_value v)
{
	size_t at = *n;

	while (at > 0 && compare_values(&v, &values[at - 1]) < 0)
		at--;
	if (at >= VALUES_MOST)
		return;
	if (*n < VALUES_MOST)
		++*n;
	for (size_t i = *n - 1; i > at; i--)
		values[i] = values[i - 1];
	values[at] = v;
}

static void rank(struct replica_value *values, size_t *n, const struct text_seen *s, size_t ns,
		 struct model_context *const *contexts, size_t ncontexts)
{
	double all = 0;

	for (size_t i = 0; i < ns; i++)
		all += s[i].weight;
	for (size_t first = 0, next; first < ns; first = next) {
		double weight = 0;
		for (next = first; next < ns && s[next].deep == s[first].deep; next++)
			weight += s[next].weight;
		const struct model_value *v = find(contexts, ncontexts, s[first].deep);
		if (v && all > 0)
			insert(values, n, (struct replica_value){ v, weight / all });
	}
}

int values_rank(struct replica_value **values, size_t *n, struct model_context *const *contexts,
		size_t ncontexts)
{
	size_t snapshots = 0, texts = 0, ns = 0;

	*values = NULL;
	*n = 0;
	for (size_t i = 0; i < ncontexts; i++) {
		snapshots += contexts[i]->nsnapshots;
		texts += contexts[i]->nvalues;
	}
	if (texts == 0 || snapshots == 0)
		return 0;
	struct text_seen *s = calloc(snapshots, sizeof *s);
	*values = calloc(VALUES_MOST, sizeof **values);
	if (!s || !*values) {
		free(s);
		free(*values);
		*values = NULL;
		return -1;
	}
	for (size_t i = 0; i < ncontexts; i++)
		ns += add_texts(s + ns, contexts[i]);
	qsort(s, ns, sizeof *s, compare_texts);
	rank(*values, n, s, ns, contexts, ncontexts);
	free(s);
	return 0;
}
