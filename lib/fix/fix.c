/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fix.c - see fix.h: puts parts with the same fix together, and ranks them.
 *
 * First each row is divided into parts (fix_parts.c), and each part measured (fix_amount.c). Then
 * parts of one line help each other (fix_line.c): what a constructor makes goes with its object,
 * and whether an expression is constant shows in its Pattern alone. In the end the parts of one
 * rule and one method are one fix.
 */
#include "fix/fix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/xmalloc.h"
#include "fix/fix_amount.h"
#include "fix/fix_course.h"
#include "fix/fix_part.h"

#define LARGE 0.05 /* share of all bytes from which on it is told though nothing is expected */
enum {
	LARGE_MOST = 3,
	FEWEST = ANALYSIS_MIN_PAIRS, /* samples: fewer prove nothing */
};

const char *fix_kind_name(enum advice_kind kind)
{
	static const char *const names[] = { [ADVICE_CERTAIN] = "certain",
					     [ADVICE_LIKELY] = "likely",
					     [ADVICE_POSSIBLE] = "possible" };

	return names[kind];
}

/* ---- parts of one fix -------------------------------------------------------------------- */

static const char *name_of(const struct fix_part *p)
{
	return p->rule ? advice_fix_name(p->rule) : "";
}

/* Parts with a rule first; those without are one fix for each line. */
static int compare_fixes(const void *a, const void *b)
{
	const struct fix_part *x = a, *y = b;
	int order = ORDER(!x->rule, !y->rule)
			    ?: strcmp(name_of(x), name_of(y))
			    ?: fix_compare_methods(x, y);

	if (!order && !x->rule)
		order = ORDER(x->line.line, y->line.line);
	return order;
}

static int compare_parts(const void *a, const void *b)
{
	const struct fix_part *x = a, *y = b;

	return compare_fixes(a, b) ?: ORDER(fix_part_expected(y), fix_part_expected(x))
					      ?: ORDER(y->bytes, x->bytes)
					      ?: ORDER(x->line.line, y->line.line)
					      ?: strcmp(x->class_name, y->class_name);
}

static enum advice_kind kind_of(const struct fix *f)
{
	if (f->certain.value >= f->likely.value && f->certain.value >= f->weighed &&
	    f->certain.value > 0)
		return ADVICE_CERTAIN;
	return f->likely.value >= f->weighed && f->likely.value > 0 ? ADVICE_LIKELY
								    : ADVICE_POSSIBLE;
}

static uint64_t samples_of(const struct fix_part *part)
{
	uint64_t n = 0;

	for (size_t i = 0; i < part->ncontexts; i++)
		n += part->contexts[i]->sampled;
	return n;
}

/* Watches that were long enough to see a use, and those that saw one. */
static void add_watches(struct fix *f, const struct fix_part *part)
{
	for (size_t i = 0; i < part->ncontexts; i++) {
		uint64_t used;
		f->watches += advice_watches(part->contexts[i], &used);
		f->used += used;
	}
}

/* What was seen a few times may have been made only then, and its bytes are a guess. */
static void doubt(struct fix *f)
{
	f->few = true;
	f->possible += f->sum.value + f->likely.value;
	f->sum = f->remains = (struct fix_sum){ 0 };
	f->likely = (struct estimate){ 0 };
	f->weighed = 0;
}

static void make_fix(struct fix *f, struct fix_part *part, size_t n, double z)
{
	*f = (struct fix){ .pid = part->row->row.pid, .part = part, .nparts = n, .z = z };
	f->rule = fix_first(f)->rule; /* sentences are about that part */
	for (size_t i = 0; i < n; i++) {
		f->objects += part[i].objects;
		f->bytes += part[i].bytes;
		f->sampled += samples_of(&part[i]);
		fix_sum_add(&f->sum, &part[i].certain);
		if (part[i].remains)
			fix_sum_add(&f->remains, &part[i].all);
		fix_add(&f->likely, &part[i].likely);
		f->possible += part[i].possible;
		f->weighed += part[i].weight * part[i].possible;
		f->looked += part[i].possible > 0 ? part[i].looked : 0;
		f->agreed += part[i].possible > 0 ? part[i].agreed : 0;
		f->unlooked |= part[i].possible > 0 && !(part[i].looked > 0);
		if (part[i].possible > 0)
			add_watches(f, &part[i]);
	}
	f->likely.range.low = fmax(0, f->likely.range.low);
	if (f->sampled < FEWEST)
		doubt(f);
	f->certain = f->avoidable = fix_estimate_to(&f->sum, &f->remains, z);
	fix_add(&f->avoidable, &f->likely);
	f->expected = f->avoidable.value + f->weighed;
	f->kind = kind_of(f);
}

