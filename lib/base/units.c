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

/* Shows one decimal if there are fewer than three digits before the point. */
static const char *scaled(char *text, double value, double base, const char *const *units)
{
	int i = 0;

	/* 999.6 would round to "1000", so it takes the next unit */
	while (units[i + 1] && fabs(value) >= base - (base == 1000 ? 0.5 : 0.5 * base / 1000)) {
		value /= base;
		i++;
	}
	int digits = i > 0 && fabs(value) < 99.95 ? 1 : 0;
	snprintf(text, UNITS_TEXT, "%.*f%s%s", digits, value, units[i][0] ? " " : "", units[i]);
	return text;
}

const char *units_count(char text[UNITS_TEXT], double count)
{
	static const char *const units[] = { "", "k", "M", "G", "T", NULL };

	return isnan(count) ? not_measured(text) : scaled(text, count, 1000, units);
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
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB", NULL };

	return isnan(bytes) ? not_measured(text) : scaled(text, bytes, 1024, units);
}

const char *units_percent(char text[UNITS_TEXT], double share)
{
	if (isnan(share))
		return not_measured(text);
	double percent = share * 100;
	if (percent > 0 && percent < 0.1)
		percent = 0.1;
	if (percent < 100 && percent > 99.9)
		percent = 99.9;
	snprintf(text, UNITS_TEXT, "%.1f", percent);
	return text;
}

const char *units_seconds(char text[UNITS_TEXT], double seconds)
{
	if (isnan(seconds))
		return not_measured(text);
	if (seconds < 0.9995)
		snprintf(text, UNITS_TEXT, "%.0f ms", seconds * 1e3);
	else if (seconds < 99.95)
		snprintf(text, UNITS_TEXT, "%.1f s", seconds);
	else if (seconds < 3599.5)
		snprintf(text, UNITS_TEXT, "%.0f min %.0f s", floor(round(seconds) / 60),
			 fmod(round(seconds), 60));
	else
		snprintf(text, UNITS_TEXT, "%.0f h %.0f min", floor(round(seconds / 60) / 60),
			 fmod(round(seconds / 60), 60));
	return text;
}
