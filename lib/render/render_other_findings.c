/* SPDX-License-Identifier: Apache-2.0 */
/* render_other_findings.c - see render_other_findings.h. */
#include "render/render_other_findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/javaname.h"
#include "base/units.h"
#include "fix/callers.h"
#include "model/callstack.h"
#include "render/render.h"
#include "render/render_fix.h"
#include "render/render_json_rows.h"

enum {
	CLASSES_NAMED = 3, /* or places of other accesses */
};

/* ---- where, and how much ----------------------------------------------------------------- */

void other_put_where(FILE *out, const struct style *s, const struct other_finding *o)
{
	size_t n;

	if (!o->line) {
		style_put(out, s, o->place);
		return;
	}
	int *lines = other_lines_of(o, &n);
	frame_put_lines(out, s, o->line, lines, n);
	free(lines);
}

/* " (9.1 % to 15.2 %)"; nothing of what is counted exactly. */
static void put_range(FILE *out, const struct figure *f, const struct estimate *e, bool exact)
{
	if (exact)
		return;
	fputs(" (", out);
	if (isfinite(e->range.high)) {
		figure_put(out, f, e->range.low);
		fputs(" to ", out);
		figure_put(out, f, e->range.high);
	} else {
		fputs("at least ", out);
		figure_put(out, f, e->range.low);
	}
	putc(')', out);
}

void other_put_amount(FILE *out, const struct style *s, const struct other_finding *o)
{
	other_put_where(out, s, o);
	fprintf(out, " %s", o->rule->before);
	figure_put(out, o->figure, o->amount.value);
	fputs(o->rule->after, out);
	put_range(out, o->figure, &o->amount, o->exact);
	fputs(o->possible ? ", possible" : ", likely", out);
	fputs(o->few ? ": too few samples tell of it." : ".", out);
}

/* ---- what -------------------------------------------------------------------------------- */

/* The amount of the rows from i on that say the same of themselves; 0: an earlier one did. */
static double amount_of(const struct other_finding *o, size_t i,
			bool (*same)(const struct finding_row *x, const struct finding_row *y))
{
	double sum = 0;

	for (size_t k = 0; k < o->nrows; k++) {
		if (!same(o->rows[i], o->rows[k]))
			continue;
		if (k < i)
			return 0;
		sum += figure_of(o->figure, o->rows[k]);
	}
	return sum;
}

static bool same_class(const struct finding_row *x, const struct finding_row *y)
{
	return x->class_name == y->class_name ||
	       (x->class_name && y->class_name && strcmp(x->class_name, y->class_name) == 0);
}

static void put_classes(FILE *out, const struct style *s, const struct other_finding *o)
{
	size_t classes = 0;

	for (size_t i = 0; i < o->nrows; i++) {
		double amount = amount_of(o, i, same_class);
		if (!(amount > 0) || ++classes > CLASSES_NAMED)
			continue;
		fputs(classes > 1 ? ", " : "", out);
		style_put(out, s,
			  o->rows[i]->class_name ? names_short(o->rows[i]->class_name) : "?");
		putc(' ', out);
		figure_put(out, o->figure, amount);
	}
	if (classes > CLASSES_NAMED)
		fprintf(out, " and %zu other class%s", classes - CLASSES_NAMED,
			classes == CLASSES_NAMED + 1 ? "" : "es");
}

/* The line of a pair's other access. */
static const struct model_frame *other_line(const struct other_finding *o,
					    const struct finding_row *row)
{
	const struct callstack *stack = &row->stack[1 - o->rule->at];

	return stack->n ? &stack->frames[callstack_line(stack)] : NULL;
}

/* ", and stored again, unread, at Shop.store:30 and 2 other places" */
static void put_others(FILE *out, const struct style *s, const struct other_finding *o)
{
	const struct model_frame *first = other_line(o, o->rows[0]);
	size_t places = 0;

	for (size_t i = 0; i < o->nrows; i++) {
		const struct model_frame *f = other_line(o, o->rows[i]);
		size_t k = 0;
		while (k < i) {
			const struct model_frame *g = other_line(o, o->rows[k]);
			if (f && g && f->class_name == g->class_name && f->method == g->method &&
			    f->line == g->line)
				break;
			k++;
		}
		places += k == i;
	}
	if (!first)
		return;
	fprintf(out, ", %s%s ", o->rule->at == 1 ? "first " : "",
		o->table->stack_title[1 - o->rule->at]);
	frame_put_site(out, s, first);
	if (places > 1)
		fprintf(out, " and %zu other place%s", places - 1, places == 2 ? "" : "s");
}

