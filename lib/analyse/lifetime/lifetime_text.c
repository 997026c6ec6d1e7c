/* SPDX-License-Identifier: Apache-2.0 */
/* lifetime_text.c - see lifetime_text.h. What is not known is said to be unknown. */
#include "analyse/lifetime/lifetime_text.h"

#include <math.h>

#include "analyse/lifetime/lifetime.h"
#include "base/shares.h"
#include "base/units.h"

#define LEAST_AGES 4   /* fewer make no sparkline */
#define NEARLY_ALL 0.9 /* of the objects; if more are known, their share is not mentioned */

/* "83 % [70-95]", "at most 40 %" */
static void put_share(FILE *out, const struct style *s, const struct estimate *e)
{
	const double share = isnan(e->value) || !(e->range.low > 0) ? 0 : e->value;

	share_put_estimate(out, s, share, e->range.low, e->range.high);
}

/* ---- the finding --------------------------------------------------------------------------- */

static bool says_nothing(const struct estimate *e)
{
	return share_says_nothing(e->range.low, e->range.high);
}

static void put_all_uses(FILE *out, const struct style *s, const struct lifetime_uses *u)
{
	if (!u->n) {
		fputs("when objects are used is unknown: they were not watched\n", out);
	} else if (says_nothing(&u->drag)) {
		fprintf(out,
			"when objects are used last is unknown: %zu watches are too few, or show "
			"nothing that survives\n",
			u->n);
	} else {
		put_share(out, s, &u->drag);
		fprintf(out,
			" of the time of what survives a collection is after its last use "
			"(%zu watches)\n",
			u->n);
	}
}

void lifetime_tell(FILE *out, const struct style *s, const struct finding *f)
{
	const struct lifetime *l = f->own;
	char seconds[UNITS_TEXT];
	struct bounds_range range = survival_range(&l->survivors, f->z);

	if (!l->lives) {
		fprintf(out, "lifetime: no life of an object is known\n");
		return;
	}
	fprintf(out, "%slifetime%s: %zu sampled objects in %s, of which %zu were found dead\n",
		style_on(s, INK_BOLD), style_off(s, INK_BOLD), l->lives,
		units_seconds(seconds, l->seconds), l->ended);
	if (!isnan(l->survivors.value)) {
		share_put_estimate(out, s, l->survivors.value, range.low, range.high);
		fputs(" of the bytes allocated survive a collection\n", out);
	} else {
		fputs("how much survives a collection is unknown: there were none, or they are not "
		      "counted\n",
		      out);
	}
	if (l->marked > 0)
		fprintf(out, "the old generation was last looked at %s after the start\n",
			units_seconds(seconds, l->marked));
	else
		fputs("no collection looked at the old generation: when old objects die is "
		      "unknown, and so is what grows\n",
		      out);
	put_all_uses(out, s, &l->uses);
}

/* ---- a line -------------------------------------------------------------------------------- */

void lifetime_head(FILE *out, const struct style *s, const struct finding *f,
		   const struct finding_row *row)
{
	const struct lifetime_line *l = (const struct lifetime_line *)row;

	(void)f;
	fputs(style_on(s, INK_BOLD), out);
	share_put(out, row->share);
	fprintf(out, "%s of bytes  ", style_off(s, INK_BOLD));
	style_put(out, s, row->class_name ? row->class_name : "(class not known)");
	if (l->grows)
		fputs("  grows: leak suspect", out);
}

static const char *text_of(char text[UNITS_TEXT], double age, enum lifetime_clock clock)
{
	switch (clock) {
	case LIFETIME_SECONDS:
		return units_seconds(text, age);
	case LIFETIME_COLLECTIONS:
		return units_count(text, age);
	default:
		return units_bytes(text, age);
	}
}

/* "1.2 s [0.9 s-2 s]", "less than 2 s", "3 s or more", "unknown" */
static void put_age(FILE *out, const struct style *s, const struct estimate *e,
		    enum lifetime_clock clock)
{
	char value[UNITS_TEXT], low[UNITS_TEXT], high[UNITS_TEXT];

	if (isnan(e->range.low) || (!(e->range.low > 0) && !isfinite(e->range.high))) {
		fputs("unknown", out);
		return;
	}
	text_of(low, e->range.low, clock);
	if (!isfinite(e->range.high)) {
		fprintf(out, "%s or more", low);
		return;
	}
	text_of(high, e->range.high, clock);
	/* most lives end before the first collection: how long before is not known */
	if (!(e->range.low > 0) && !(e->value > 0))
		fprintf(out, "less than %s", high);
	else if (isnan(e->value))
		fprintf(out, "%s%s%s", low, style_glyph(s, GLYPH_DASH), high);
	else
		fprintf(out, "%s [%s%s%s]", text_of(value, e->value, clock), low,
			style_glyph(s, GLYPH_DASH), high);
}

/* Ages that half of the objects, and 90 % of them, live at most. */
static void put_ages(FILE *out, const struct style *s, const struct lifetime_line *l,
		     enum lifetime_clock clock, const char *title)
{
	fprintf(out, "%-10s half: ", title);
	put_age(out, s, &l->median[clock], clock);
	fputs(", 90 %: ", out);
	put_age(out, s, &l->most[clock], clock);
	putc('\n', out);
}

