/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_row.c - the block of one row: the verdict, its evidence, and where the objects are
 * allocated. Other files write fields and uses.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/shares.h"
#include "base/sort.h"
#include "base/units.h"
#include "model/platform.h"
#include "render/render.h"

/*
 * ---- shows where the objects of a row are used. With deep stacks, one use is spread over
 * many access contexts. Only the innermost frames are shown, so contexts with the same
 * innermost frames are added up.
 */

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

/* The places, sorted by their uses. */
static struct place *make_places(const struct report *r, const struct row *row, size_t *n)
{
	const struct replica_details *x = row_details(row);
	struct place *places = xcalloc(x->naccesses, sizeof *places);

	for (size_t i = 0; i < x->naccesses; i++) {
		const struct replica_access *a = &x->accesses[i];
		struct callstack stack;
		xcallstack_resolve(&stack, r->recording->model, a->jvm, a->stack);
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
	qsort(places, x->naccesses, sizeof *places, compare_hashes);
	*n = add_up(places, x->naccesses);
	qsort(places, *n, sizeof *places, compare_uses);
	return places;
}

/* "1 of 2 uses", "40.0 % of the uses" */
static const char *of_uses(uint64_t uses)
{
	return uses >= SHARE_FEW ? " of the uses" : uses == 1 ? " use" : " uses";
}

static void put_place(FILE *out, const struct report *r, const struct style *s,
		      const struct row *row, const struct place *p, uint64_t uses)
{
	struct callstack stack;
	char text[UNITS_TEXT];

	xcallstack_resolve(&stack, r->recording->model, p->jvm, p->stack);
	fprintf(out, "    %7s%s",
		share_among(text, uses ? (double)p->uses / (double)uses : 0, p->uses, uses),
		of_uses(uses));
	if (p->pairs)
		fprintf(out, "; value equal in %llu of %llu pair%s", (unsigned long long)p->equal,
			(unsigned long long)p->pairs, p->pairs == 1 ? "" : "s");
	if (stack.n > 0 && frame_is_only_near(&stack.frames[0], row_class(row)))
		fputs(", near", out);
	putc('\n', out);
	/* further out, the contexts that were added up differ */
	stack.flags = 0;
	if (stack.n > r->access_frames)
		stack.n = r->access_frames;
	render_stack(out, s, &stack, r->access_frames, "        ");
	callstack_release(&stack);
}

void render_accesses(FILE *out, const struct report *r, const struct style *s,
		     const struct row *row)
{
	uint64_t uses = 0, rest = 0;
	size_t n;
	char text[UNITS_TEXT];

	if (row_details(row)->naccesses == 0)
		return;
	struct place *places = make_places(r, row, &n);
	for (size_t i = 0; i < n; i++)
		uses += places[i].uses;
	fputs("\n    used at\n", out);
	for (size_t i = 0; i < n; i++) {
		if (i >= MAX_PLACES)
			rest += places[i].uses;
		else
			put_place(out, r, s, row, &places[i], uses);
	}
	if (n > MAX_PLACES && uses)
		fprintf(out, "    %7s%s at %zu more place%s\n",
			share_among(text, (double)rest / (double)uses, rest, uses), of_uses(uses),
			n - MAX_PLACES, n - MAX_PLACES == 1 ? "" : "s");
	free(places);
}

#define INDENT "    "

/* ---- sizes -------------------------------------------------------------------------------- */

struct sizes {
	uint64_t least, most; /* bytes; most is 0 if none is known */
};

static struct sizes sizes_of(const struct row *row)
{
	struct sizes s = { .least = UINT64_MAX };

