/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diff_fix.c - part of diff.c: the findings of two recordings, by their keys.
 *
 * Which rule applies to the content of objects depends on how much is known of them, so it differs
 * between two recordings of one program. That is no change: a finding whose objects have another
 * rule on the other side, in the same method, is the same one; and what a side makes there without
 * a finding could be as avoidable, at most, as what it knows of these objects allows.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/xmalloc.h"
#include "compare/diff_private.h"
#include "fix/fix_amount.h"

/* The findings of one side, by key; and all its parts, by method. */
struct side {
	const struct fixes *fixes;
	const struct fix **fix;
	size_t n;
	const struct fix_part **part;
	struct fix_level level;
};

/* Findings of one key, of one side: one for each process. */
struct group {
	const struct fix *const *fix;
	size_t n;
};

/* One finding of a comparison, while it is made. */
struct pair {
	struct group from, to; /* n 0: there is none */
};

const struct fix *diff_shown_fix(const struct diff_fix *f)
{
	return f->to ? f->to : f->from;
}

const char *diff_fix_state_name(enum diff_state s)
{
	static const char *const names[] = { "same", "few", "more", "less", "new", "gone" };

	return names[s];
}

/* ---- one side ---------------------------------------------------------------------------- */

static int compare_fixes(const void *a, const void *b)
{
	const struct fix *x = *(const struct fix *const *)a, *y = *(const struct fix *const *)b;

	return fix_compare_keys(x, y) ?: ORDER(y->expected, x->expected) ?: ORDER(x->pid, y->pid);
}

static int compare_parts(const void *a, const void *b)
{
	const struct fix_part *x = *(const struct fix_part *const *)a;
	const struct fix_part *y = *(const struct fix_part *const *)b;

	return frame_compare_methods(&x->line, &y->line) ?: ORDER(x, y);
}

static void list_side(struct side *s, const struct fixes *fixes, struct fix_level level)
{
	*s = (struct side){ .fixes = fixes, .level = level };
	s->fix = xcalloc(fixes->n + 1, sizeof *s->fix);
	s->part = xcalloc(fixes->nparts + 1, sizeof *s->part);
	for (size_t i = 0; i < fixes->n; i++)
		if (fix_has_key(&fixes->fix[i]))
			s->fix[s->n++] = &fixes->fix[i];
	for (size_t i = 0; i < fixes->nparts; i++)
		s->part[i] = &fixes->part[i];
	qsort(s->fix, s->n, sizeof *s->fix, compare_fixes);
	qsort(s->part, fixes->nparts, sizeof *s->part, compare_parts);
}

static void release_side(struct side *s)
{
	free(s->fix);
	free(s->part);
}

/* The first part of the method, or where it would be. */
static size_t find_parts(const struct side *s, const struct model_frame *line)
{
	size_t low = 0, high = s->fixes->nparts;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (frame_compare_methods(&s->part[middle]->line, line) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* ---- which is which ---------------------------------------------------------------------- */

static struct group group_at(const struct side *s, size_t first)
{
	struct group g = { s->fix + first, 1 };

	while (first + g.n < s->n && fix_compare_keys(g.fix[0], g.fix[g.n]) == 0)
		g.n++;
	return g;
}

static size_t pair_by_keys(struct pair *pairs, const struct side *from, const struct side *to)
{
	size_t n = 0, i = 0, k = 0;

	while (i < from->n || k < to->n) {
		int order = i == from->n ? 1
			    : k == to->n ? -1
					 : fix_compare_keys(from->fix[i], to->fix[k]);
		struct pair *p = &pairs[n++];
		*p = (struct pair){ .from = { .n = 0 } };
		if (order <= 0)
			p->from = group_at(from, i);
		if (order >= 0)
			p->to = group_at(to, k);
		i += p->from.n;
		k += p->to.n;
	}
	return n;
}

static const struct fix *shown_of(const struct pair *p)
{
	return p->to.n ? p->to.fix[0] : p->from.fix[0];
}

/* Whether its rule depends on what was seen of its objects. */
static bool is_by_content(const struct fix *f)
{
	return !fix_first(f)->rule->by_call;
}

static int compare_objects(const struct pair *p, const struct pair *q)
{
	const struct fix_part *x = fix_first(shown_of(p)), *y = fix_first(shown_of(q));

	return ORDER(!is_by_content(shown_of(p)), !is_by_content(shown_of(q)))
		       ?: frame_compare_methods(&x->line, &y->line)
		       ?: strcmp(x->class_name, y->class_name);
}

/* Those of one side alone last; of the same objects, the old side first. */
static int compare_pairs(const void *a, const void *b)
{
	const struct pair *p = a, *q = b;

	return ORDER(!p->from.n || !p->to.n, !q->from.n || !q->to.n)
		       ?: compare_objects(p, q)
		       ?: ORDER(!p->from.n, !q->from.n)
		       ?: fix_compare_keys(shown_of(p), shown_of(q));
}

/* Joins those of which the same objects have another rule on the other side. */
static size_t pair_by_objects(struct pair *pairs, size_t n)
{
	size_t kept = 0;

	if (n > 0) /* qsort takes no NULL */
		qsort(pairs, n, sizeof *pairs, compare_pairs);
	for (size_t i = 0; i < n; i++) {
		struct pair *last = kept ? &pairs[kept - 1] : NULL;
		if (last && !last->to.n && !pairs[i].from.n && is_by_content(last->from.fix[0]) &&
		    compare_objects(last, &pairs[i]) == 0)
			last->to = pairs[i].to;
		else
			pairs[kept++] = pairs[i];
	}
	return kept;
}

static bool is_shown(const struct group *g)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->fix[i]->expected > 0 || g->fix[i]->possible > 0)
			return true;
	return false;
}

