/* SPDX-License-Identifier: Apache-2.0 */
/* render_fix.c - see render_fix.h. */
#include "render/render_fix.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/javaname.h"
#include "base/memtext.h"
#include "base/units.h"
#include "fix/callers.h"
#include "fix/fix_course.h"
#include "fix/fix_total.h"
#include "render/render.h"

enum {
	CLASSES_NAMED = 3,
};

/* ---- where, and how much ----------------------------------------------------------------- */

void fix_put_where(FILE *out, const struct style *s, const struct fix *f)
{
	const struct model_frame *at = &fix_first(f)->line;
	size_t n;

	if (!at->class_name) {
		fputs("(unknown)", out);
		return;
	}
	int *lines = fix_lines_of(f, &n);
	frame_put_lines(out, s, at, lines, n);
	free(lines);
}

static double share_of(const struct report *r, double bytes)
{
	return r->fixes->bytes > 0 ? bytes / r->fixes->bytes : 0;
}

/* What is missing to know more of what nobody looked at again. */
static const char *missing_look(const struct fix *f)
{
	if (f->rule->removes == REMOVES_UNREAD)
		return "a watch looks at one place, for about a millisecond";
	if (f->rule->removes == REMOVES_UNFILLED)
		return "they may have been cleared (-e replica,locality tells)";
	if (fix_first(f)->advice->facts.array)
		return "no use late in their lives was seen (-e replica,locality tells)";
	return "none was seen twice";
}

static void put_possible(FILE *out, const struct fix *f)
{
	char text[UNITS_TEXT];

	if (fix_is_refuted(f)) {
		fprintf(out, "none of it avoidable as it is: all of %.0f seen twice had changed",
			f->looked);
		return;
	}
	fprintf(out, "possibly %s avoidable", units_bytes(text, f->possible));
	if (f->few)
		fputs(": too few samples tell of it", out);
	else if (f->looked > 0)
		fprintf(out, ": %.0f of %.0f seen twice had not changed", f->agreed, f->looked);
	else
		fprintf(out, ": %s", missing_look(f));
	if (f->watches >= ANALYSIS_MIN_PAIRS && f->used == 0)
		fprintf(out, "; 0 of %llu watches saw a use", (unsigned long long)f->watches);
}

/* "; 401 MB avoidable (386 MB to 422 MB), certain" */
static void put_avoidable(FILE *out, const struct fix *f)
{
	const struct estimate *e = &f->avoidable;
	char text[UNITS_TEXT], low[UNITS_TEXT], high[UNITS_TEXT];

	if (!f->rule) {
		fputs("no fix is known", out);
		return;
	}
	if (fix_kind_told(f) == ADVICE_POSSIBLE) {
		put_possible(out, f);
		return;
	}
	fprintf(out, "%s%s avoidable (%s to %s)", f->kind == ADVICE_CERTAIN ? "" : "likely ",
		units_bytes(text, e->value), units_bytes(low, e->range.low),
		units_bytes(high, e->range.high));
	if (f->kind == ADVICE_CERTAIN && !(f->likely.value > 0))
		fputs(", certain", out);
	else if (f->certain.value > 0)
		fprintf(out, ", %s of it certain", units_bytes(text, f->certain.value));
}

void fix_put_amounts(FILE *out, const struct report *r, const struct style *s, const struct fix *f)
{
	char text[UNITS_TEXT];

	fix_put_where(out, s, f);
	fprintf(out, " makes %s", units_bytes(text, f->bytes));
	fprintf(out, " (%s %% of %s); ", units_percent(text, share_of(r, f->bytes)),
		r->partial ? "what is selected" : "all");
	put_avoidable(out, f);
	if (f->until_s > 0)
		fprintf(out, "; none after %s", units_seconds(text, f->until_s));
	putc('.', out);
}

/* ---- what -------------------------------------------------------------------------------- */

void fix_put_made(FILE *out, const struct style *s, const struct fix *f)
{
	double bytes, objects;
	char text[UNITS_TEXT];
	size_t classes = 0;

	for (size_t i = 0; i < f->nparts; i++) {
		if (fix_class_of(f, i, &bytes, &objects) > 0 || ++classes > CLASSES_NAMED)
			continue;
		fputs(classes > 1 ? ", " : "", out);
		style_put(out, s, names_short(f->part[i].class_name));
		fprintf(out, " %s", units_bytes(text, bytes));
	}
	if (classes > CLASSES_NAMED)
		fprintf(out, " and %zu other class%s", classes - CLASSES_NAMED,
			classes == CLASSES_NAMED + 1 ? "" : "es");
	if (f->possible > 0 && f->avoidable.value > 0 && !fix_is_refuted(f)) {
		fputs("; besides, ", out);
		put_possible(out, f);
	}
}

