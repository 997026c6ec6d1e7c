/* SPDX-License-Identifier: Apache-2.0 */
/* equality_words.c - see equality_words.h. */
#include "analyse/equality/equality_words.h"

#include <math.h>

#include "analyse/equality/equality.h"
#include "base/units.h"

#define SOME 0.005 /* share that is worth a word */

static void put_percent(FILE *out, double share)
{
	char text[UNITS_TEXT];

	fprintf(out, "%s %%", units_percent(text, share));
}

/* "12 % [10-14]" */
static void put_share(FILE *out, const struct style *s, const struct estimate *e)
{
	if (isnan(e->value)) {
		fputs("unknown", out);
		return;
	}
	put_percent(out, e->value);
	fprintf(out, " [%.0f%s%.0f]", floor(e->range.low * 100), style_glyph(s, GLYPH_DASH),
		ceil(e->range.high * 100));
}

void equality_tell(FILE *out, const struct style *s, const struct finding *f)
{
	const struct equality *e = f->own;
	char objects[UNITS_TEXT];

	if (!e->objects) {
		fputs("equality: no objects were looked at\n", out);
		return;
	}
	fprintf(out, "%sequality%s: %s new objects in %llu windows of memory were compared\n",
		style_on(s, INK_BOLD), style_off(s, INK_BOLD),
		units_count(objects, (double)e->objects), (unsigned long long)e->windows);
	fputs("at least ", out);
	put_percent(out, e->equal.range.low);
	fputs(" of their bytes have an equal elsewhere; with more objects it can only be more\n",
	      out);
}

/* ---- a class ------------------------------------------------------------------------------- */

static void put_head(FILE *out, const struct style *s, const struct finding_row *row)
{
	fputs(style_on(s, INK_BOLD), out);
	put_percent(out, row->share);
	fprintf(out, "%s of bytes  ", style_off(s, INK_BOLD));
	style_put(out, s, row->class_name ? row->class_name : "(class not known)");
}

void equality_head(FILE *out, const struct style *s, const struct finding *f,
		   const struct finding_row *row)
{
	(void)f;
	put_head(out, s, row);
}

static void put_caches(FILE *out, const struct style *s, const struct estimate *of)
{
	for (int i = 0; i < EQUALITY_CACHES; i++) {
		fprintf(out, i ? ", %u in " : "the %u commonest contents are in ",
			equality_caches[i]);
		put_share(out, s, &of[i]);
		fputs(i ? "" : " of the objects", out);
	}
	putc('\n', out);
}

static void put_conditions(FILE *out, const struct equality_row *r)
{
	fputs("conditions ", out);
	for (int i = 0; i < EQUALITY_CONDITIONS; i++)
		fprintf(out, "%s%s: %s", i ? ", " : "",
			equality_condition_name((enum equality_condition)i),
			equality_state_name(r->condition[i]));
	putc('\n', out);
	if (r->hashed || r->locked)
		fprintf(out,
			"identity   of %llu objects looked at, %llu had an identity hash code and "
			"%llu "
			"were locked\n",
			(unsigned long long)r->looked, (unsigned long long)r->hashed,
			(unsigned long long)r->locked);
}

void equality_put_lines(FILE *out, const struct style *s, const struct finding *f,
			const struct finding_row *row)
{
	const struct equality_row *r = (const struct equality_row *)row;
	char objects[UNITS_TEXT], bytes[UNITS_TEXT], looked[UNITS_TEXT];

	(void)f;
	fprintf(out, "made       %s objects, %s; %s looked at, %zu contents\n",
		units_count(objects, r->objects), units_bytes(bytes, r->bytes),
		units_count(looked, (double)r->looked), r->contents);
	fputs("equal      at least ", out);
	put_percent(out, r->equal.range.low);
	fprintf(out, " of the objects, %s; more if more were looked at\n",
		units_bytes(bytes, r->mergeable.range.low));
	fputs("commonest  one content has ", out);
	put_share(out, s, &r->largest);
	fputs("; two objects are equal in ", out);
	put_share(out, s, &r->pairs);
	fputs(" of cases\nfew hold   ", out);
	put_caches(out, s, r->held);
	if (r->unknown > SOME || r->addresses > SOME) {
		fputs("compared   ", out);
		put_percent(out, r->addresses);
		fputs(" by the addresses of others, within a collection; ", out);
		put_percent(out, r->unknown);
		fputs(" not at all\n", out);
	}
	put_conditions(out, r);
}

/* ---- a line -------------------------------------------------------------------------------- */

void equality_line_head(FILE *out, const struct style *s, const struct finding *f,
			const struct finding_row *row)
{
	const struct equality_line *l = (const struct equality_line *)row;

	(void)f;
	put_head(out, s, row);
	fprintf(out, "  %llu looked at, ", (unsigned long long)row->count);
	put_share(out, s, &l->equal);
	fprintf(out, " equal to others, the %u commonest contents in ",
		equality_caches[EQUALITY_CACHES - 1]);
	put_share(out, s, &l->hits[EQUALITY_CACHES - 1]);
}

void equality_of_context(FILE *out, const struct style *s, const struct finding *f,
			 const struct finding_row *row)
{
	const struct equality_line *l = (const struct equality_line *)row;

	(void)f;
	fprintf(out, "equality   of %llu objects: ", (unsigned long long)row->count);
	put_share(out, s, &l->equal);
	fputs(" have an equal elsewhere\n           ", out);
	put_caches(out, s, l->hits);
}
