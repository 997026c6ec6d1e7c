/* SPDX-License-Identifier: Apache-2.0 */
/* advice.c - see advice.h. Collects the facts that rules use, and finds the rule. */
#include "fix/advice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/style.h"
#include "base/xmalloc.h"
#include "fix/telling_slots.h"
#include "model/callstack.h"

/* ---- a row's advice for programs: {"rule", "problem", "fix"}, or null. */

static void put_sentence(struct json_text *t, const char *name, const struct row *row,
			 const char *sentence)
{
	const struct style style = { .utf8 = true };

	advice_put(json_text_begin_string(t), &style, row, sentence);
	json_text_end_string(t, name);
}

void advice_json(struct json_text *t, const struct row *row)
{
	const struct advice *advice = row_advice(row);

	if (!advice) {
		json_text_null(t, "advice");
		return;
	}
	json_text_open(t, "advice", '{');
	json_text_string(t, "rule", advice->rule->name);
	put_sentence(t, "problem", row, advice->rule->problem);
	put_sentence(t, "fix", row, advice->rule->fix);
	json_text_close(t, '}');
}

/* ---- facts --------------------------------------------------------------------------------- */

/* Sums over snapshots, by weight. */
struct sums {
	uint32_t depth; /* a slot, as a bit: telling_slots.h */
	double all, zero, traced;
	double filled, empty;		   /* of those of which it is known how full they were */
	const struct model_snapshot *deep; /* the first one with what it refers to */
	bool differ;			   /* another one is not equal to that */
};

static void add_snapshot(struct sums *sums, const struct model_snapshot *l)
{
	const struct wire_fill *fill = model_snapshot_fill(l);
	int zeros = __builtin_popcount(l->zeros);

	sums->all += l->weight;
	sums->zero += l->nslots ? l->weight * zeros / l->nslots : 0;
	if (fill && fill->kind != WIRE_FILL_ARRAY) {
		sums->filled += l->weight;
		sums->empty += fill->flags & WIRE_FILL_NEVER ? l->weight : 0;
	}
	if (sums->depth && !(l->zeros & sums->depth))
		sums->traced += l->weight;
	if (!(l->flags & WIRE_DEEP))
		return;
	sums->deep = sums->deep ?: l;
	sums->differ |= l->deep != sums->deep->deep;
}

uint64_t advice_watches(const struct model_context *c, uint64_t *used)
{
	*used = c->uses_seen > c->nuses ? c->uses_seen : c->nuses;
	return *used + c->unused[WIRE_UNUSED_TIME] + c->unused[WIRE_UNUSED_TRAPS];
}

static void collect_values(struct advice_facts *f, const struct model_class *class,
			   struct model_context *const *contexts, size_t n)
{
	double arrays = 0, no_length = 0;
	struct sums sums = { .depth = trace_depth_slot(class) };

	for (size_t i = 0; i < n; i++) {
		const struct model_context *c = contexts[i];
		uint64_t used;
		f->watches += advice_watches(c, &used);
		f->used += used;
		f->snapshots += c->nsnapshots;
		for (size_t k = 0; k < c->nsnapshots; k++)
			add_snapshot(&sums, c->snapshots[k]);
		for (size_t k = 0; k < c->nstrata; k++) {
			arrays += c->strata[k].objects;
			f->sampled += (double)c->strata[k].sampled;
			no_length += c->strata[k].array_length == 0 ? c->strata[k].objects : 0;
		}
	}
	f->zero = sums.all > 0 ? sums.zero / sums.all : NAN;
	f->empty = sums.filled > 0 ? sums.empty / sums.filled : NAN;
	f->traced = sums.all > 0 && sums.depth ? sums.traced / sums.all : NAN;
	f->no_length = f->array && arrays > 0 ? no_length / arrays : 0;
	f->differ |= sums.differ;
	f->capacity = f->array ? capacity_of_arrays(f->class_name, contexts, n)
			       : (struct capacity){ NAN, NAN, NAN };
}

/* Takes the first `known` frames of a stack; `frames` has room for them. */
static void collect_frames(struct advice_facts *f, const struct callstack *stack, size_t known,
			   struct model_frame *frames)
{
	f->frames = frames;
	for (size_t i = 0; i < known; i++)
		if (stack->frames[i].folded <= 0 && stack->frames[i].class_name)
			frames[f->n++] = stack->frames[i];
	f->own = callstack_line_in(frames, f->n);
	/* if all of several contexts' common frames are the JDK's, none is a place to change */
	f->scattered = f->own == f->n && known < stack->n;
}

static struct advice_facts facts_of(const struct row *row)
{
	const struct replica *x = &row->replica;
	const struct replica_differing *apart = &row_details(row)->differing;
	bool compared = apart->pairs >= REPLICA_MIN_PAIRS, deep;
	enum replica_verdict shown = replica_shown(x, &deep);

