/* SPDX-License-Identifier: Apache-2.0 */
/* shares.c - see shares.h. */
#include "base/shares.h"

#include <inttypes.h>
#include <math.h>

#define FAR  0.1    /* of the upper end: if the lower one is 0, less is only as good as 0 */
#define NONE 0.0005 /* a smaller share is shown as that of nothing, or as less than 0.1 % */

void share_put(FILE *out, double share)
{
	char text[UNITS_TEXT];

	fprintf(out, "%s %%", units_percent(text, share));
}

/* Rounded outwards, to whole percent. */
static double percent_below(double share)
{
	return floor(share * 100);
}

static double percent_above(double share)
{
	return ceil(share * 100);
}

bool share_says_nothing(double low, double high)
{
	return isnan(low) || isnan(high) || (percent_below(low) <= 0 && percent_above(high) >= 100);
}

void share_put_ends(FILE *out, const struct style *s, double low, double high)
{
	fprintf(out, "[%.0f%s%.0f]", percent_below(low), style_glyph(s, GLYPH_DASH),
		percent_above(high));
}

void share_put_estimate(FILE *out, const struct style *s, double share, double low, double high)
{
	const bool ends = !isnan(low) && !isnan(high);

	if (isnan(share) || (ends && share_says_nothing(low, high))) {
		fputs(style_glyph(s, GLYPH_DASH), out);
	} else if (ends && (share < NONE || (percent_below(low) <= 0 && share < FAR * high))) {
		fprintf(out, "at most %.0f %%", percent_above(high));
	} else {
		share_put(out, share);
		if (ends) {
			putc(' ', out);
			share_put_ends(out, s, low, high);
		}
	}
}

const char *share_among(char text[UNITS_TEXT], double share, uint64_t n, uint64_t of)
{
	char percent[UNITS_TEXT];

	if (of < SHARE_FEW)
		snprintf(text, UNITS_TEXT, "%" PRIu64 " of %" PRIu64, n, of);
	else
		snprintf(text, UNITS_TEXT, "%.20s %%", units_percent(percent, share));
	return text;
}
