/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stability.c - see stability.h. Snapshots are sorted twice: by content, to find those that are
 * alike; by ticket, to find the one of a use.
 */
#include "analyse/replica/stability.h"

#include <stdlib.h>
#include <string.h>

#include "analyse/replica/dedup.h"
#include "analyse/replica/in_constructor.h"
#include "analyse/replica/observations.h"
#include "stats/weighed.h"

struct seen {
	uint64_t content,
		epoch; /* epoch and JVM if references make it comparable only there, else 0 */
	uint32_t array_length, context, ticket;
	bool alike; /* with another one */
	/* one of these two */
	const struct model_snapshot *snapshot;
	const struct model_use *use;
};

static int compare_contents(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	if (x->content != y->content)
		return x->content < y->content ? -1 : 1;
	if (x->epoch != y->epoch)
		return x->epoch < y->epoch ? -1 : 1;
	return x->array_length < y->array_length ? -1 : x->array_length > y->array_length;
}

static int compare_tickets(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	if (x->context != y->context)
		return x->context < y->context ? -1 : 1;
	return x->ticket < y->ticket ? -1 : x->ticket > y->ticket;
}

/*
 * ---- snapshots ---------------------------------------------------------------------------------
 */

/* An object that was hashed in part, or whose identity is needed, is alike with none. */
static bool may_be_alike(const struct model_snapshot *l, bool deep)
{
	if (l->flags & (WIRE_HASHED | WIRE_LOCKED))
		return false;
	if (deep)
		return (l->flags & WIRE_DEEP) && !(l->flags & WIRE_DEEP_CUT);
	return !(l->flags & WIRE_PARTIAL);
}

static size_t add_snapshots(struct seen *to, const struct model_context *c, uint32_t context,
			    bool deep)
{
	unsigned refs = deep ? WIRE_DEEP_REFS : WIRE_REFS;
	size_t n = 0;

	for (size_t i = 0; i < c->nsnapshots; i++) {
		const struct model_snapshot *l = c->snapshots[i];
		if (!may_be_alike(l, deep))
			continue;
		to[n++] = (struct seen){
			.content = deep ? l->deep : l->content,
			.epoch = (l->flags & refs) ? (uint64_t)c->jvm << 32 | l->epoch : 0,
			.array_length = l->array_length,
			.context = context,
			.ticket = l->ticket,
			.snapshot = l,
		};
	}
	return n;
}

static void mark_alike(struct seen *s, size_t n)
{
	qsort(s, n, sizeof *s, compare_contents);
	for (size_t i = 1; i < n; i++)
		if (compare_contents(&s[i - 1], &s[i]) == 0)
			s[i - 1].alike = s[i].alike = true;
}

/* The snapshots of all contexts, by ticket; NULL if out of memory. */
static struct seen *gather(struct model_context *const *contexts, size_t ncontexts, bool deep,
			   size_t *n)
{
	size_t all = 0;

	*n = 0;
	for (size_t i = 0; i < ncontexts; i++)
		all += contexts[i]->nsnapshots;
	struct seen *s = malloc((all ? all : 1) * sizeof *s);
	if (!s)
		return NULL;
	for (size_t i = 0; i < ncontexts; i++)
		*n += add_snapshots(s + *n, contexts[i], (uint32_t)i, deep);
	mark_alike(s, *n);
	qsort(s, *n, sizeof *s, compare_tickets);
	return s;
}

/* ---- uses ---------------------------------------------------------------------------------- */

/* The snapshot of the object of a use; NULL if there is none. */
static const struct seen *find(const struct seen *s, size_t n, uint32_t context,
			       const struct model_use *u)
{
	struct seen key = { .context = context, .ticket = u->ticket };
	const struct seen *at = bsearch(&key, s, n, sizeof *s, compare_tickets);

	/* tickets are random, so two objects can have the same */
	return at && at->snapshot->epoch == u->epoch &&
			       at->snapshot->array_length == u->array_length
		       ? at
		       : NULL;
}

static bool is_same(const struct model_snapshot *l, const struct model_use *u)
{
	return l->content == u->content && !(l->flags & WIRE_CHANGED);
}

/* If allocations were not counted, all objects have the same size. */
static double bytes_of(const struct model_context *c, uint32_t array_length)
{
	double bytes = observations_object_bytes(c, array_length);

	return bytes > 0 ? bytes : 1;
}

/* The share of what is the same, by objects and bytes. */
struct sums {
	struct weighed objects, bytes;
};