	return (struct advice_facts){
		.class_name = row->class && row->class->name ? row->class->name : "",
		.array = row->class && row->class->is_array,
		.verdict = x->own.verdict,
		.undecided = shown == VERDICT_UNKNOWN,
		.doubt = replica_decided(x)->doubt,
		.saves = replica_saved(x) > 0,
		.only_used = x->own.scanned == 0 && row->uses > 0,
		.no_exception = is_no_throwable(row->class),
		.identity = x->identity,
		.ndiffering = compared ? __builtin_popcount(apart->slots) : 0,
		.alive = x->bytes > 0 ? x->live_bytes_ci.low / x->bytes : NAN,
		.commonest = NAN,
		.changing_target = x->refers && x->own.verdict == shown && !deep &&
				   x->deep.verdict == VERDICT_DISTINCT,
		.differ = shown == VERDICT_CHANGING || shown == VERDICT_DISTINCT,
	};
}

static struct advice *collect(const struct row *row, const struct callstack *stack, size_t known,
			      struct model_context *const *contexts, size_t n)
{
	struct advice *advice = xmalloc(sizeof *advice + known * sizeof advice->frames[0]);

	advice->rule = NULL;
	advice->facts = facts_of(row);
	collect_frames(&advice->facts, stack, known, advice->frames);
	collect_values(&advice->facts, row->class, contexts, n);
	return advice;
}

struct advice *advice_of(const struct row *row, struct model_context *const *contexts, size_t n)
{
	const struct model_context *largest = contexts[0];
	struct callstack stack;

	for (size_t i = 1; i < n; i++)
		if (contexts[i]->bytes > largest->bytes)
			largest = contexts[i];
	xcallstack_resolve(&stack, row->model, largest->jvm, largest->stack_id);
	size_t known = callstack_line(&stack) + 1;
	struct advice *advice =
		collect(row, &stack, known < stack.n ? known : stack.n, contexts, n);
	callstack_release(&stack);
	return advice;
}

/* As in the rules: the verdict that the report shows. */
static unsigned verdict_bits(const struct row *row)
{
	bool deep;
	enum replica_verdict shown = replica_shown(&row->replica, &deep);
	bool open = shown == VERDICT_UNKNOWN || shown == VERDICT_ALIKE;

	return 1U << shown | (open && replica_saved(&row->replica) > 0 ? ADVICE_SOME : 0);
}

bool advice_is_possible(const struct row *row)
{
	unsigned verdict = verdict_bits(row);

	for (const struct advice_rule *r = advice_rules; r->name; r++)
		if (r->verdicts & verdict)
			return true;
	return false;
}

static bool holds(const struct advice_rule *r, const struct advice_facts *f)
{
	return r->match(f) && !(r->except && r->except(f)) &&
	       !(r->unless_kept && advice_is_kept(f));
}

/* The rule for the verdict that the report shows, or NULL. */
static const struct advice_rule *find_rule(const struct row *row, const struct advice_facts *f)
{
	unsigned verdict = verdict_bits(row);

	for (const struct advice_rule *r = advice_rules; r->name; r++)
		if (r->verdicts & verdict && holds(r, f))
			return r;
	return NULL;
}

const struct advice_rule *advice_rule_named(const char *name)
{
	const struct advice_rule *r = advice_rules;

	while (r->name && strcmp(r->name, name) != 0)
		r++;
	return r->name ? r : NULL;
}

const struct advice_rule *advice_by_call(const struct advice_facts *f)
{
	for (const struct advice_rule *r = advice_rules; r->name; r++)
		if (r->by_call && holds(r, f))
			return r;
	return NULL;
}

const struct advice_rule *advice_of_remains(const struct advice_facts *f)
{
	for (const struct advice_rule *r = advice_rules; r->name; r++)
		if (r->remains && r->match(f) && r->remains(f))
			return r;
	return NULL;
}

/* Whether the rule is about objects that hold nothing, and enough of them were looked at. */
static bool is_of_nothing(const struct advice_rule *r, const struct advice_facts *f)
{
	if (r->removes == REMOVES_LENGTHLESS)
		return f->sampled >= REPLICA_MIN_PAIRS;
	if (r->removes == REMOVES_UNREAD)
		return true;
	return (r->removes == REMOVES_EMPTY || r->removes == REMOVES_UNFILLED) &&
	       f->snapshots >= REPLICA_MIN_PAIRS;
}

const struct advice_rule *advice_by_content(const struct row *row, const struct advice_facts *f)
{
	unsigned verdict = verdict_bits(row);

	for (const struct advice_rule *r = advice_rules; r->name; r++)
		if ((r->verdicts & verdict || is_of_nothing(r, f)) && !r->by_call && holds(r, f))
			return r;
	return NULL;
}

/* Whether there is code to change: a stack that has the platform's frames alone shows none. */
static bool has_place(const struct callstack *stack)
{
	return stack->n == 0 || callstack_line_in(stack->frames, stack->n) < stack->n;
}

/* Tells *arg the advice, if there is any; a look (row_visit). */
static int find(void *arg, const struct row *row)
{
	struct advice **found = arg;

	if (!has_place(row_stack(row)))
		return 0;
	struct advice *advice =
		collect(row, row_stack(row), row->common, row->contexts, row->ncontexts);

	advice->rule = find_rule(row, &advice->facts);
	if (advice->rule)
		*found = advice;
	else
		free(advice);
	return 0;
}

const struct advice *row_advice(const struct row *row)
{
	struct row *kept = (struct row *)row; /* what is kept is no change that anyone sees */
	struct advice *found = NULL;

	if (row->advised)
		return row->advice;
	if (advice_is_possible(row))
		row_visit(row, find, &found);
	kept->advice = found;
	kept->advised = true;
	return found;
}
