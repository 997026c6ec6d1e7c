/* SPDX-License-Identifier: Apache-2.0 */
/*
 * units_text.c - numbers and what the tool's texts make of them (lib/base/units.h), as JSON on
 * standard output: [[scale, number, text], ...]. The page has to make the same of them
 * (test/t_html.py).
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/rng.h"
#include "base/units.h"

static const struct scale {
	const char *name;
	const char *(*put)(char text[UNITS_TEXT], double number);
} scales[] = {
	{ "count", units_count },
	{ "bytes", units_bytes },
	{ "seconds", units_seconds },
	{ "percent", units_percent },
};

static void put(double number, bool first)
{
	char text[UNITS_TEXT];

	for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
		if (number > 1 && scales[i].put == units_percent)
			continue;
		printf("%s[\"%s\",%.17g,\"%s\"]", first && i == 0 ? "[" : ",\n", scales[i].name,
		       number, scales[i].put(text, number));
	}
}

int main(void)
{
	struct rng rng = { 1 };

	put(0, true);
	/* around every power, where digits and units change, and in the middle of two digits */
	for (int base = 1000; base <= 1024; base += 24)
		for (int power = 0; power <= 5; power++)
			for (int tenths = 1; tenths <= 10000; tenths = tenths * 10)
				for (int k = -6; k <= 6; k++)
					put((tenths / 10.0 + k * 0.05) * pow(base, power), false);
	for (int eighths = 0; eighths < 200; eighths++) {
		put(eighths / 8.0, false);
		put(eighths / 8.0 * 1024, false);
		put(eighths / 8.0 * 1000, false);
	}
	for (int s = 50; s < 7300; s += 5)
		put(s + 0.5, false);
	for (int i = 0; i < 2000; i++)
		put(exp(30 * rng_unit(&rng) - 8), false);
	puts("]");
	return 0;
}