void fix_join(struct fix *to, const struct fix *const *fixes, size_t n, struct fix_part *part)
{
	size_t nparts = 0;
	double share = 0, until_s = 0;
	bool went_on = false;

	for (size_t i = 0; i < n; i++) {
		memcpy(&part[nparts], fixes[i]->part, fixes[i]->nparts * sizeof *part);
		nparts += fixes[i]->nparts;
		share += fixes[i]->share;
		went_on |= !(fixes[i]->until_s > 0);
		until_s = fmax(until_s, fixes[i]->until_s);
	}
	make_fix(to, part, nparts, fixes[0]->z);
	to->share = share;
	to->until_s = went_on ? 0 : until_s;
	to->rank = fixes[0]->rank;
	to->large = fixes[0]->large;
}

/* ---- what a fix is about ----------------------------------------------------------------- */

const char *fix_name(const struct fix *f)
{
	return f->rule ? advice_fix_name(f->rule) : "";
}

bool fix_has_key(const struct fix *f)
{
	return f->rule && fix_first(f)->line.class_name;
}

void fix_put_key(FILE *out, const struct fix *f)
{
	const struct model_frame *line = &fix_first(f)->line;

	fprintf(out, "%s %s.%s", fix_name(f), line->class_name, line->method);
}

int fix_compare_keys(const struct fix *a, const struct fix *b)
{
	const struct model_frame *x = &fix_first(a)->line, *y = &fix_first(b)->line;

	return strcmp(fix_name(a), fix_name(b)) ?: strcmp(x->class_name, y->class_name)
							   ?: strcmp(x->method, y->method);
}

size_t fix_class_of(const struct fix *f, size_t i, double *bytes, double *objects)
{
	size_t before = 0;

	*bytes = *objects = 0;
	for (size_t k = 0; k < f->nparts; k++) {
		if (strcmp(f->part[k].class_name, f->part[i].class_name) != 0)
			continue;
		before += k < i;
		*bytes += f->part[k].bytes;
		*objects += f->part[k].objects;
	}
	return before;
}

double fix_avoids_of(const struct fix *f, const struct fix_part *part,
		     const struct model_context *context)
{
	if (!(f->avoidable.value > 0) || !(part->bytes > 0)) /* what is doubted is not avoided */
		return 0;
	return (part->certain.value + part->likely.value) * context->bytes / part->bytes;
}

uint32_t fix_jvm(const struct fix *f)
{
	for (size_t i = 0; i < f->nparts; i++)
		if (f->part[i].ncontexts > 0)
			return f->part[i].contexts[0]->jvm;
	return 0;
}

int *fix_lines_of(const struct fix *f, size_t *n)
{
	int *lines = xmallocarray(f->nparts, sizeof *lines);

	for (size_t i = 0; i < f->nparts; i++)
		lines[i] = f->part[i].line.line;
	*n = line_numbers_sort(lines, f->nparts);
	return lines;
}

void fix_callers(struct callers *to, const struct fix *f, const struct model *m, size_t depth,
		 double z)
{
	struct model_context **contexts = NULL;
	size_t n = 0;

	for (size_t i = 0; i < f->nparts; i++) {
		const struct fix_part *part = &f->part[i];
		contexts = xreallocarray(contexts, n + part->ncontexts,
					 sizeof(struct model_context *));
		for (size_t k = 0; k < part->ncontexts; k++)
			contexts[n++] = part->contexts[k];
	}
	callers_estimate(to, m, contexts, n, depth, z);
	free(contexts);
}

bool fix_is_shown(const struct fixes *fixes, size_t i)
{
	const struct fix *f = &fixes->fix[i];

	return f->rule ? f->expected > 0 || f->possible > 0 : f->large;
}

void fix_put_sentence(FILE *out, const struct style *s, const struct fix *f, const char *sentence)
{
	const struct fix_part *first = fix_first(f);

	advice_put_of(out, s, first->row, &first->advice->facts, sentence);
}

