/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_columns.c - see html_columns.h. To show another figure in the page, add a VALUE and a COLUMN
 * here.
 */
#include "render/html/html_columns.h"

#include <math.h>

#include "base/json_put.h"

/* The same as in data.js. */
enum row_flags { ROW_CUT = 1, ROW_DEEP = 2, ROW_SAVED_DEEP = 4 };

struct number_column {
	const char *name;
	double (*value)(const struct row *row);
};

static double size_of(const struct row *row, bool largest)
{
	double size = NAN;

	for (size_t i = 0; i < row->ncontexts; i++)
		for (size_t k = 0; k < row->contexts[i]->nstrata; k++) {
			double s = (double)row->contexts[i]->strata[k].size;
			size = largest ? fmax(size, s) : fmin(size, s);
		}
	return size;
}

static double flags_of(const struct row *row)
{
	bool cut = row->common == row->stack.n && (row->stack.flags & WIRE_STACK_CUT);
	bool deep;

	replica_shown(&row->replica, &deep);
	return (cut ? ROW_CUT : 0) + (deep ? ROW_DEEP : 0) +
	       (replica_saved_deep(&row->replica) ? ROW_SAVED_DEEP : 0);
}

static double verdict_of_row(const struct row *row)
{
	bool deep;

	return replica_shown(&row->replica, &deep);
}

#define VALUE(name, expression)                           \
	static double name##_value(const struct row *row) \
	{                                                 \
		const struct replica *x = &row->replica;  \
		(void)x;                                  \
		return (double)(expression);              \
	}

VALUE(pid, row->pid)
VALUE(objects, x->objects)
VALUE(bytes, x->bytes)
VALUE(saved, replica_saved(x))
VALUE(sampled, x->sampled)
VALUE(size_min, size_of(row, false))
VALUE(size_max, size_of(row, true))
VALUE(fields_source, x->fields_source)
VALUE(verdict, verdict_of_row(row))
VALUE(flags, flags_of(row))
VALUE(pairs, x->pairs)
VALUE(a, x->a)
VALUE(b, x->b)
VALUE(c, x->c)
VALUE(theta, x->theta)
VALUE(theta_low, x->theta_ci.low)
VALUE(theta_high, x->theta_ci.high)
VALUE(alpha, x->alpha)
VALUE(omega, x->omega)
VALUE(gamma, x->gamma)
VALUE(identical, x->identical)
VALUE(identical_low, x->identical_ci.low)
VALUE(identical_high, x->identical_ci.high)
VALUE(scanned, x->scanned)
VALUE(group, x->largest_group)
VALUE(group_low, x->largest_group_ci.low)
VALUE(group_high, x->largest_group_ci.high)
VALUE(uses, row->uses)
VALUE(places, row->ncontexts)
VALUE(share, row->stack_share)
VALUE(common, row->common)
VALUE(deep, x->largest_deep)
VALUE(deep_low, x->largest_deep_ci.low)
VALUE(deep_high, x->largest_deep_ci.high)
VALUE(deep_scanned, x->deep_scanned)

#define COLUMN(name)                \
	{                           \
#name, name##_value \
	}
static const struct number_column columns_of_numbers[] = {
	COLUMN(pid),
	COLUMN(objects),
	COLUMN(bytes),
	COLUMN(saved),
	COLUMN(sampled),
	COLUMN(size_min),
	COLUMN(size_max),
	COLUMN(fields_source),
	COLUMN(verdict),
	COLUMN(flags),
	COLUMN(pairs),
	COLUMN(a),
	COLUMN(b),
	COLUMN(c),
	COLUMN(theta),
	COLUMN(theta_low),
	COLUMN(theta_high),
	COLUMN(alpha),
	COLUMN(omega),
	COLUMN(gamma),
	COLUMN(identical),
	COLUMN(identical_low),
	COLUMN(identical_high),
	COLUMN(scanned),
	COLUMN(group),
	COLUMN(group_low),
	COLUMN(group_high),
	COLUMN(deep),
	COLUMN(deep_low),
	COLUMN(deep_high),
	COLUMN(deep_scanned),
	COLUMN(uses),
	COLUMN(places),
	COLUMN(share),
	COLUMN(common),
};

void html_put_columns(FILE *out, const struct report *r)
{
	for (size_t k = 0; k < sizeof columns_of_numbers / sizeof columns_of_numbers[0]; k++) {
		fprintf(out, ",\n\"%s\":[", columns_of_numbers[k].name);
		for (size_t i = 0; i < r->shown; i++) {
			if (i > 0)
				putc(',', out);
			json_put_figure(out, columns_of_numbers[k].value(&r->rows->row[i]));
		}
		putc(']', out);
	}
}
