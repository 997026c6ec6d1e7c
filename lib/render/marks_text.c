/* SPDX-License-Identifier: Apache-2.0 */
/* marks_text.c - see marks_private.h. */
#include "render/marks_private.h"

#include "base/names.h"
#include "base/units.h"
#include "model/frame_text.h"
#include "render/render_findings.h"
#include "report/advice.h"

static const struct style plain = { .utf8 = true };

/* ---- rows ---------------------------------------------------------------------------------- */

/* " (JVMs 4711, 4712)"; nothing if the recording has one JVM. */
static void put_pids(FILE *out, const struct mark *m)
{
	for (size_t i = 0; i < m->npids; i++) {
		fputs(i ? ", " : m->npids > 1 ? " (JVMs " : " (JVM ", out);
		fprintf(out, "%d", (int)m->pids[i]);
	}
	fputs(m->npids ? ")" : "", out);
}

static void put_row_title(FILE *out, const struct mark *m)
{
	const struct replica *x = &m->row->replica;
	char text[UNITS_TEXT];
	bool deep;

	style_put(out, &plain, names_simple(row_class(m->row)));
	if (replica_saved(x) > 0) {
		fprintf(out, ": likely %s are duplicate", units_bytes(text, replica_likely(x)));
	} else {
		fprintf(out, ": %s, %s", units_bytes(text, x->bytes),
			replica_verdict_name(replica_shown(x, &deep)));
		fputs(deep ? " (deep)" : "", out);
	}
	put_pids(out, m);
}

static int put_row_text(FILE *out, const struct report *r, const struct row *row)
{
	struct advice_facts facts;

	render_amounts(out, r, &plain, row);
	if (advice_facts_collect(&facts, row) < 0)
		return -1;
	const struct advice_rule *rule = advice_find(&facts);
	if (rule) {
		fputs("Problem: ", out);
		advice_put(out, &plain, &facts, rule->problem);
		fputs("\nFix: ", out);
		advice_put(out, &plain, &facts, rule->fix);
		putc('\n', out);
	}
	advice_facts_release(&facts);
	return 0;
}

/* ---- findings ------------------------------------------------------------------------------ */

static void put_found_title(FILE *out, const struct mark *m)
{
	const struct finding_kind *kind = m->finding->kind;
	char text[UNITS_TEXT];

	fprintf(out, "%s: %s %% of the %s", kind->title, units_percent(text, m->share),
		kind->counted);
	put_pids(out, m);
}

/* "stored at Shop.load:12 and stored again, unread, at Shop.store:20" */
static void put_places(FILE *out, const struct finding_table_kind *t, const struct mark *m)
{
	fprintf(out, "%s ", t->stack_title[0]);
	frame_put_site(out, &plain, m->frame);
	if (m->second) {
		fprintf(out, " %s ", t->stack_title[1]);
		frame_put_site(out, &plain, m->second);
	}
}

static void put_found_text(FILE *out, const struct finding_table_kind *t, const struct mark *m)
{
	for (size_t i = 0; i < m->nfound; i++) {
		render_finding_head(out, &plain, m->finding, t, m->found[i]);
		if (i == 0) {
			fputs(", ", out);
			put_places(out, t, m);
		}
		if (m->npids > 1)
			fprintf(out, " (JVM %d)", (int)m->pids[i]);
		putc('\n', out);
		if (t->lines)
			t->lines(out, &plain, m->finding, m->found[i]);
	}
}

/* ---- both ---------------------------------------------------------------------------------- */

void mark_put_title(FILE *out, const struct mark *m)
{
	if (m->row)
		put_row_title(out, m);
	else
		put_found_title(out, m);
}

int mark_put_text(FILE *out, const struct mark *m, const struct report *r,
		  const struct finding_table_kind *table)
{
	if (m->row)
		return put_row_text(out, r, m->row);
	put_found_text(out, table, m);
	return 0;
}
