/* SPDX-License-Identifier: Apache-2.0 */
/* figure.c - see figure.h. */
#include "model/figure.h"

#include <math.h>
#include <string.h>

#include "base/units.h"

/* ---- units ------------------------------------------------------------------------------- */

static bool has_unit(const struct figure *f, const char *unit)
{
	return f->unit && strcmp(f->unit, unit) == 0;
}

bool figure_is_share(const struct figure *f)
{
	return has_unit(f, "share");
}

bool figure_is_bytes(const struct figure *f)
{
	return has_unit(f, "bytes");
}

bool figure_is_amount(const struct figure *f)
{
	return has_unit(f, "bytes") || has_unit(f, "count");
}

void figure_put(FILE *out, const struct figure *f, double value)
{
	char text[UNITS_TEXT];

	if (figure_is_bytes(f))
		fputs(units_bytes(text, value), out);
	else if (figure_is_share(f))
		fprintf(out, "%s %%", units_percent(text, value));
	else if (figure_is_amount(f))
		fputs(units_count(text, value), out);
	else
		fprintf(out, "%.6g", value);
}

/* ---- values and intervals ---------------------------------------------------------------- */

/* The member at an offset. A struct finding begins with the pointer to its own struct. */
static const void *member_at(const struct figure *f, const void *of, size_t offset)
{
	const char *holder = f->member.own ? *(const void *const *)of : of;

	return holder + offset;
}

double figure_of(const struct figure *f, const void *of)
{
	if (f->value)
		return f->value(of);
	const void *at = member_at(f, of, f->member.at);

	switch (f->member.type) {
	case FIGURE_UINT32:
		return *(const uint32_t *)at;
	case FIGURE_UINT64:
		return (double)*(const uint64_t *)at;
	default:
		return *(const double *)at;
	}
}

struct bounds_range figure_interval(const struct figure *f, const void *of, double z)
{
	if (f->range)
		return f->range(of, z);
	const double *ends = member_at(f, of, f->member.range);
	return (struct bounds_range){ ends[0], ends[1] };
}

bool figure_is_enough(const struct figure *f, const void *of, double least)
{
	return !f->evidence || f->evidence(of) >= least;
}

double figure_value(const struct figure *f, const void *of, double least)
{
	return figure_is_enough(f, of, least) ? figure_of(f, of) : NAN;
}

struct bounds_range figure_range(const struct figure *f, const void *of, double z)
{
	const struct bounds_range none = { NAN, NAN };
	struct bounds_range range = figure_has_range(f) ? figure_interval(f, of, z) : none;

	return isnan(range.low) || isnan(range.high) ? none : range;
}

double figure_order(const struct figure *f, const void *of, double z, double least)
{
	if (figure_has_range(f) && figure_is_share(f))
		return figure_interval(f, of, z).low;
	return figure_value(f, of, least);
}

double figure_end(const struct figure *f, const void *of, double z, double least, bool upper)
{
	if (!figure_has_range(f))
		return figure_value(f, of, least);
	struct bounds_range range = figure_interval(f, of, z);
	return isnan(figure_of(f, of)) ? NAN : upper ? range.high : range.low;
}
