/* SPDX-License-Identifier: Apache-2.0 */
/* units.c - see units.h. */
#include "base/units.h"

#include <math.h>
#include <stdio.h>

static const char *not_measured(char *text)
{
	snprintf(text, UNITS_TEXT, "-");
	return text;
}

/*
 * One decimal if there are fewer than three digits before the point. 999.6 would round to "1000",
 * so it takes the next unit.
 */
static const struct units_step counts[] = {
	{ 999.5, 1, 0, "", 0, NULL },	     { 99.95e3, 1e3, 1, "k", 0, NULL },
	{ 999.5e3, 1e3, 0, "k", 0, NULL },   { 99.95e6, 1e6, 1, "M", 0, NULL },
	{ 999.5e6, 1e6, 0, "M", 0, NULL },   { 99.95e9, 1e9, 1, "G", 0, NULL },
	{ 999.5e9, 1e9, 0, "G", 0, NULL },   { 99.95e12, 1e12, 1, "T", 0, NULL },
	{ INFINITY, 1e12, 0, "T", 0, NULL },
};

#define KB   1024.0
#define MB   (1024 * KB)
#define GB   (1024 * MB)
#define TB   (1024 * GB)
#define MOST 1023.488 /* of a unit: as 999.5 is of a thousand */

static const struct units_step sizes[] = {
	{ MOST, 1, 0, "B", 0, NULL },	     { 99.95 * KB, KB, 1, "kB", 0, NULL },
	{ MOST * KB, KB, 0, "kB", 0, NULL }, { 99.95 * MB, MB, 1, "MB", 0, NULL },
	{ MOST * MB, MB, 0, "MB", 0, NULL }, { 99.95 * GB, GB, 1, "GB", 0, NULL },
	{ MOST * GB, GB, 0, "GB", 0, NULL }, { 99.95 * TB, TB, 1, "TB", 0, NULL },
	{ INFINITY, TB, 0, "TB", 0, NULL },
};

static const struct units_step times[] = {
	{ 0.9995, 1e-3, 0, "ms", 0, NULL },
	{ 99.95, 1, 1, "s", 0, NULL },
	{ 3599.5, 1, 0, "min", 60, "s" },
	{ INFINITY, 60, 0, "h", 60, "min" },
};

const struct units_scale units_scales[] = {
	{ "count", counts },
	{ "bytes", sizes },
	{ "seconds", times },
	{ NULL, NULL },
};

static const char *scaled(char *text, double value, const struct units_step *step)
{
	if (isnan(value))
		return not_measured(text);
	while (!isinf(step->below) && fabs(value) >= step->below)
		step++;
	double shown = value / step->one, parts = step->parts;
	if (parts > 0)
		snprintf(text, UNITS_TEXT, "%.0f %s %.0f %s", floor(round(shown) / parts),
			 step->unit, fmod(round(shown), parts), step->part);
	else
		snprintf(text, UNITS_TEXT, "%.*f%s%s", step->digits, shown,
			 step->unit[0] ? " " : "", step->unit);
	return text;
}

const char *units_count(char text[UNITS_TEXT], double count)
{
	return scaled(text, count, counts);
}

const char *units_rate(char text[UNITS_TEXT], double rate)
{
	if (!(rate > 0 && rate < 9.95))
		return units_count(text, rate);
	if (rate < 0.05)
		snprintf(text, UNITS_TEXT, "under 0.1");
	else
		snprintf(text, UNITS_TEXT, "%.1f", rate);
	return text;
}

const char *units_bytes(char text[UNITS_TEXT], double bytes)
{
	return scaled(text, bytes, sizes);
}

const char *units_percent(char text[UNITS_TEXT], double share)
{
	if (isnan(share))
		return not_measured(text);
	double percent = share * 100;
	if (percent > 0 && percent < 0.1)
		snprintf(text, UNITS_TEXT, "<0.1");
	else if (percent < 100 && percent > 99.9)
		snprintf(text, UNITS_TEXT, ">99.9");
	else
		snprintf(text, UNITS_TEXT, "%.1f", percent);
	return text;
}

const char *units_seconds(char text[UNITS_TEXT], double seconds)
{
	return scaled(text, seconds, times);
}