/* ---- all fixes --------------------------------------------------------------------------- */

static int compare_sums(const void *a, const void *b)
{
	const struct fix *x = a, *y = b;

	return ORDER(y->expected, x->expected) ?: ORDER(y->possible, x->possible)
							 ?: ORDER(y->bytes, x->bytes)
							 ?: compare_parts(x->part, y->part);
}

static int compare_ranks(const void *a, const void *b)
{
	const struct fix *x = a, *y = b;

	return ORDER(!(x->expected > 0), !(y->expected > 0))
		       ?: ORDER(x->until_s > 0, y->until_s > 0)
		       ?: compare_sums(a, b);
}

static void make_fixes(struct fixes *fixes, const struct model *m, double z)
{
	if (fixes->nparts > 0) /* qsort takes no NULL */
		qsort(fixes->part, fixes->nparts, sizeof *fixes->part, compare_parts);
	fixes->fix = xcalloc(fixes->nparts + 1, sizeof *fixes->fix);
	for (size_t i = 0, end; i < fixes->nparts; i = end) {
		end = i + 1;
		while (end < fixes->nparts &&
		       compare_fixes(&fixes->part[i], &fixes->part[end]) == 0)
			end++;
		make_fix(&fixes->fix[fixes->n], &fixes->part[i], end - i, z);
		fixes->fix[fixes->n++].until_s = fix_until(&fixes->part[i], end - i, m);
	}
}

/*
 * The certain and likely bytes of `n` fixes. What is certain are samples of different objects; that
 * equal ones may have been equal before, or not, is the same doubt of all.
 */
static struct estimate avoidable_of(const struct fix *fix, size_t n, double z)
{
	struct fix_sum certain = { 0 }, remains = { 0 };
	struct estimate likely = { 0 };

	for (size_t i = 0; i < n; i++) {
		fix_sum_add(&certain, &fix[i].sum);
		fix_sum_add(&remains, &fix[i].remains);
		fix_add_same(&likely, &fix[i].likely);
	}
	struct estimate e = fix_estimate_to(&certain, &remains, z);
	fix_add(&e, &likely);
	return e;
}

/* Whether nothing is expected of it, and it makes so much that a reader should know. */
static bool may_be_large(const struct fixes *fixes, const struct fix *f)
{
	return !(f->expected > 0) && (!f->rule || f->possible > 0) && f->sampled >= FEWEST &&
	       f->bytes >= LARGE * fixes->bytes;
}

/* The largest of these, wherever they rank. */
static void choose_large(struct fixes *fixes)
{
	for (size_t i = 0; i < fixes->n; i++)
		fixes->fix[i].large = false;
	for (unsigned k = 0; k < LARGE_MOST; k++) {
		struct fix *largest = NULL;
		for (size_t i = 0; i < fixes->n; i++) {
			struct fix *f = &fixes->fix[i];
			if (!f->large && may_be_large(fixes, f) &&
			    (!largest || f->bytes > largest->bytes))
				largest = f;
		}
		if (largest)
			largest->large = true;
	}
}

static void sum_up(struct fixes *fixes)
{
	struct fix_sum certain = { 0 }, remains = { 0 };

	fixes->gains = 0;
	fixes->certain = fixes->likely = (struct estimate){ 0 };
	fixes->possible = fixes->weighed = 0;
	for (size_t i = 0; i < fixes->n; i++) {
		struct fix *f = &fixes->fix[i];
		f->rank = i + 1;
		f->share = fixes->bytes > 0 ? f->bytes / fixes->bytes : 0;
		fixes->gains += f->expected > 0;
		fix_sum_add(&certain, &f->sum);
		fix_sum_add(&remains, &f->remains);
		fix_add_same(&fixes->likely, &f->likely);
		fixes->possible += f->possible;
		fixes->weighed += f->weighed;
	}
	fixes->certain = fix_estimate_to(&certain, &remains, fixes->z);
	choose_large(fixes);
}

void fixes_rank(struct fixes *fixes, bool whole)
{
	qsort(fixes->fix, fixes->n, sizeof *fixes->fix, whole ? compare_sums : compare_ranks);
	sum_up(fixes);
}

