/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stability.c - see stability.h. Snapshots are sorted twice: by content, to find those that are
 * alike; by ticket, to find the one of a use.
 */
#include "analyse/replica/stability.h"

#include <stdlib.h>
#include <string.h>

#include "analyse/replica/dedup.h"
#include "analyse/replica/observations.h"
#include "base/sort.h"
#include "base/xmalloc.h"
#include "stats/weighed.h"

bool in_constructor_use(const struct model_context *context, const struct model_use *use)
{
	struct model_frame frame;
	unsigned flags;

	if (!context->model || !context->class || !context->class->name ||
	    model_stack(context->model, context->jvm, use->access, &frame, 1, &flags) == 0)
		return false;
	return frame.method && strcmp(frame.method, "<init>") == 0 && frame.class_name &&
	       strcmp(frame.class_name, context->class->name) == 0;
}

bool in_construction(const struct model_context *context, const struct model_use *use)
{
	const uint32_t *numbers;
	unsigned flags;
	size_t n = context->model && context->class && context->class->name
			   ? model_stack_frames(context->model, context->jvm, use->access, &numbers,
						&flags)
			   : 0;

	for (size_t i = 0; i < n; i++) {
		struct model_frame frame = model_frame(context->model, context->jvm, numbers[i]);
		if (frame.method && strcmp(frame.method, "<init>") == 0 && frame.class_name &&
		    strcmp(frame.class_name, context->class->name) == 0)
			return true;
	}
	return false;
}

bool in_constructor_reference(const struct model_context *context, const struct model_use *use)
{
	const struct model_class *class = context->class;

	if (!class || !class->fields || use->position >= class->nfields)
		return false;
	char type = class->fields[use->position].type;
	return (type == 'L' || type == '[') && in_constructor_use(context, use);
}