void other_put_made(FILE *out, const struct style *s, const struct other_finding *o)
{
	if (o->table->of_objects) {
		put_classes(out, s, o);
		if (!o->exact)
			fprintf(out, "; %llu of %llu %s", (unsigned long long)o->count,
				(unsigned long long)o->finding->count, o->finding->kind->counted);
		return;
	}
	fprintf(out, "%llu of %llu %s", (unsigned long long)o->count,
		(unsigned long long)o->finding->count, o->finding->kind->counted);
	put_others(out, s, o);
}

/* ---- the sum ----------------------------------------------------------------------------- */

static void put_sum(FILE *out, const struct other_finding *of, const struct estimate *e,
		    const char *kind)
{
	figure_put(out, of->figure, e->value);
	fputs(of->rule->after, out);
	put_range(out, of->figure, e, of->exact);
	fprintf(out, ", %s", kind);
}

static void put_sums(FILE *out, const struct other_finding *of, const struct others_sum *sum)
{
	fprintf(out, "%zu finding%s: ", sum->n, sum->n == 1 ? "" : "s");
	if (sum->likely.value > 0)
		put_sum(out, of, &sum->likely, "likely");
	if (sum->likely.value > 0 && sum->possible.value > 0) {
		fputs("; ", out);
		figure_put(out, of->figure, sum->possible.value);
		fputs(" more is possible", out);
	} else if (sum->possible.value > 0) {
		put_sum(out, of, &sum->possible, "possible");
	}
	putc('.', out);
}

/* Of findings that can have the same bytes. */
static void put_largest(FILE *out, const struct other_finding *of, const struct others_sum *sum)
{
	fprintf(out, "%zu findings, some of which can have the same bytes; the largest is ",
		sum->n);
	figure_put(out, of->figure, fmax(sum->likely.value, sum->possible.value));
	putc('.', out);
}

void others_put_sum(FILE *out, const struct others *all, size_t first)
{
	const struct other_finding *of = &all->item[first];
	struct others_sum sum = others_sum_of(all, first);
	size_t accepted = others_accepted_of(all, of->finding);

	if (of->table->overlap && sum.n > 1)
		put_largest(out, of, &sum);
	else
		put_sums(out, of, &sum);
	if (accepted)
		fprintf(out, " %zu more %s accepted.", accepted, accepted == 1 ? "is" : "are");
}

/* ---- the text ---------------------------------------------------------------------------- */

static void put_callers(FILE *out, const struct style *s, const struct other_finding *o,
			const struct model *m, double z)
{
	struct callers callers;

	if (!m)
		return;
	other_callers(&callers, o, m, SIZE_MAX, z);
	if (callers.caller[0].n > 0) {
		fix_put_label(out, "Callers:");
		callers_put(out, s, &callers);
		putc('\n', out);
	}
	callers_release(&callers);
}

static void put_other(FILE *out, const struct style *s, const struct other_finding *o,
		      const struct model *m, double z)
{
	fprintf(out, "%llu.  %s", (unsigned long long)o->rank, style_on(s, INK_BOLD));
	other_put_amount(out, s, o);
	if (m && model_njvms(m) > 1)
		fprintf(out, " JVM %d.", o->pid);
	fprintf(out, "%s\n", style_off(s, INK_BOLD));
	fix_put_label(out, "Problem:");
	fprintf(out, "%s\n", o->rule->problem);
	fix_put_label(out, "Fix:");
	fprintf(out, "%s\n", o->rule->fix);
	fix_put_label(out, o->table->of_objects ? "Made:" : "Seen:");
	other_put_made(out, s, o);
	putc('\n', out);
	put_callers(out, s, o, m, z);
}