void fix_put_unfixed(FILE *out, const struct style *s, const struct fix *f)
{
	bool deep;
	enum replica_verdict v = replica_shown(&fix_first(f)->row->replica, &deep);

	const char *name = names_short(fix_first(f)->class_name);

	if (v == VERDICT_DISTINCT) {
		fputs("Most of these ", out);
		style_put(out, s, name);
		fputs(" differ: only making fewer helps.", out);
	} else if (v == VERDICT_CHANGING) {
		fputs("These ", out);
		style_put(out, s, name);
		fputs(" change while they are used: making fewer helps, or using one again.", out);
	} else {
		fputs("Too little is known of these ", out);
		style_put(out, s, name);
		fputs(": record for longer, or with a larger --budget.", out);
	}
}

/* ---- in one line ------------------------------------------------------------------------- */

void fix_put_short(FILE *out, const struct report *r, const struct style *s, size_t i)
{
	const struct fix *f = &r->fixes->fix[i];
	const bool possible = f->rule && fix_kind_told(f) == ADVICE_POSSIBLE;
	const bool made = !f->rule || (possible && fix_is_refuted(f)); /* nothing else is known */
	const double bytes = made ? f->bytes : possible ? f->possible : f->avoidable.value;
	char text[UNITS_TEXT];

	if (f->rule)
		fprintf(out, "%zu. ", i + 1);
	else
		fprintf(out, "%s  ", style_glyph(s, GLYPH_DASH));
	fputs(style_on(s, INK_BOLD), out);
	fix_put_where(out, s, f);
	fprintf(out, "%s: %s", style_off(s, INK_BOLD), units_bytes(text, bytes));
	fprintf(out, " (%s %%) ", units_percent(text, share_of(r, bytes)));
	if (made) {
		fputs("made, ", out);
		if (f->rule)
			put_possible(out, f);
		else
			fputs("no fix known", out);
		return;
	}
	fprintf(out, "avoidable, %s. ", fix_kind_name(fix_kind_told(f)));
	fix_put_sentence(out, s, f, f->rule->fix);
}

/* ---- the sum ----------------------------------------------------------------------------- */

static void put_sums(FILE *out, const struct report *r, double bytes)
{
	char text[UNITS_TEXT];

	fprintf(out, "%s", units_bytes(text, bytes));
	fprintf(out, " (%s %%)", units_percent(text, share_of(r, bytes)));
}

/* What the first `n` avoid: "434 MB (407 MB to 461 MB, 28.7 %)". */
static void put_expected(FILE *out, const struct report *r, size_t n)
{
	const struct estimate e = fixes_expected(r->fixes, n);
	char text[UNITS_TEXT], low[UNITS_TEXT], high[UNITS_TEXT];

	if (e.range.low == e.range.high) { /* counted */
		put_sums(out, r, e.value);
		return;
	}
	fprintf(out, "%s (%s to %s, ", units_bytes(text, e.value), units_bytes(low, e.range.low),
		units_bytes(high, e.range.high));
	fprintf(out, "%s %%)", units_percent(text, share_of(r, e.value)));
}

/*
 * How many collections of a JVM the first `n` avoid. They come after so many bytes each, of all
 * that it allocates, whatever the report selects.
 */
static double fewer_of(const struct report *r, uint32_t jvm, size_t n)
{
	const struct model *m = r->recording->model;
	const struct model_jvm *of = model_jvm(m, jvm);
	const struct pauses p =
		of ? recording_pauses(r->recording, of) : (struct pauses){ .known = false };
	double made = 0, avoided = 0;

	if (!p.known || !p.collects)
		return 0;
	for (size_t i = 0; i < model_ncontexts(m); i++)
		if (model_context(m, i)->jvm == jvm)
			made += model_context(m, i)->bytes;
	for (size_t i = 0; i < n; i++)
		if (fix_jvm(&r->fixes->fix[i]) == jvm)
			avoided += r->fixes->fix[i].expected;
	return made > 0 ? fmin(1, avoided / made) * (double)p.collections : 0;
}