struct seen {
	uint64_t content,
		epoch; /* epoch and JVM if references make it comparable only there, else 0 */
	uint32_t array_length, context, ticket;
	bool alike;			       /* with another one */
	const struct model_snapshot *snapshot; /* NULL: of a use */
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

SORT_DEFINE(sort_contents, struct seen, compare_contents)

static int compare_tickets(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	if (x->context != y->context)
		return x->context < y->context ? -1 : 1;
	return x->ticket < y->ticket ? -1 : x->ticket > y->ticket;
}

SORT_DEFINE(sort_tickets, struct seen, compare_tickets)

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

/*
 * Adds the snapshots that can be compared with others or, if not `comparable`, those that cannot.
 */
static size_t add_snapshots(struct seen *to, const struct model_context *c, uint32_t context,
			    bool deep, bool comparable)
{
	unsigned refs = deep ? WIRE_DEEP_REFS : WIRE_REFS;
	size_t n = 0;

	for (size_t i = 0; i < c->nsnapshots; i++) {
		const struct model_snapshot *l = c->snapshots[i];
		if (may_be_alike(l, deep) != comparable)
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
	sort_contents(s, n);
	for (size_t i = 1; i < n; i++)
		if (compare_contents(&s[i - 1], &s[i]) == 0)
			s[i - 1].alike = s[i].alike = true;
}

/*
 * Lists the snapshots of all contexts by ticket: those that can be compared with others and, if
 * `whole`, also the rest.
 */
static struct seen *gather(struct model_context *const *contexts, size_t ncontexts, bool deep,
			   bool whole, size_t *n)
{
	size_t all = 0;

	*n = 0;
	for (size_t i = 0; i < ncontexts; i++)
		all += contexts[i]->nsnapshots;
	struct seen *s = xmallocarray(all, sizeof *s);
	for (size_t i = 0; i < ncontexts; i++)
		*n += add_snapshots(s + *n, contexts[i], (uint32_t)i, deep, true);
	mark_alike(s, *n);
	for (size_t i = 0; i < ncontexts && whole; i++)
		*n += add_snapshots(s + *n, contexts[i], (uint32_t)i, deep, false);
	sort_tickets(s, *n);
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

/* Whether snapshot and use both show what is to be compared. */
static bool is_known(const struct model_snapshot *l, const struct model_use *u,
		     enum stability_of of)
{
	return of != STABILITY_DEEP || !(u->flags & WIRE_REFS) || u->flags & WIRE_DEEP ||
	       l->content != u->content;
}

static bool is_same(const struct model_snapshot *l, const struct model_use *u, enum stability_of of)
{
	if (l->content != u->content || l->flags & WIRE_CHANGED)
		return false;
	if (of != STABILITY_DEEP || !(u->flags & WIRE_REFS))
		return true;
	return l->deep == u->deep && !(u->flags & WIRE_DEEP_CUT);
}

/* If allocations were not counted, all objects have the same size. */
static double bytes_of(const struct model_context *c, uint32_t array_length)
{
	double bytes = observations_object_bytes(c, array_length);

	return bytes > 0 ? bytes : 1;
}

static bool may_be_alike_used(const struct model_context *c, const struct model_use *u)
{
	return !(u->flags & (WIRE_PARTIAL | WIRE_SAMPLED)) && !in_constructor_use(c, u);
}

static struct seen seen_used(const struct model_context *c, const struct model_use *u)
{
	return (struct seen){
		.content = u->content,
		.epoch = u->flags & WIRE_REFS ? (uint64_t)c->jvm << 32 | u->epoch : 0,
		.array_length = u->array_length,
	};
}

/* The uses of all contexts, by content. */
struct used {
	struct seen *seen;
	size_t n;
};

static struct used list_uses(struct model_context *const *contexts, size_t n)
{
	struct used used = { .n = 0 };
	size_t all = 0;

	for (size_t i = 0; i < n; i++)
		all += contexts[i]->nuses;
	used.seen = xmallocarray(all, sizeof *used.seen);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < contexts[i]->nuses; k++)
			if (may_be_alike_used(contexts[i], contexts[i]->uses[k]))
				used.seen[used.n++] = seen_used(contexts[i], contexts[i]->uses[k]);
	mark_alike(used.seen, used.n);
	return used;
}

/* Counts uses of objects that are alike with another object: at the end, or when used. */
struct compared {
	const struct seen *seen;
	size_t nseen;
	const struct used *used; /* NULL: alike at the end */
	enum stability_of of;
	uint64_t differing; /* positions at which some use differed, as bits */
	uint64_t n, same;
	struct weighed objects, bytes;
};

static bool is_alike(const struct compared *p, const struct seen *at_end,
		     const struct model_context *c, const struct model_use *u)
{
	if (!p->used)
		return at_end->alike;
	if (!may_be_alike_used(c, u))
		return false;
	struct seen key = seen_used(c, u);
	const struct seen *found =
		bsearch(&key, p->used->seen, p->used->n, sizeof key, compare_contents);
	return found && found->alike;
}

/*
 * The bit of a position. All elements share one, since few uses are of the same; so do fields from
 * 63 on.
 */
static uint64_t position_bit(const struct model_context *c, const struct model_use *u)
{
	bool array = !c->class || c->class->is_array;

	return UINT64_C(1) << (array || u->position > 62 ? 63 : u->position);
}

/*
 * Whether a use of context `i` tells if its object stayed the same, which *same receives. A
 * difference seen in a constructor tells nothing: the object was still being made, and so was what
 * it refers to.
 */
static bool compare_use(const struct compared *p, const struct model_context *c, uint32_t i,
			const struct model_use *u, bool *same)
{
	if (u->flags & WIRE_SAMPLED)
		return false;
	const struct seen *s = find(p->seen, p->nseen, i, u);
	if (!s || !is_alike(p, s, c, u) || !is_known(s->snapshot, u, p->of))
		return false;
	*same = is_same(s->snapshot, u, p->of);
	return (*same && p->of != STABILITY_DEEP) || !in_constructor_use(c, u);
}

static void count_uses(struct compared *p, const struct model_context *c, uint32_t i)
{
	for (size_t k = 0; k < c->nuses; k++) {
		bool same;
		if (!compare_use(p, c, i, c->uses[k], &same))
			continue;
		p->n++;
		p->same += same;
		if (!same)
			p->differing |= position_bit(c, c->uses[k]);
	}
}

/*
 * A use is the first load of one field. Other fields may have been loaded earlier. An object that
 * changes between such loads looks the same from the later load on. So the share that never changed
 * is at most that of each single field. If uses of some fields differed, only uses of these fields
 * count.
 */
static void weigh_uses(struct compared *p, const struct model_context *c, uint32_t i)
{
	for (size_t k = 0; k < c->nuses; k++) {
		const struct model_use *u = c->uses[k];
		bool same;
		if (!compare_use(p, c, i, u, &same) ||
		    (p->differing && !(p->differing & position_bit(c, u))))
			continue;
		weighed_add(&p->objects, u->weight, same);
		weighed_add(&p->bytes, u->weight * bytes_of(c, u->array_length), same);
	}
}

static void compare(struct compared *p, struct model_context *const *contexts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		count_uses(p, contexts[i], (uint32_t)i);
	for (size_t i = 0; i < n; i++)
		weigh_uses(p, contexts[i], (uint32_t)i);
}

static void compare_used(struct stability *u, struct compared *p,
			 struct model_context *const *contexts, size_t n)
{
	struct used used = list_uses(contexts, n);

	p->used = &used;
	compare(p, contexts, n);
	p->used = NULL;
	u->used_number = weighed_number(&p->bytes);
	u->used_share = weighed_share(&p->bytes);
	free(used.seen);
}

void stability_measure(struct stability *u, struct model_context *const *contexts, size_t n,
		       enum stability_of of, double z)
{
	struct compared p = { .of = of };
	struct seen *seen = gather(contexts, n, of != STABILITY_OWN, false, &p.nseen);

	*u = (struct stability){ .seen = 0 };
	p.seen = seen;
	struct compared q = p;
	compare(&p, contexts, n);
	u->seen = p.n;
	u->same = p.same;
	u->objects = weighed_exact(&p.objects, z);
	u->bytes = weighed_exact(&p.bytes, z);
	u->number = weighed_number(&p.bytes);
	u->share = weighed_share(&p.bytes);
	if (of == STABILITY_OWN)
		compare_used(u, &q, contexts, n);
	free(seen);
}

/* ---- all objects --------------------------------------------------------------------------- */

/* Whether a use of context `i` tells what became of its object; *to receives that. */
static bool see_use(struct stability_use *to, const struct seen *seen, size_t nseen,
		    const struct model_context *c, uint32_t i, const struct model_use *u)
{
	const struct seen *s = u->flags & WIRE_SAMPLED ? NULL : find(seen, nseen, i, u);

	if (!s)
		return false;
	to->bytes = u->weight * bytes_of(c, u->array_length);
	to->same = is_same(s->snapshot, u, STABILITY_OWN);
	return to->bytes > 0 && (to->same || !in_construction(c, u));
}

struct stability_use *stability_list(struct model_context *const *contexts, size_t ncontexts,
				     size_t *n)
{
	size_t all = 0, nseen;
	struct seen *seen = gather(contexts, ncontexts, false, true, &nseen);

	*n = 0;
	for (size_t i = 0; i < ncontexts; i++)
		all += contexts[i]->nuses;
	struct stability_use *list = xmallocarray(all + 1, sizeof *list);
	for (size_t i = 0; i < ncontexts; i++)
		for (size_t k = 0; k < contexts[i]->nuses; k++)
			*n += see_use(&list[*n], seen, nseen, contexts[i], (uint32_t)i,
				      contexts[i]->uses[k]);
	free(seen);
	return list;
}

/* ---- classes ------------------------------------------------------------------------------- */

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