/* Those that avoid nothing in either recording are not compared. */
static size_t list_pairs(struct pair *pairs, const struct side *from, const struct side *to)
{
	size_t n = pair_by_objects(pairs, pair_by_keys(pairs, from, to)), kept = 0;

	for (size_t i = 0; i < n; i++)
		if (is_shown(&pairs[i].from) || is_shown(&pairs[i].to))
			pairs[kept++] = pairs[i];
	return kept;
}

/* ---- estimates --------------------------------------------------------------------------- */

/* What one side says of a pair: as sampled, and what is not known, which adds up as it is. */
struct said {
	struct estimate avoidable, bytes;
	double open; /* bytes that may be avoidable as well */
	double possible;
	uint64_t sampled;
	size_t nparts;
};

static bool has_part(const struct group *g, const struct fix_part *part)
{
	for (size_t i = 0; i < g->n; i++)
		if (part >= g->fix[i]->part && part < g->fix[i]->part + g->fix[i]->nparts)
			return true;
	return false;
}

static bool has_class(const struct group *g, const char *class_name)
{
	for (size_t i = 0; i < g->n; i++)
		for (size_t k = 0; k < g->fix[i]->nparts; k++)
			if (!g->fix[i]->part[k].rule->by_call &&
			    strcmp(g->fix[i]->part[k].class_name, class_name) == 0)
				return true;
	return false;
}

/*
 * What the method makes of the finding's classes that is not in the finding: as much of it could be
 * avoided as is not known to be needed.
 */
static void add_others(struct said *said, const struct side *s, const struct pair *p,
		       const struct group *own)
{
	const struct model_frame *line = &fix_first(shown_of(p))->line;

	for (size_t i = find_parts(s, line); i < s->fixes->nparts; i++) {
		const struct fix_part *part = s->part[i];
		if (frame_compare_methods(&part->line, line) != 0)
			break;
		if ((part->rule && part->rule->by_call) || has_part(own, part) ||
		    (!has_class(&p->from, part->class_name) &&
		     !has_class(&p->to, part->class_name)))
			continue;
		struct estimate bytes = fix_estimate(&part->all, s->level.z);
		said->open += fix_mergeable_most(part, &s->level);
		fix_add(&said->bytes, &bytes);
	}
}

static void add_avoidable(struct said *sum, const struct said *of)
{
	fix_add(&sum->avoidable, &of->avoidable);
	sum->open += of->open;
}

static struct estimate with_open(const struct said *of)
{
	struct estimate e = of->avoidable;

	e.range.high += of->open;
	return e;
}

static struct said say(const struct side *s, const struct pair *p, const struct group *own)
{
	struct said said = { .nparts = 0 };

	for (size_t i = 0; i < own->n; i++) {
		const struct fix *f = own->fix[i];
		struct estimate all;
		struct fix_sum made = { 0 };
		for (size_t k = 0; k < f->nparts; k++)
			fix_sum_add(&made, &f->part[k].all);
		all = fix_estimate(&made, s->level.z);
		/* what is possible may be avoidable; the other side may know that it is */
		double most = all.value > 0 ? all.range.high / all.value : 1;
		most = f->few ? all.range.high : f->avoidable.value + f->possible * most;
		said.open += fmax(0, most - f->avoidable.range.high);
		fix_add(&said.avoidable, &f->avoidable);
		fix_add(&said.bytes, &all);
		said.possible += f->possible;
		said.sampled += f->sampled;
		said.nparts += f->nparts;
	}
	add_others(&said, s, p, own);
	return said;
}

/*
 * What is too small for a finding is not in `said`: nothing was sampled, where a sample would have
 * stood for `unit` bytes; or rows that the other side has are below the least share.
 */
static void allow_small(struct said *said, const struct side *s, const struct said *other,
			double unit)
{
	double missing = other->nparts > said->nparts ? (double)(other->nparts - said->nparts) : 0;
	struct estimate none = estimate_amount(0, 0, said->nparts ? 0 : unit, s->level.z);

	missing *= FIX_LEAST_SHARE * s->fixes->bytes;
	fix_add(&said->avoidable, &none);
	said->open += missing;
	none.range.high += missing;
	if (!(said->bytes.value > 0))
		fix_add(&said->bytes, &none);
}

static enum diff_state state_of(const struct diff_fix *f)
{
	bool both = f->from && f->to, promised = f->avoidable.from > 0 || f->avoidable.to > 0;
	enum estimate_verdict v = promised ? f->avoidable.verdict : f->bytes.verdict;

