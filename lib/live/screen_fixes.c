/* SPDX-License-Identifier: Apache-2.0 */
/* screen_fixes.c - see screen_fixes.h. */
#include "live/screen_fixes.h"

#include <stdlib.h>

#include "base/javaname.h"
#include "base/memtext.h"
#include "base/table.h"
#include "base/units.h"
#include "base/xmalloc.h"
#include "fix/fix.h"
#include "live/screen_table.h"
#include "render/render_fix.h"

/* ---- the page ---------------------------------------------------------------------------- */

static void put_bytes(FILE *out, double bytes)
{
	char text[UNITS_TEXT];

	fputs(bytes > 0 ? units_bytes(text, bytes) : "", out);
}

static void put_line(FILE *out, const struct style *s, const struct model_frame *line)
{
	style_put(out, s, line->file ? line->file : "(unknown)");
	if (line->file && line->line > 0)
		fprintf(out, ":%d", line->line);
}

/* The largest of its amounts, and what kind that is. */
static double amount_of(const struct fix *f, const struct fix_part *part, const char **kind)
{
	enum advice_kind of = ADVICE_POSSIBLE;
	double bytes = fix_is_refuted(f) ? 0 : part->possible;

	if (part->certain.value + part->likely.value > 0) {
		of = part->certain.value >= part->likely.value ? ADVICE_CERTAIN : ADVICE_LIKELY;
		bytes = part->certain.value + part->likely.value;
	}
	*kind = bytes > 0 ? fix_kind_name(of) : "";
	return bytes;
}

/* A table of what is made at which line. */
static void put_parts(FILE *out, const struct style *s, const struct fix *f)
{
	static const struct {
		const char *heading;
		unsigned flags, droppable;
	} part_columns[] = {
		{ "bytes", TABLE_RIGHT, 0 },
		{ "avoidable", TABLE_RIGHT, 0 },
		{ "kind", 0, 1 },
		{ "line", TABLE_HEAD, 0 },
		{ "class", TABLE_CLASS | TABLE_TAIL, 0 },
	};
	const size_t n = sizeof part_columns / sizeof part_columns[0];
	struct table t = TABLE_INIT;
	const char *kind;

	for (size_t i = 0; i < n; i++)
		table_add_column(&t, part_columns[i].flags, part_columns[i].droppable);
	for (size_t i = 0; i < n; i++)
		table_add(&t, part_columns[i].heading, INK_BOLD);
	for (size_t i = 0; i < f->nparts; i++) {
		const struct fix_part *part = &f->part[i];
		double avoidable = amount_of(f, part, &kind);
		put_bytes(table_cell(&t, INK_PLAIN), part->bytes);
		put_bytes(table_cell(&t, INK_PLAIN), avoidable);
		table_add(&t, kind, INK_PLAIN);
		put_line(table_cell(&t, INK_PLAIN), s, &part->line);
		style_put(table_cell(&t, INK_PLAIN), s, names_short(part->class_name));
	}
	table_put(&t, out, s);
	table_release(&t);
}

static char *page_text(const struct report *r, const struct style *s, size_t i)
{
	struct report detailed = *r;
	struct memtext text;
	FILE *out = memtext_begin(&text);

	detailed.details = true;
	fix_put(out, &detailed, s, i);
	putc('\n', out);
	put_parts(out, s, &r->fixes->fix[i]);
	return memtext_end(&text);
}

static char *short_text(const struct report *r, const struct style *s, size_t i)
{
	struct memtext text;

	fix_put_short(memtext_begin(&text), r, s, i);
	return memtext_end(&text);
}

static char *sum_text(const struct report *r)
{
	struct memtext text;

	fixes_put_sum(memtext_begin(&text), r, SCREEN_FIXES_SHOWN);
	return memtext_end(&text);
}

/* ---- all of them ------------------------------------------------------------------------- */

static void take_contexts(struct screen_fix *to, const struct fix *f)
{
	size_t n = 0;

	for (size_t i = 0; i < f->nparts; i++)
		n += f->part[i].ncontexts;
	to->contexts = xmallocarray(n + 1, sizeof *to->contexts);
	for (size_t i = 0; i < f->nparts; i++)
		for (size_t k = 0; k < f->part[i].ncontexts; k++)
			to->contexts[to->ncontexts++] =
				screen_table_context(f->part[i].contexts[k]);
}

void screen_fixes_release(struct screen_fixes *f)
{
	for (size_t i = 0; i < f->n; i++) {
		free(f->fix[i].line);
		free(f->fix[i].page);
		free(f->fix[i].contexts);
	}
	free(f->fix);
	free(f->sum);
	*f = (struct screen_fixes){ .n = 0 };
}

void screen_fixes_take(struct screen_fixes *f, const struct report *r, const struct style *s)
{
	const size_t cursor = f->cursor;
	const struct fixes *all = r->fixes;

	screen_fixes_release(f);
	if (!all)
		return;
	f->sum = sum_text(r);
	f->fix = xcalloc(SCREEN_FIXES_MOST, sizeof *f->fix);
	for (size_t i = 0; i < all->n && f->n < SCREEN_FIXES_MOST; i++) {
		if (!fix_is_shown(all, i))
			continue;
		struct screen_fix *to = &f->fix[f->n++];
		to->line = short_text(r, s, i);
		to->page = page_text(r, s, i);
		to->made = fix_first(&all->fix[i])->line;
		take_contexts(to, &all->fix[i]);
	}
	if (f->n > 0)
		screen_fixes_move(f, (long)(cursor < f->n ? cursor : f->n - 1));
}

bool screen_fixes_move(struct screen_fixes *f, long by)
{
	if (by < 0 ? (size_t)-by > f->cursor : f->cursor + (size_t)by >= f->n)
		return false;
	f->cursor = by < 0 ? f->cursor - (size_t)-by : f->cursor + (size_t)by;
	if (f->cursor < f->top)
		f->top = f->cursor;
	if (f->cursor >= f->top + SCREEN_FIXES_SHOWN)
		f->top = f->cursor - SCREEN_FIXES_SHOWN + 1;
	return true;
}

size_t screen_fixes_seen(const struct screen_fixes *f)
{
	return f->n < SCREEN_FIXES_SHOWN ? f->n : SCREEN_FIXES_SHOWN;
}

const struct screen_fix *screen_fixes_at(const struct screen_fixes *f)
{
	return f->cursor < f->n ? &f->fix[f->cursor] : NULL;
}
