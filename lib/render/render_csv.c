/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_csv.c - the contexts as a table for spreadsheets and data frames: RFC 4180, a line for
 * each context, under the names that the JSON report has (docs/json.md); the ends of an interval
 * are two columns, and a stack is one. Numbers are as they are, without units; what was not
 * measured is empty.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/json_put.h"
#include "render/csv_put.h"
#include "render/metrics.h"
#include "render/render_findings.h"

/* The numbers of an analysis, as they are stored; an interval has two columns. */
enum csv_kind { CSV_REAL, CSV_COUNT, CSV_INTERVAL };

struct csv_number {
	const char *name;
	enum csv_kind kind;
	size_t offset; /* in struct replica */
};

#define AT(name, kind, member)                               \
	{                                                    \
		name, kind, offsetof(struct replica, member) \
	}
#define REAL(member)	 AT(#member, CSV_REAL, member)
#define COUNT(member)	 AT(#member, CSV_COUNT, member)
#define INTERVAL(member) AT(#member, CSV_INTERVAL, member)

static const struct csv_number numbers[] = {
	REAL(objects),
	REAL(bytes),
	COUNT(sampled),
	COUNT(pairs),
	COUNT(a),
	COUNT(b),
	COUNT(c),
	REAL(unused),
	REAL(theta),
	INTERVAL(theta_ci),
	REAL(alpha),
	REAL(omega),
	REAL(gamma),
	REAL(identical),
	INTERVAL(identical_ci),
	COUNT(scanned),
	REAL(largest_group),
	INTERVAL(largest_group_ci),
	COUNT(deep_scanned),
	REAL(deep_cut),
	AT("largest_group_deep", CSV_REAL, largest_deep),
	AT("largest_group_deep_ci", CSV_INTERVAL, largest_deep_ci),
	REAL(distinct),
	REAL(distinct_deep),
	REAL(saved_bytes),
	INTERVAL(saved_bytes_ci),
	REAL(saved_objects),
	INTERVAL(saved_objects_ci),
	AT("saved_bytes_deep", CSV_REAL, saved_deep_bytes),
	AT("saved_bytes_deep_ci", CSV_INTERVAL, saved_deep_bytes_ci),
	AT("saved_objects_deep", CSV_REAL, saved_deep_objects),
	AT("saved_objects_deep_ci", CSV_INTERVAL, saved_deep_objects_ci),
	AT("saved_bytes_at_end", CSV_REAL, saved_end_bytes),
	COUNT(used_alike),
	COUNT(used_same),
	AT("dedup_bytes", CSV_REAL, dedup_ci.low),
	AT("dedup_bytes_ci", CSV_INTERVAL, dedup_ci),
	REAL(live_sampled),
	REAL(live_objects),
	INTERVAL(live_objects_ci),
	REAL(live_bytes),
	INTERVAL(live_bytes_ci),
	AT("saved_live_bytes", CSV_REAL, saved_live_ci.low),
	AT("saved_live_bytes_ci", CSV_INTERVAL, saved_live_ci),
	AT("saved_live_bytes_deep", CSV_REAL, saved_live_deep_ci.low),
	AT("saved_live_bytes_deep_ci", CSV_INTERVAL, saved_live_deep_ci),
	AT("dedup_live_bytes", CSV_REAL, dedup_live_ci.low),
	AT("dedup_live_bytes_ci", CSV_INTERVAL, dedup_live_ci),
	REAL(identity),
	INTERVAL(identity_ci),
	REAL(immutable),
	INTERVAL(immutable_ci),
	REAL(lasting),
	REAL(constant),
	INTERVAL(constant_ci),
};
enum { NUMBERS = sizeof numbers / sizeof numbers[0] };

/* ---- lines ------------------------------------------------------------------------------- */

static void put_number(FILE *out, const struct replica *x, const struct csv_number *n)
{
	const void *at = (const char *)x + n->offset;
	const struct replica_interval *ci;

	switch (n->kind) {
	case CSV_REAL:
		csv_put_real(out, *(const double *)at);
		break;
	case CSV_COUNT:
		json_put_whole(out, *(const uint64_t *)at);
		break;
	case CSV_INTERVAL:
		ci = at;
		csv_put_interval(out, ci->low, ci->high);
		break;
	}
}

static void put_header(FILE *out)
{
	fputs("class,pid,verdict,verdict_deep,source", out);
	for (size_t i = 0; i < NUMBERS; i++) {
		const char *name = numbers[i].name;
		if (numbers[i].kind == CSV_INTERVAL)
			fprintf(out, ",%s_low,%s_high", name, name);
		else
			fprintf(out, ",%s", name);
	}
	fputs(",saved_presumed,alloc_stack_cut,alloc_stack\r\n", out);
}

static void put_line(FILE *out, const struct row *row)
{
	const struct replica *x = &row->replica;
	bool cut = row->common == row->stack.n && (row->stack.flags & WIRE_STACK_CUT);

	csv_put_text(out, row_class(row));
	fprintf(out, ",%d,", row->pid);
	csv_put_text(out, replica_verdict_name(x->verdict));
	putc(',', out);
	csv_put_text(out, x->deep_scanned ? replica_verdict_name(x->verdict_deep) : NULL);
	putc(',', out);
	csv_put_text(out, replica_source_name(x->source));
	for (size_t i = 0; i < NUMBERS; i++) {
		putc(',', out);
		put_number(out, x, &numbers[i]);
	}
	fprintf(out, ",false,%s,", cut && row->stack.n > 0 ? "true" : "false");
	csv_put_stack(out, &row->stack, row->common);
	fputs("\r\n", out);
}

static void put_contexts(FILE *out, const struct report *r)
{
	put_header(out);
	for (size_t i = 0; i < r->shown && !ferror(out); i++)
		put_line(out, &r->rows->row[i]);
}

int render_csv(FILE *out, const struct report *r)
{
	if (r->metric->analysis)
		render_csv_findings(out, r);
	else
		put_contexts(out, r);
	return ferror(out) ? -1 : 0;
}