void fixes_take_out(struct fixes *fixes, bool (*accepts)(const struct fix *f, void *arg), void *arg)
{
	size_t all = fixes->n + fixes->accepted.n, n = fixes->n;
	struct fix *out = xcalloc(n + 1, sizeof *out), *f = fixes->fix;
	size_t taken = 0;

	fixes->n = 0;
	for (size_t i = 0; i < n; i++)
		if (accepts(&f[i], arg))
			out[taken++] = f[i];
		else
			f[fixes->n++] = f[i];
	memcpy(&f[fixes->n], out, taken * sizeof *out);
	for (size_t i = 0; i < taken; i++)
		fixes->accepted.expected += out[i].expected;
	fixes->accepted.n = all - fixes->n;
	fixes->accepted.avoidable = avoidable_of(&f[fixes->n], fixes->accepted.n, fixes->z);
	free(out);
	sum_up(fixes);
}

struct fix fixes_sum(const struct fixes *fixes)
{
	struct fix all = { .certain = fixes->certain,
			   .likely = fixes->likely,
			   .avoidable = fixes->certain,
			   .possible = fixes->possible,
			   .weighed = fixes->weighed };

	fix_add(&all.avoidable, &fixes->likely);
	all.expected = all.avoidable.value + all.weighed;
	return all;
}

/*
 * The possible bytes of a fix that the interval of its likely ones does not have yet, with the
 * error of what was allocated.
 */
static struct fix_sum possible_of(const struct fix *f)
{
	struct fix_sum sum = { 0 };

	for (size_t i = 0; i < f->nparts; i++) {
		const struct fix_part *part = &f->part[i];
		if (!(part->possible > 0) || !(part->bytes > 0))
			continue;
		const struct estimate *likely = &part->likely;
		double more = part->possible - (likely->range.high - likely->value);
		double of = fmax(0, more) / part->bytes;
		struct fix_share share = { of, { of, of } };
		struct fix_sum possible = fix_part_of(&part->all, &share);
		fix_sum_add(&sum, &possible);
	}
	return sum;
}

struct estimate fixes_expected(const struct fixes *fixes, size_t n)
{
	struct fix_sum possible = { 0 };
	double weighed = 0;

	n = n < fixes->n ? n : fixes->n;
	for (size_t i = 0; i < n; i++) {
		const struct fix_sum more = possible_of(&fixes->fix[i]);
		fix_sum_add(&possible, &more);
		weighed += fixes->fix[i].weighed;
	}
	struct estimate e = avoidable_of(fixes->fix, n, fixes->z);
	e.value += weighed;
	e.range.high = fmax(e.value, e.range.high + fix_estimate(&possible, fixes->z).range.high);
	return e;
}

void fixes_find(struct fixes *fixes, struct rows *lines, const struct model *m, double confidence)
{
	struct replica_options at_level = *lines->how;
	const struct fix_level level = { bounds_z(confidence),
					 confidence == at_level.confidence ? NULL : &at_level };
	struct callstack_hasher hasher;
	struct fix_parts parts = { .n = 0 };

	*fixes = (struct fixes){ .lines = lines };
	at_level.confidence = confidence;
	for (size_t i = 0; i < lines->table.n; i++)
		fixes->bytes += rows_at(lines, i)->replica.bytes;
	callstack_hasher_begin(&hasher, m);
	for (size_t i = 0; i < lines->table.n; i++) {
		struct row *row = rows_at(lines, i);
		if (!(row->replica.bytes >= FIX_LEAST_SHARE * fixes->bytes) || row_is_other(row))
			continue;
		fix_parts_of(&parts, row, &hasher);
	}
	callstack_hasher_end(&hasher);
	for (size_t i = 0; i < parts.n; i++)
		fix_measure(&parts.part[i], &level);
	fix_lines(parts.part, parts.n, level.z);
	fixes->part = parts.part;
	fixes->nparts = parts.n;
	fixes->z = level.z;
	make_fixes(fixes, m, level.z);
	fixes_rank(fixes, false);
}

void fixes_release(struct fixes *fixes)
{
	for (size_t i = 0; i < fixes->nparts; i++)
		fix_part_release(&fixes->part[i]);
	free(fixes->part);
	free(fixes->fix);
	*fixes = (struct fixes){ .n = 0 };
}