static void add(struct sums *to, const struct model_context *c, const struct model_use *use,
		bool same)
{
	weighed_add(&to->objects, use->weight, same);
	weighed_add(&to->bytes, use->weight * bytes_of(c, use->array_length), same);
}

/* Of the objects that are alike at the end, those that were the same when used. */
static void compare_ends(struct stability *u, struct model_context *const *contexts, size_t n,
			 const struct seen *seen, size_t nseen, double z)
{
	struct sums sums = { .objects = { .all = 0 } };

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < contexts[i]->nuses; k++) {
			const struct model_use *use = contexts[i]->uses[k];
			const struct seen *s = use->flags & WIRE_SAMPLED
						       ? NULL
						       : find(seen, nseen, (uint32_t)i, use);
			if (!s || !s->alike)
				continue;
			bool same = is_same(s->snapshot, use);
			if (!same && in_constructor_use(contexts[i], use))
				continue;
			u->seen++;
			u->same += same;
			add(&sums, contexts[i], use, same);
		}
	u->objects = weighed_exact(&sums.objects, z);
	u->bytes = weighed_exact(&sums.bytes, z);
	u->number = weighed_number(&sums.bytes);
	u->share = weighed_share(&sums.bytes);
}

/* ---- objects that are alike when used ------------------------------------------------------ */

static size_t add_uses(struct seen *to, const struct model_context *c, uint32_t context)
{
	size_t n = 0;

	for (size_t i = 0; i < c->nuses; i++) {
		const struct model_use *u = c->uses[i];
		if ((u->flags & (WIRE_PARTIAL | WIRE_SAMPLED)) || in_constructor_use(c, u))
			continue;
		to[n++] = (struct seen){
			.content = u->content,
			.epoch = u->flags & WIRE_REFS ? (uint64_t)c->jvm << 32 | u->epoch : 0,
			.array_length = u->array_length,
			.context = context,
			.ticket = u->ticket,
			.use = u,
		};
	}
	return n;
}

/* Of these, those that are the same at the end. */
static int compare_uses(struct stability *u, struct model_context *const *contexts, size_t n,
			const struct seen *seen, size_t nseen)
{
	struct sums sums = { .objects = { .all = 0 } };
	size_t all = 0, nuses = 0;

	for (size_t i = 0; i < n; i++)
		all += contexts[i]->nuses;
	struct seen *uses = malloc((all ? all : 1) * sizeof *uses);
	if (!uses)
		return -1;
	for (size_t i = 0; i < n; i++)
		nuses += add_uses(uses + nuses, contexts[i], (uint32_t)i);
	mark_alike(uses, nuses);
	for (size_t i = 0; i < nuses; i++) {
		const struct seen *s = find(seen, nseen, uses[i].context, uses[i].use);
		if (s && uses[i].alike)
			add(&sums, contexts[uses[i].context], uses[i].use,
			    is_same(s->snapshot, uses[i].use));
	}
	u->used_number = weighed_number(&sums.bytes);
	u->used_share = weighed_share(&sums.bytes);
	free(uses);
	return 0;
}

int stability_measure(struct stability *u, struct model_context *const *contexts, size_t n,
		      bool deep, double z)
{
	size_t nseen;
	struct seen *seen = gather(contexts, n, deep, &nseen);

	*u = (struct stability){ .seen = 0 };
	if (!seen)
		return -1;
	compare_ends(u, contexts, n, seen, nseen, z);
	int result = deep ? 0 : compare_uses(u, contexts, n, seen, nseen);
	free(seen);
	return result;
}

/* Final classes whose objects never change, as far as anybody can see. */
static bool is_value(const char *name)
{
	static const char *const names[] = {
		"java.lang.String", "java.lang.Integer",   "java.lang.Long",	"java.lang.Short",
		"java.lang.Byte",   "java.lang.Character", "java.lang.Boolean", "java.lang.Float",
		"java.lang.Double", "java.lang.Class",
	};

	for (size_t i = 0; name && i < sizeof names / sizeof names[0]; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

bool stability_is_immutable_below(const struct model_class *class)
{
	if (dedup_applies(class))
		return true;
	if (!class || class->is_array || !class->name || class->name[0] == '(')
		return false;
	for (uint32_t i = 0; i < class->nfields; i++) {
		const struct model_field *f = &class->fields[i];
		if ((f->type == 'L' || f->type == '[') && !is_value(f->class_name))
			return false;
	}
	return true;
}