/*
 * A column for each age, as high as the share that is alive then, to the last age of which it is
 * known.
 */
static void put_curve(FILE *out, const struct style *s, const struct lifetime_line *l)
{
	const struct lifetime_curves *c = l->curves;
	size_t n = c ? c->nages : 0;
	char from[UNITS_TEXT], to[UNITS_TEXT];

	while (n > 0 && isnan(c->age[n - 1].value))
		n--;
	if (s->drawn || n < LEAST_AGES)
		return;
	fputs("survival   ", out);
	for (size_t i = 0; i < n; i++)
		fputs(style_level(s->utf8, (int)ceilf(c->age[i].value * STYLE_LEVELS)), out);
	fprintf(out, "  alive at the age of %s%s%s\n", units_seconds(from, (double)c->age[0].x),
		style_glyph(s, GLYPH_ELLIPSIS), units_seconds(to, (double)c->age[n - 1].x));
}

static void put_survivors(FILE *out, const struct style *s, const struct lifetime_line *l)
{
	const char *comma = "";

	fputs("survive    ", out);
	for (int i = 0; i < LIFETIME_SURVIVED; i++) {
		const struct estimate *e = &l->survivors[i];
		fprintf(out, "%s%u%s: ", comma, lifetime_survived[i], i == 0 ? " collection" : "");
		if (says_nothing(e)) {
			fputs("unknown", out);
		} else if (isnan(e->value)) {
			fputs("unknown ", out);
			share_put_ends(out, s, e->range.low, e->range.high);
		} else {
			share_put_estimate(out, s, e->value, e->range.low, e->range.high);
		}
		comma = ", ";
	}
	putc('\n', out);
}

static void put_growth(FILE *out, const struct style *s, const struct lifetime_line *l)
{
	char value[UNITS_TEXT], low[UNITS_TEXT], high[UNITS_TEXT];
	const struct estimate *g = &l->growth;

	if (isnan(g->value)) {
		fputs("alive      unknown: there was no collection\n", out);
		return;
	}
	fprintf(out, "alive      %s%s%s objects at the last look",
		units_count(low, l->alive.range.low), style_glyph(s, GLYPH_DASH),
		units_count(high, l->alive.range.high));
	if (g->range.low > 0)
		fprintf(out, "; %s more each minute [%s%s%s]", units_bytes(value, g->value),
			units_bytes(low, g->range.low), style_glyph(s, GLYPH_DASH),
			units_bytes(high, g->range.high));
	else if (g->range.high < 0)
		fprintf(out, "; %s less each minute", units_bytes(value, -g->value));
	putc('\n', out);
}

/* Of objects that have survived a collection. */
static void put_uses(FILE *out, const struct style *s, const struct lifetime_line *l)
{
	const struct lifetime_uses *u = &l->uses;
	char low[UNITS_TEXT], high[UNITS_TEXT];

	if (u->n < SHARE_FEW)
		return;
	if (!says_nothing(&u->drag)) {
		fputs("drag       ", out);
		put_share(out, s, &u->drag);
		fprintf(out, " of the time is after the last use; %s%s%s kept in vain\n",
			units_bytes(low, l->dragged.range.low), style_glyph(s, GLYPH_DASH),
			units_bytes(high, l->dragged.range.high));
	}
	if (!says_nothing(&u->unused)) {
		fputs("unused     ", out);
		put_share(out, s, &u->unused);
		fputs(" of the objects after their first collection\n", out);
	}
	if (u->in_use.range.low > 0) {
		fputs("in use     ", out);
		put_share(out, s, &u->in_use);
		fputs(" of the time: used again within 0.1 s\n", out);
	}
}

static void put_all(FILE *out, const struct style *s, const struct lifetime_line *l)
{
	put_ages(out, s, l, LIFETIME_SECONDS, "live for");
	put_ages(out, s, l, LIFETIME_BYTES, "meanwhile");
	put_curve(out, s, l);
	put_survivors(out, s, l);
	put_growth(out, s, l);
	put_uses(out, s, l);
	if (l->advice)
		fprintf(out, "advice     %s %s\n", l->advice->rule.problem, l->advice->rule.fix);
}

void lifetime_put_lines(FILE *out, const struct style *s, const struct finding *f,
			const struct finding_row *row)
{
	const struct lifetime_line *l = (const struct lifetime_line *)row;
	char objects[UNITS_TEXT], bytes[UNITS_TEXT];

	(void)f;
	fprintf(out, "made       %s object%s, %s; %llu live%s known",
		units_count(objects, l->objects), round(l->objects) == 1 ? "" : "s",
		units_bytes(bytes, l->bytes), (unsigned long long)row->count,
		row->count == 1 ? "" : "s");
	if (l->followed < NEARLY_ALL) {
		fputs(", which stand for ", out);
		share_put(out, l->followed);
		fputs(" of these", out);
	}
	putc('\n', out);
	put_all(out, s, l);
}

void lifetime_of_context(FILE *out, const struct style *s, const struct finding *f,
			 const struct finding_row *row)
{
	const struct lifetime_line *l = (const struct lifetime_line *)row;

	(void)f;
	fprintf(out, "lifetime   of %llu object%s\n", (unsigned long long)row->count,
		row->count == 1 ? "" : "s");
	if (!row->weak)
		put_all(out, s, l);
	else
		fputs("           too few to tell more\n", out);
}
