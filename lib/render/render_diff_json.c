/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_diff_json.c - a comparison as JSON; docs/json.md describes it. A value that was not
 * measured is null.
 */
#include <math.h>

#include "base/memtext.h"
#include "render/json_build.h"
#include "render/render_diff.h"
#include "render/render_json_rows.h"

static void put_change(struct json_text *t, const char *name, const struct diff_change *c)
{
	bool known = isfinite(c->range.low) && isfinite(c->range.high);

	json_text_open(t, name, '{');
	json_text_number(t, "old", c->from);
	json_text_number(t, "new", c->to);
	json_text_range(t, "change_ci", known ? c->range.low : NAN, c->range.high);
	json_text_string(t, "changed", estimate_verdict_name(c->verdict));
	json_text_close(t, '}');
}

static void put_changes(struct json_text *t, const struct diff_change *changes)
{
	for (int m = 0; m < DIFF_MEASURES; m++)
		put_change(t, column_name(diff_column((enum diff_measure)m)), &changes[m]);
}

/* ---- what is compared -------------------------------------------------------------------- */

static void put_recording(struct json_text *t, const char *name, const char *file,
			  const struct diff_side *side)
{
	json_text_open(t, name, '{');
	json_text_string(t, "file", file);
	render_json_command(t, &side->recording->command);
	json_text_number(t, "duration_s", side->recording->duration_s);
	json_text_number(t, "objects_sampled", (double)side->recording->sampled);
	json_text_close(t, '}');
}

static void put_options(struct json_text *t, const struct diff_report *r)
{
	const struct diff *d = r->diff;

	json_text_open(t, "options", '{');
	json_text_bool(t, "per_second", d->per_second);
	json_text_number(t, "threshold", d->options.threshold);
	json_text_number(t, "confidence", d->options.replica.confidence);
	json_text_number(t, "comparisons", d->comparisons);
	json_text_number(t, "finding_comparisons", r->lines->fix_comparisons);
	json_text_close(t, '}');
}

static void put_states(struct json_text *t, const char *name, const size_t *states,
		       const char *(*name_of)(enum diff_state state))
{
	json_text_open(t, name, '{');
	for (int s = 0; s < DIFF_STATES; s++)
		json_text_whole(t, name_of((enum diff_state)s), (int64_t)states[s]);
	json_text_close(t, '}');
}

/* Adds an object for each analysis that has headlines, with those that were seen. */
static void put_found(struct json_text *t, const struct diff *d)
{
	const struct analysis *of = NULL;

	for (size_t i = 0; i < d->nfound; i++) {
		const struct diff_found *f = &d->found[i];
		if (of && f->analysis != of)
			json_text_close(t, '}');
		if (f->analysis != of)
			json_text_open(t, f->analysis->key, '{');
		of = f->analysis;
		if (!isnan(f->change.from) || !isnan(f->change.to))
			put_change(t, f->kind->name, &f->change);
	}
	if (of)
		json_text_close(t, '}');
}

static void put_head(struct json_text *t, const struct diff_report *r)
{
	const struct diff *d = r->diff;

	json_put_ojx(t, r->version);
	put_recording(t, "old", r->from, &d->from);
	put_recording(t, "new", r->to, &d->to);
	json_text_string(t, "commands", diff_commands_name(diff_commands(d)));
	put_options(t, r);
	put_states(t, "states", d->states, diff_state_name);
	json_text_open(t, "total", '{');
	put_changes(t, d->total);
	json_text_close(t, '}');
	put_found(t, d);
}

/* ---- findings ---------------------------------------------------------------------------- */

/* Amounts of a finding that a recording lacks are those of what is made at its place. */
static void put_side(struct json_text *t, const char *name, const struct fix *f,
		     const struct diff *d, const struct diff_side *side)
{
	if (f)
		json_fix(t, name, f, side->recording->model, d->fix_z);
	else
		json_text_null(t, name);
}

static void put_fix(struct json_text *t, const struct diff *d, const struct diff_fix *f)
{
	struct memtext key;

	json_text_break(t);
	json_text_open(t, NULL, '{');
	json_text_string(t, "state", diff_fix_state_name(f->state));
	fix_put_key(memtext_begin(&key), diff_shown_fix(f));
	json_text_memtext(t, "key", &key);
	put_change(t, "avoidable", &f->avoidable);
	put_change(t, "bytes", &f->bytes);
	put_side(t, "old", f->from, d, &d->from);
	put_side(t, "new", f->to, d, &d->to);
	json_text_close(t, '}');
}

static void put_fixes(struct json_text *t, const struct diff_report *r)
{
	const struct diff *d = r->lines;
	size_t shown = 0;

	json_text_break(t);
	put_states(t, "finding_states", d->fix_states, diff_fix_state_name);
	put_change(t, "avoidable", &d->avoidable);
	json_text_open(t, "findings", '[');
	for (size_t i = 0; i < d->nfixes && shown < r->limit; i++) {
		if (!render_diff_shows_fix(r, &d->fix[i]))
			continue;
		put_fix(t, d, &d->fix[i]);
		shown++;
	}
	json_text_break(t);
	json_text_close(t, ']');
}

/* ---- rows -------------------------------------------------------------------------------- */

static const char *verdict_of(const struct row *row)
{
	return row ? replica_verdict_name(row->replica.own.verdict) : NULL;
}

static const char *verdict_deep(const struct row *row)
{
	return row && row->replica.deep.scanned ? replica_verdict_name(row->replica.deep.verdict)
						: NULL;
}

static void put_context(struct json_text *t, const struct diff_row *row)
{
	const struct row *shown = diff_shown(row);

	json_text_break(t);
	json_text_open(t, NULL, '{');
	json_text_string(t, "class", row_class(shown));
	json_stack(t, "alloc_stack", row_stack(shown), shown->common);
	json_text_string(t, "state", diff_state_name(row->state));
	json_text_string(t, "match", match_name(row->how));
	json_text_bool(t, "new_replica", row->new_replica);
	json_text_string(t, "old_verdict", verdict_of(row->from));
	json_text_string(t, "new_verdict", verdict_of(row->to));
	json_text_string(t, "old_verdict_deep", verdict_deep(row->from));
	json_text_string(t, "new_verdict_deep", verdict_deep(row->to));
	json_text_bool(t, "saved_deep", row->deep);
	json_text_number(t, "old_sampled", row->from ? (double)row->from->replica.sampled : 0);
	json_text_number(t, "new_sampled", row->to ? (double)row->to->replica.sampled : 0);
	put_changes(t, row->change);
	json_text_close(t, '}');
}

int render_diff_json(FILE *out, const struct diff_report *r)
{
	struct json_text t = { .out = out };
	size_t shown = 0;

	json_text_open(&t, NULL, '{');
	put_head(&t, r);
	put_fixes(&t, r);
	json_text_break(&t);
	json_text_open(&t, "contexts", '[');
	for (size_t i = 0; i < r->diff->n && shown < r->limit; i++) {
		if (!render_diff_shows(r, &r->diff->row[i]))
			continue;
		put_context(&t, &r->diff->row[i]);
		shown++;
	}
	json_text_break(&t);
	json_text_close(&t, ']');
	json_text_close(&t, '}');
	return json_text_end(&t);
}