static void put_collections(FILE *out, const struct report *r, size_t n)
{
	double fewer = 0;

	if (r->recording->thread_glob) /* the others' bytes are not known */
		return;
	for (uint32_t i = 1; i <= model_njvms(r->recording->model); i++)
		fewer += fewer_of(r, i, n);
	if (fewer >= 0.5)
		fprintf(out, ", about %.0f fewer collection%s", fewer, fewer < 1.5 ? "" : "s");
}

/* Those that --accept leaves out. */
static void put_accepted(FILE *out, const struct report *r)
{
	const struct fixes *all = r->fixes;

	if (all->accepted.n == 0)
		return;
	fprintf(out,
		all->accepted.n == 1 ? " %zu finding that avoids " : " %zu findings that avoid ",
		all->accepted.n);
	put_sums(out, r, all->accepted.expected);
	fputs(all->accepted.n == 1 ? " is accepted." : " are accepted.", out);
}

/* What all lines could do without: the sum of findings grows with the evidence, this does not. */
static void put_total(FILE *out, const struct fixes *fixes)
{
	const struct fix_total t = fixes_total(fixes);
	char text[UNITS_TEXT];

	if (!(t.range.high > t.range.low)) /* it is what was found */
		return;
	fprintf(out, " All lines: %s to ", units_bytes(text, t.range.low));
	fputs(units_bytes(text, t.range.high), out);
	if (!isnan(t.value))
		fprintf(out, ", likely %s", units_bytes(text, t.value));
	if (t.calls.value > 0)
		fprintf(out, "; calls alone %s", units_bytes(text, t.calls.value));
	putc('.', out);
}

void fixes_put_sum(FILE *out, const struct report *r, size_t n)
{
	static const char *const numbers[] = { "", "The first fix avoids ",
					       "The first two fixes avoid ",
					       "The first three fixes avoid " };
	const struct fixes *all = r->fixes;
	char text[UNITS_TEXT];

	n = n < all->gains ? n : all->gains;
	if (n == 0) {
		fputs(all->accepted.n > 0 ? "No other fix is known."
		      : all->possible > 0 ? "What is avoidable is not known yet"
					  : "No fix is known yet",
		      out);
		if (all->accepted.n == 0 && all->possible > 0) {
			fputs(", possibly ", out);
			put_sums(out, r, all->possible);
		}
		if (all->accepted.n == 0)
			fputs(": record for longer, or with a larger --budget.", out);
		put_accepted(out, r);
		put_total(out, all);
		return;
	}
	if (n < sizeof numbers / sizeof numbers[0])
		fputs(numbers[n], out);
	else
		fprintf(out, "The first %zu fixes avoid ", n);
	put_expected(out, r, n);
	put_collections(out, r, n);
	if (all->gains > n) {
		fprintf(out, "; all %zu found so far ", all->gains);
		put_sums(out, r, all->certain.value + all->likely.value + all->weighed);
	}
	if (all->certain.value > 0)
		fprintf(out, ", of which %s is certain", units_bytes(text, all->certain.value));
	else
		fputs(", none of it certain", out);
	putc('.', out);
	put_accepted(out, r);
	put_total(out, all);
}

/* ---- the text ---------------------------------------------------------------------------- */

void fix_put_label(FILE *out, const char *label)
{
	fprintf(out, "    %-9s ", label);
}

void fix_put_callers(FILE *out, const struct report *r, const struct style *s, const struct fix *f)
{
	struct callers callers;

	fix_callers(&callers, f, r->recording->model, SIZE_MAX, bounds_z(r->confidence));
	callers_put(out, s, &callers);
	callers_release(&callers);
}

static bool is_of_one_class(const struct fix *f)
{
	for (size_t i = 1; i < f->nparts; i++)
		if (strcmp(f->part[i].class_name, f->part[0].class_name) != 0)
			return false;
	return true;
}

/* Whether the sentences before tell it: the bytes of one class, which is named. */
static bool made_is_told(const struct fix *f)
{
	if (!is_of_one_class(f) || (f->possible > 0 && f->avoidable.value > 0))
		return false;
	return !f->rule || advice_names_class(&fix_first(f)->advice->facts, f->rule->problem);
}

enum { COURSE_SAMPLES = 20 /* of fewer, a tenth of the time has one or two by chance */ };