	if (f->from_sampled + f->to_sampled < DIFF_LEAST_SAMPLES)
		return DIFF_FEW;
	if (v == ESTIMATE_UP && f->to)
		return f->from ? DIFF_WORSE : DIFF_NEW;
	if (v == ESTIMATE_DOWN && f->from)
		return f->to ? DIFF_BETTER : DIFF_GONE;
	return both ? DIFF_SAME : DIFF_FEW;
}

/* ---- all of them ------------------------------------------------------------------------- */

static double magnitude(const struct diff_change *c)
{
	return fabs(c->to - c->from);
}

static bool is_changed(const struct diff_fix *f)
{
	return f->state != DIFF_SAME && f->state != DIFF_FEW;
}

static int compare_changes(const void *a, const void *b)
{
	const struct diff_fix *x = a, *y = b;

	return ORDER(is_changed(y), is_changed(x))
		       ?: ORDER(magnitude(&y->avoidable), magnitude(&x->avoidable))
		       ?: ORDER(magnitude(&y->bytes), magnitude(&x->bytes))
		       ?: fix_compare_keys(diff_shown_fix(x), diff_shown_fix(y));
}

static void judge_pairs(struct diff *d, const struct pair *pairs, const struct side *from,
			const struct side *to)
{
	double old = diff_bytes_per_sample(&d->from), new = diff_bytes_per_sample(&d->to);
	double ratio = old > 0 && new > 0 ? old / new : 1;
	struct said all_from = { .open = 0 }, all_to = { .open = 0 };

	for (size_t i = 0; i < d->nfixes; i++) {
		const struct pair *p = &pairs[i];
		struct diff_fix *f = &d->fix[i];
		struct said a = say(from, p, &p->from), b = say(to, p, &p->to);
		double unit_from = ratio * b.bytes.value / fmax(1, (double)b.sampled);
		double unit_to = a.bytes.value / ratio / fmax(1, (double)a.sampled);
		const struct said before = a;
		allow_small(&a, from, &b, unit_from);
		allow_small(&b, to, &before, unit_to);
		*f = (struct diff_fix){ .from = p->from.n ? p->from.fix[0] : NULL,
					.to = p->to.n ? p->to.fix[0] : NULL,
					.from_sampled = a.sampled,
					.to_sampled = b.sampled,
					.from_possible = a.possible,
					.to_possible = b.possible };
		f->avoidable = diff_change_of(d, false, with_open(&a), with_open(&b));
		f->bytes = diff_change_of(d, false, a.bytes, b.bytes);
		f->state = state_of(f);
		d->fix_states[f->state]++;
		add_avoidable(&all_from, &a);
		add_avoidable(&all_to, &b);
	}
	d->avoidable = diff_change_of(d, false, with_open(&all_from), with_open(&all_to));
}

/* How many keys there are decides the level, at which the findings are then measured again. */
static double count_comparisons(const struct diff *d)
{
	struct fixes fixes[2];
	struct side side[2];

	for (int i = 0; i < 2; i++) {
		const struct diff_side *of = i ? &d->to : &d->from;
		fixes_find(&fixes[i], of->rows, of->recording->model, of->rows->how->confidence);
		list_side(&side[i], &fixes[i], (struct fix_level){ .z = 0 });
	}
	struct pair *pairs = xcalloc(side[0].n + side[1].n + 1, sizeof *pairs);
	double n = (double)list_pairs(pairs, &side[0], &side[1]);
	free(pairs);
	for (int i = 0; i < 2; i++) {
		release_side(&side[i]);
		fixes_release(&fixes[i]);
	}
	return 2 * n + 1; /* avoidable bytes and bytes of each; the sum */
}

void diff_fixes_make(struct diff *d, double confidence)
{
	struct replica_options strict = *d->from.rows->how;
	struct side from, to;

	d->fix_comparisons = count_comparisons(d);
	strict.confidence = estimate_level(confidence, d->fix_comparisons);
	d->fix_z = bounds_z(strict.confidence);
	fixes_find(&d->from_fixes, d->from.rows, d->from.recording->model, strict.confidence);
	fixes_find(&d->to_fixes, d->to.rows, d->to.recording->model, strict.confidence);
	const struct fix_level level = { d->fix_z, &strict };
	list_side(&from, &d->from_fixes, level);
	list_side(&to, &d->to_fixes, level);
	struct pair *pairs = xcalloc(from.n + to.n + 1, sizeof *pairs);
	d->nfixes = list_pairs(pairs, &from, &to);
	d->fix = xcalloc(d->nfixes + 1, sizeof *d->fix);
	judge_pairs(d, pairs, &from, &to);
	qsort(d->fix, d->nfixes, sizeof *d->fix, compare_changes);
	free(pairs);
	release_side(&from);
	release_side(&to);
}

void diff_fixes_release(struct diff *d)
{
	free(d->fix);
	fixes_release(&d->from_fixes);
	fixes_release(&d->to_fixes);
}