void others_put(FILE *out, const struct style *s, const struct others *all, const struct finding *f,
		const struct model *m, double z, size_t most)
{
	bool told = false;

	for (size_t first = 0, end; first < all->n; first = end) {
		end = others_section_end(all, first);
		if (all->item[first].finding != f)
			continue;
		others_put_sum(out, all, first);
		putc('\n', out);
		for (size_t i = first; i < end && i - first < most; i++)
			put_other(out, s, &all->item[i], m, z);
		if (end - first > most)
			fprintf(out, "%zu more finding%s; --limit 0 shows all\n",
				end - first - most, end - first - most == 1 ? "" : "s");
		told = true;
	}
	size_t accepted = told ? 0 : others_accepted_of(all, f);
	if (accepted)
		fprintf(out, "%zu finding%s accepted.\n", accepted,
			accepted == 1 ? " is" : "s are");
}

/* ---- JSON -------------------------------------------------------------------------------- */

static void json_lines(struct json_text *t, const struct other_finding *o)
{
	size_t n;
	int *lines = other_lines_of(o, &n);

	json_line_numbers(t, lines, n);
	free(lines);
}

static void json_classes(struct json_text *t, const struct other_finding *o)
{
	json_text_open(t, "classes", '[');
	for (size_t i = 0; o->table->of_objects && i < o->nrows; i++) {
		double amount = amount_of(o, i, same_class);
		if (!(amount > 0))
			continue;
		json_text_open(t, NULL, '{');
		json_text_string(t, "class", o->rows[i]->class_name);
		json_text_number(t, "amount", amount);
		json_text_close(t, '}');
	}
	json_text_close(t, ']');
}

static void json_amount(struct json_text *t, const char *name, const char *range,
			const struct estimate *e, bool exact)
{
	json_text_number(t, name, e->value);
	json_text_range(t, range, exact ? NAN : e->range.low, exact ? NAN : e->range.high);
}

static void json_callers(struct json_text *t, const struct other_finding *o, const struct model *m,
			 double z)
{
	struct callers callers;

	if (!m)
		return;
	other_callers(&callers, o, m, 1, z);
	render_json_callers(t, &callers);
	callers_release(&callers);
}

static void json_other(struct json_text *t, const struct other_finding *o, const struct model *m,
		       double z)
{
	json_text_break(t);
	json_text_open(t, NULL, '{');
	json_text_whole(t, "rank", (int64_t)o->rank);
	json_text_string(t, "rule", o->rule->name);
	json_text_string(t, "kind", o->possible ? "possible" : "likely");
	if (m)
		json_text_whole(t, "pid", o->pid);
	json_text_string(t, "class", o->line ? o->line->class_name : NULL);
	json_text_string(t, "method", o->line ? o->line->method : NULL);
	json_text_string(t, "file", o->line ? o->line->file : NULL);
	json_text_string(t, "place", o->place);
	json_lines(t, o);
	json_classes(t, o);
	json_amount(t, "amount", "amount_ci", &o->amount, o->exact);
	json_text_whole(t, "count", (int64_t)o->count);
	json_text_string(t, "problem", o->rule->problem);
	json_text_string(t, "fix", o->rule->fix);
	other_put_key(json_text_begin_string(t), o);
	json_text_end_string(t, "key");
	json_callers(t, o, m, z);
	json_text_close(t, '}');
}

void others_json(struct json_text *t, const struct others *all, const struct model *m, double z,
		 size_t most)
{
	json_text_break(t);
	json_text_open(t, "other_findings", '[');
	for (size_t first = 0, end; first < all->n; first = end) {
		const struct other_finding *of = &all->item[first];
		struct others_sum sum = others_sum_of(all, first);
		end = others_section_end(all, first);
		json_text_break(t);
		json_text_open(t, NULL, '{');
		json_text_string(t, "analysis", of->finding->analysis->key);
		json_text_string(t, "found", of->finding->kind->name);
		json_text_string(t, "figure", of->figure->name);
		json_text_string(t, "unit", of->figure->unit);
		json_text_string(t, "counted", of->finding->kind->counted);
		json_text_whole(t, "seen", (int64_t)of->finding->count);
		json_amount(t, "likely", "likely_ci", &sum.likely, of->exact);
		json_amount(t, "possible", "possible_ci", &sum.possible, of->exact);
		json_text_whole(t, "accepted", (int64_t)others_accepted_of(all, of->finding));
		json_text_open(t, "findings", '[');
		for (size_t i = first; i < end && i - first < most; i++)
			json_other(t, &all->item[i], m, z);
		json_text_close(t, ']');
		json_text_close(t, '}');
	}
	json_text_close(t, ']');
}