	for (size_t i = 0; i < row->ncontexts; i++)
		for (size_t k = 0; k < row->contexts[i]->nstrata; k++) {
			uint64_t size = row->contexts[i]->strata[k].size;
			s.least = size < s.least ? size : s.least;
			s.most = size > s.most ? size : s.most;
		}
	return s;
}

static bool sizes_vary(const struct row *row)
{
	const struct sizes s = sizes_of(row);

	return s.least < s.most;
}

/* ---- the verdict ---------------------------------------------------------------------------- */

/* Why objects that are alike at the end are not called replicas. */
static const char *doubt_of(const struct replica_decision *d)
{
	switch (d->doubt) {
	case DOUBT_IDENTITY:
		return "alike, but each may be needed for itself: locked, hashed by identity, or "
		       "without fields";
	case DOUBT_CHANGES:
		return "alike at the end of life, but some were not when used: they change";
	case DOUBT_REFERRED:
		return "alike at the end of life; what they refer to could have changed before";
	default:
		return "alike at the end of life; of too few is it known that they were before";
	}
}

/* What was found. What to do is in the advice (advice.h), if there is any. */
static const char *finding(enum replica_verdict v, const struct replica_decision *d, bool vary)
{
	switch (v) {
	case VERDICT_REPLICA:
		return vary ? "most are equal to others of their size" : "one content dominates";
	case VERDICT_FEW_VALUES:
		return "many are equal to others, though no content dominates";
	case VERDICT_SOME_EQUAL:
		return "merging equal objects saves a quarter or more; half is not proven";
	case VERDICT_CHANGING:
		return "they change after their first use; as they are, sharing saves at most 25 %";
	case VERDICT_PARTIAL:
		return "equal but for some fields; split them off, or share the rest";
	case VERDICT_DISTINCT:
		return "a cache of 16 values saves at most 25 %";
	case VERDICT_ALIKE:
		return doubt_of(d);
	default:
		return "too little evidence";
	}
}

/* Writes how many more snapshots a verdict needs, and how long they take at the present rate. */
static void put_missing(FILE *out, const struct report *r, const struct row *row,
			const struct replica_decision *d)
{
	double seconds = row_seconds_missing(row, r->recording->duration_s);
	char text[UNITS_TEXT];

	if (!(d->missing >= 1))
		fputs("too little evidence", out);
	else if (isinf(d->missing))
		fputs("more snapshots like these would not be enough", out);
	else
		fprintf(out, "about %s more snapshot%s would decide it",
			units_count(text, d->missing), d->missing == 1 ? "" : "s");
	if (!isnan(seconds))
		fprintf(out, ", another %s", units_seconds(text, seconds));
	putc('\n', out);
}

static void put_verdict(struct evidence *e, const struct report *r, const struct row *row)
{
	FILE *out = e->out;
	const struct style *s = e->style;
	const struct replica *x = &row->replica;
	const bool vary = sizes_vary(row);
	bool deep;
	enum replica_verdict verdict = replica_shown(x, &deep);

	evidence_label(e, "verdict");
	fprintf(out, "%s%s%s%s: ", style_on(s, INK_BOLD), replica_verdict_name(verdict),
		deep ? " (deep)" : "", style_off(s, INK_BOLD));
	if (verdict == VERDICT_UNKNOWN)
		put_missing(out, r, row, replica_decided(x));
	else if (deep)
		fprintf(out, "with what they refer to, %s\n",
			finding(verdict, &x->deep.decision, vary));
	else if (verdict == VERDICT_PARTIAL && render_partial(out, r, s, row))
		putc('\n', out);
	else
		fprintf(out, "%s\n", finding(verdict, &x->own.decision, vary));
}

/* ---- what was allocated -------------------------------------------------------------------- */

static void put_sizes(FILE *out, const struct row *row)
{
	struct sizes s = sizes_of(row);
	char low[UNITS_TEXT], high[UNITS_TEXT];

	if (s.most == 0)
		return;
	units_bytes(high, (double)s.most);
	if (s.least == s.most)
		fprintf(out, "%s each, ", high);
	else
		fprintf(out, "of %s to %s, ", units_bytes(low, (double)s.least), high);
}

static void put_allocated(struct evidence *e, const struct row *row)
{
	FILE *out = e->out;
	const struct replica *x = &row->replica;
	char text[UNITS_TEXT];

	evidence_label(e, "allocated");
	fprintf(out, "%s in ", units_bytes(text, x->bytes));
	fprintf(out, "%s objects (", units_count(text, x->objects));
	put_sizes(out, row);
	fprintf(out, "%llu sampled)", (unsigned long long)x->sampled);
	putc('\n', out);
}

/* ---- evidence ---------------------------------------------------------------------------- */

static void put_counts(FILE *out, const struct replica *x)
{
	fprintf(out, ": %llu with equal content, %llu with an equal value only, %llu different\n",
		(unsigned long long)x->a, (unsigned long long)x->b, (unsigned long long)x->c);
}

/*
 * The pairs that are counted have objects of one size each, but the shares are of all pairs. So if
 * sizes vary, the shares cannot be computed from the counts.
 */
static void put_pairs(struct evidence *e, const struct report *r, const struct row *row)
{
	FILE *out = e->out;
	const struct style *s = e->style;
	const struct replica *x = &row->replica;
	bool vary = sizes_vary(row);

	evidence_label(e, "pairs");
	if (x->pairs < r->min_pairs) {
		fprintf(out, "too few pairs (%llu < %llu) for any share",
			(unsigned long long)x->pairs, (unsigned long long)r->min_pairs);
		if (x->pairs)
			put_counts(out, x);
		else
			putc('\n', out);
		return;
	}
	fprintf(out, "%llu%s", (unsigned long long)x->pairs, vary ? " of one size" : "");
	put_counts(out, x);
	evidence_label(e, "");
	render_share(out, s, style_glyph(s, GLYPH_THETA), x->theta, &x->theta_ci);
	fputs("  ", out);
	render_share(out, s, style_glyph(s, GLYPH_ALPHA), x->alpha, NULL);
	fputs("  ", out);
	render_share(out, s, style_glyph(s, GLYPH_OMEGA), x->omega, NULL);
	fputs("  ", out);
	render_share(out, s, style_glyph(s, GLYPH_GAMMA), x->gamma, NULL);
	fputs("  ", out);
	render_share(out, s, "identical", x->identical, &x->identical_ci);
	fputs(vary ? "; of all pairs: other sizes are other contents\n" : "\n", out);
}

/* Where the evidence comes from, and what it cannot tell. */
static void put_source(struct evidence *e, const struct row *row)
{
	FILE *out = e->out;

	evidence_label(e, "source");
	if (row->replica.source == REPLICA_WATCH)
		fputs("watch (content when used)", out);
	else if (row->replica.source == REPLICA_SCAN)
		fputs("scan (content at the end of life)", out);
	else
		fputs("none", out);
	if (row->references)
		fputs("; holds references: compared between two GCs only", out);
	if (row->partial)
		fputs("; large: a part of the content was compared", out);
	putc('\n', out);
}

static void put_uses(struct evidence *e, const struct row *row)
{
	FILE *out = e->out;
	char text[UNITS_TEXT];

	if (row->watches == 0)
		return;
	evidence_label(e, "uses");
	if (row->unused == row->watches) {
		fprintf(out,
			"none of %llu watch%s saw one: not used here, or by another thread only\n",
			(unsigned long long)row->watches, row->watches == 1 ? "" : "es");
		return;
	}
	fprintf(out, "%llu of %llu watch%s saw one",
		(unsigned long long)(row->watches - row->unused), (unsigned long long)row->watches,
		row->watches == 1 ? "" : "es");
	if (row->uses && row->uses_remote == row->uses)
		fputs("; all that were seen came from another thread", out);
	else if (row->uses_remote)
		fprintf(out, "; %s of those seen came from another thread",
			share_among(text, (double)row->uses_remote / (double)row->uses,
				    row->uses_remote, row->uses));
	putc('\n', out);
}

/* Writes a stack; if its callers are told already, up to the line. */
static void put_allocation(FILE *out, const struct report *r, const struct style *s,
			   const struct row *row, bool told)
{
	struct callstack stack = *row_stack(row);
	char text[UNITS_TEXT];

	if (told && stack.n > callstack_line(&stack)) {
		stack.n = callstack_line(&stack) + 1;
		stack.flags = 0;
	}
	fputs("\n" INDENT "allocated at", out);
	if (row->ncontexts > 1 && r->grouping == ROWS_BY_LINE && !told)
		fprintf(out, " %zu places; one of them is", row->ncontexts);
	else if (row->ncontexts > 1 && r->grouping != ROWS_BY_CONTEXT)
		fprintf(out, " %zu places; %s (%s %%) at", row->ncontexts,
			row->stack_share > 0.5 ? "most of it" : "the largest part",
			units_percent(text, row->stack_share));
	putc('\n', out);
	if (row_is_other(row))
		fputs(INDENT "    (stacks for which there was no room, see 'limit')\n", out);
	else
		render_stack(out, s, &stack, r->stack_frames, INDENT);
}

/* ---- the block --------------------------------------------------------------------------- */

static void put_heading(FILE *out, const struct report *r, const struct style *s,
			const struct row *row, size_t rank)
{
	fprintf(out, "\n%s%zu. ", style_on(s, INK_BOLD), rank);
	style_put(out, s, row_class(row));
	if (row->common > 0) {
		fputs(" at ", out);
		row_put_site(out, s, row);
	}
	if (model_njvms(r->recording->model) > 1)
		fprintf(out, ", JVM %d", row->row.pid);
	fprintf(out, "%s\n", style_off(s, INK_BOLD));
}

/* The end of each line is where the next one begins; the line feed is left out. */
static void find_ends(struct evidence *e)
{
	for (size_t i = 0; i < e->n; i++) {
		size_t end = i + 1 < e->n ? e->line[i + 1].at : e->text.len;
		e->line[i].len = end - e->line[i].at - 1;
	}
}

void evidence_collect(struct evidence *e, const struct report *r, const struct style *s,
		      const struct row *row)
{
	*e = (struct evidence){ .style = s };
	e->out = memtext_begin(&e->text);
	render_advice(e, row);
	put_verdict(e, r, row);
	put_allocated(e, row);
	render_saved(e, r, row);
	render_live(e, row);
	put_pairs(e, r, row);
	render_scan(e, r, row);
	put_source(e, row);
	put_uses(e, row);
	e->bytes = memtext_end(&e->text);
	find_ends(e);
}

void evidence_release(struct evidence *e)
{
	free(e->bytes);
}

static void put_evidence(FILE *out, const struct report *r, const struct style *s,
			 const struct row *row)
{
	struct evidence e;

	evidence_collect(&e, r, s, row);
	for (size_t i = 0; i < e.n; i++) {
		const struct evidence_line *line = &e.line[i];
		enum ink ink = *line->label ? INK_DIM : INK_PLAIN;
		fprintf(out, INDENT "%s%-11s%s%.*s\n", style_on(s, ink), line->label,
			style_off(s, ink), (int)line->len, e.bytes + line->at);
	}
	evidence_release(&e);
}

void render_detail(FILE *out, const struct report *r, const struct style *s, size_t i)
{
	render_detail_of(out, r, s, rows_at(r->rows, i), i + 1);
}

void render_detail_of(FILE *out, const struct report *r, const struct style *s,
		      const struct row *row, size_t number)
{
	put_heading(out, r, s, row, number);
	put_evidence(out, r, s, row);
	bool told = render_callers(out, r, s, row);
	put_allocation(out, r, s, row, told);
	render_fields(out, r, s, row);
	render_accesses(out, r, s, row);
}