/* "[▇█▂       ] 1.2 MB/s at first, 30 kB/s at the end", of the time in which the JVM allocated. */
static void put_course(FILE *out, const struct style *s, const struct fix *f)
{
	struct fix_course course;
	char text[UNITS_TEXT];
	double most = 0;

	if (f->sampled < COURSE_SAMPLES || !fix_course(f->part, f->nparts, &course))
		return;
	for (size_t i = 0; i < FIX_COURSE; i++)
		most = fmax(most, course.rate[i]);
	fix_put_label(out, "Course:");
	putc('[', out);
	for (size_t i = 0; i < FIX_COURSE; i++)
		fputs(style_level(s->utf8, (int)ceil(course.rate[i] / most * STYLE_LEVELS)), out);
	fprintf(out, "] %s/s at first, ", units_bytes(text, course.rate[0]));
	fprintf(out, "%s/s at the end", units_bytes(text, course.rate[FIX_COURSE - 1]));
	if (most > 2 * fmax(course.rate[0], course.rate[FIX_COURSE - 1]))
		fprintf(out, ", at most %s/s", units_bytes(text, most));
	putc('\n', out);
}

static void put_callers(FILE *out, const struct report *r, const struct style *s,
			const struct fix *f)
{
	struct memtext text;

	fix_put_callers(memtext_begin(&text), r, s, f);
	memtext_end(&text);
	if (text.len > 0) {
		fix_put_label(out, "Callers:");
		fprintf(out, "%s\n", text.text);
	}
	free(text.text);
}

void fix_put(FILE *out, const struct report *r, const struct style *s, size_t i)
{
	const struct fix *f = &r->fixes->fix[i];

	if (f->large)
		fprintf(out, "%s   %s", style_glyph(s, GLYPH_DASH), style_on(s, INK_BOLD));
	else
		fprintf(out, "%zu.  %s", i + 1, style_on(s, INK_BOLD));
	fix_put_amounts(out, r, s, f);
	if (model_njvms(r->recording->model) > 1)
		fprintf(out, " JVM %d.", f->pid);
	fprintf(out, "%s\n", style_off(s, INK_BOLD));
	if (f->rule) {
		fix_put_label(out, "Problem:");
		fix_put_sentence(out, s, f, f->rule->problem);
		putc('\n', out);
		fix_put_label(out, "Fix:");
		fix_put_sentence(out, s, f, f->rule->fix);
	} else {
		fix_put_label(out, "Known:");
		fix_put_unfixed(out, s, f);
	}
	putc('\n', out);
	if (!made_is_told(f)) {
		fix_put_label(out, "Made:");
		fix_put_made(out, s, f);
		putc('\n', out);
	}
	if (r->details)
		put_course(out, s, f);
	put_callers(out, r, s, f);
}

/* The same in few words; whoever wants to know why has it in full. */
static void put_avoidable_briefly(FILE *out, const struct fix *f)
{
	char text[UNITS_TEXT];

	if (!f->rule || fix_kind_told(f) != ADVICE_POSSIBLE || fix_is_refuted(f)) {
		put_avoidable(out, f);
		return;
	}
	fprintf(out, "possibly %s avoidable", units_bytes(text, f->possible));
	if (!f->few && f->looked > 0)
		fprintf(out, " (%.0f of %.0f had not changed)", f->agreed, f->looked);
}

static void put_next(FILE *out, const struct report *r, const struct style *s, size_t i)
{
	const struct fix *f = &r->fixes->fix[i];
	char text[UNITS_TEXT];

	fprintf(out, "%zu.%s ", i + 1, i + 1 < 10 ? " " : "");
	fix_put_where(out, s, f);
	fprintf(out, ", %s: %s; ", units_bytes(text, f->bytes), fix_name(f));
	put_avoidable_briefly(out, f);
	if (model_njvms(r->recording->model) > 1)
		fprintf(out, "; JVM %d", f->pid);
	putc('\n', out);
}

bool fixes_is_told(const struct fixes *all, size_t i, size_t n)
{
	return i < all->gains ? i < n : all->fix[i].large;
}

void fixes_put(FILE *out, const struct report *r, const struct style *s, size_t first, size_t next)
{
	const struct fixes *all = r->fixes;
	size_t shown = first < all->gains ? first : all->gains;
	size_t last = next < all->gains - shown ? shown + next : all->gains;

	fixes_put_sum(out, r, shown);
	fputs("\n\n", out);
	for (size_t i = 0; i < all->n; i++)
		if (fixes_is_told(all, i, shown))
			fix_put(out, r, s, i);
	for (size_t i = shown; i < last; i++)
		put_next(out, r, s, i);
	if (last < all->gains)
		fprintf(out, "%zu more findings; --limit 0 shows all\n", all->gains - last);
	putc('\n', out);
}
