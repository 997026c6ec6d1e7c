/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_accesses.c - shows where the objects of a row are used.
 *
 * With deep stacks, one use is spread over many access contexts. Only the innermost frames are
 * shown, so contexts with the same innermost frames are added up.
 */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/units.h"
#include "render/render.h"

enum { MAX_PLACES = 5 };

struct place {
	struct callstack_hash hash;
	uint32_t jvm, stack; /* of the first one */
	uint64_t uses, pairs, equal;
};

static int compare_hashes(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return callstack_hash_compare(&x->hash, &y->hash);
}

static int compare_uses(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return ORDER(y->uses, x->uses) ?: compare_hashes(a, b);
}

/* Adds up neighbours with equal hashes; returns the number that remain. */
static size_t add_up(struct place *places, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (kept > 0 && compare_hashes(&places[kept - 1], &places[i]) == 0) {
			places[kept - 1].uses += places[i].uses;
			places[kept - 1].pairs += places[i].pairs;
			places[kept - 1].equal += places[i].equal;
		} else {
			places[kept++] = places[i];
		}
	}
	return kept;
}

/* The places, sorted by their uses; NULL if out of memory. */
static struct place *make_places(const struct report *r, const struct row *row, size_t *n)
{
	const struct replica *x = &row->replica;
	struct place *places = calloc(x->naccesses, sizeof *places);

	for (size_t i = 0; places && i < x->naccesses; i++) {
		const struct replica_access *a = &x->accesses[i];
		struct callstack stack;
		if (callstack_resolve(&stack, r->recording->model, a->jvm, a->stack) < 0) {
			free(places);
			return NULL;
		}
		/*
		 * parts of a stack that are not shown, such as flags, must not distinguish places
		 */
		if (stack.n > 0)
			stack.flags = 0;
		places[i] = (struct place){ callstack_hash(&stack, r->access_frames, 0),
					    a->jvm,
					    a->stack,
					    a->uses,
					    a->pairs,
					    a->equal };
		callstack_release(&stack);
	}
	if (!places)
		return NULL;
	qsort(places, x->naccesses, sizeof *places, compare_hashes);
	*n = add_up(places, x->naccesses);
	qsort(places, *n, sizeof *places, compare_uses);
	return places;
}

static int put_place(FILE *out, const struct report *r, const struct style *s,
		     const struct place *p, uint64_t uses)
{
	struct callstack stack;
	char text[UNITS_TEXT];

	if (callstack_resolve(&stack, r->recording->model, p->jvm, p->stack) < 0)
		return -1;
	fprintf(out, "    %5s %% of the uses",
		units_percent(text, uses ? (double)p->uses / (double)uses : 0));
	if (p->pairs)
		fprintf(out, "; value equal in %llu of %llu pair%s", (unsigned long long)p->equal,
			(unsigned long long)p->pairs, p->pairs == 1 ? "" : "s");
	putc('\n', out);
	/* further out, the contexts that were added up differ */
	stack.flags = 0;
	if (stack.n > r->access_frames)
		stack.n = r->access_frames;
	render_stack(out, s, &stack, r->access_frames, "        ");
	callstack_release(&stack);
	return 0;
}

int render_accesses(FILE *out, const struct report *r, const struct style *s, const struct row *row)
{
	uint64_t uses = 0, rest = 0;
	size_t n;
	char text[UNITS_TEXT];

	if (row->replica.naccesses == 0)
		return 0;
	struct place *places = make_places(r, row, &n);
	if (!places)
		return -1;
	for (size_t i = 0; i < n; i++)
		uses += places[i].uses;
	fputs("\n    used at\n", out);
	for (size_t i = 0; i < n; i++) {
		if (i >= MAX_PLACES)
			rest += places[i].uses;
		else if (put_place(out, r, s, &places[i], uses) < 0) {
			free(places);
			return -1;
		}
	}
	if (n > MAX_PLACES && uses)
		fprintf(out, "    %5s %% of the uses at %zu more place%s\n",
			units_percent(text, (double)rest / (double)uses), n - MAX_PLACES,
			n - MAX_PLACES == 1 ? "" : "s");
	free(places);
	return 0;
}
