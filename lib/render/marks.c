/* SPDX-License-Identifier: Apache-2.0 */
/*
 * marks.c - see marks.h. All marks are listed first, so that equal ones of several JVMs can be
 * joined. The texts of a mark exist only while it is handed out.
 */
#define XXH_INLINE_ALL

#include "render/marks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/idmap.h"
#include "base/javaname.h"
#include "base/memtext.h"
#include "base/units.h"
#include "fix/advice.h"
#include "model/callstack.h"
#include "render/export.h"
#include "render/render_findings.h"

static const struct style plain = { .utf8 = true };

/* ---- rows ---------------------------------------------------------------------------------- */

/* " (JVMs 4711, 4712)"; nothing if the recording has one JVM. */
static void put_pids(FILE *out, const struct mark *m)
{
	for (size_t i = 0; i < m->npids; i++) {
		fputs(i ? ", " : m->npids > 1 ? " (JVMs " : " (JVM ", out);
		fprintf(out, "%d", (int)m->pids[i]);
	}
	fputs(m->npids ? ")" : "", out);
}

static void put_row_title(FILE *out, const struct mark *m)
{
	const struct replica *x = &m->row->replica;
	char text[UNITS_TEXT];
	bool deep;

	style_put(out, &plain, names_simple(row_class(m->row)));
	if (replica_saved(x) > 0) {
		fprintf(out, ": likely %s are duplicate", units_bytes(text, replica_likely(x)));
	} else {
		fprintf(out, ": %s, %s", units_bytes(text, x->bytes),
			replica_verdict_name(replica_shown(x, &deep)));
		fputs(deep ? " (deep)" : "", out);
	}
	put_pids(out, m);
}

static void put_row_text(FILE *out, const struct report *r, const struct row *row)
{
	const struct advice *advice = row_advice(row);

	render_amounts(out, r, &plain, row);
	if (!advice)
		return;
	fputs("Problem: ", out);
	advice_put(out, &plain, row, advice->rule->problem);
	fputs("\nFix: ", out);
	advice_put(out, &plain, row, advice->rule->fix);
	putc('\n', out);
}

/* ---- findings ------------------------------------------------------------------------------ */

static void put_found_title(FILE *out, const struct mark *m)
{
	const struct finding_kind *kind = m->finding->kind;
	char text[UNITS_TEXT];

	fprintf(out, "%s: %s %% of the %s", kind->title, units_percent(text, m->share),
		kind->counted);
	put_pids(out, m);
}

/* "stored at Shop.load:12 and stored again, unread, at Shop.store:20" */
static void put_places(FILE *out, const struct finding_table_kind *t, const struct mark *m)
{
	fprintf(out, "%s ", t->stack_title[0]);
	frame_put_site(out, &plain, m->frame);
	if (m->second) {
		fprintf(out, " %s ", t->stack_title[1]);
		frame_put_site(out, &plain, m->second);
	}
}

static void put_found_text(FILE *out, const struct finding_table_kind *t, const struct mark *m)
{
	for (size_t i = 0; i < m->nfound; i++) {
		render_finding_head(out, &plain, m->finding, t, m->found[i]);
		if (i == 0) {
			fputs(", ", out);
			put_places(out, t, m);
		}
		if (m->npids > 1)
			fprintf(out, " (JVM %d)", (int)m->pids[i]);
		putc('\n', out);
		if (t->lines)
			t->lines(out, &plain, m->finding, m->found[i]);
	}
}

/* ---- both ---------------------------------------------------------------------------------- */

static void mark_put_title(FILE *out, const struct mark *m)
{
	if (m->row)
		put_row_title(out, m);
	else
		put_found_title(out, m);
}

/* Writes it in sentences. `table`: of a finding. */
static void mark_put_text(FILE *out, const struct mark *m, const struct report *r,
			  const struct finding_table_kind *table)
{
	if (m->row)
		put_row_text(out, r, m->row);
	else
		put_found_text(out, table, m);
}

/* ---- hashes -------------------------------------------------------------------------------- */

/* The NUL goes in as well. */
static uint64_t hash_text(uint64_t seed, const char *text)
{
	return text ? XXH3_64bits_withSeed(text, strlen(text) + 1, seed) : seed + 1;
}

static uint64_t hash_frame(uint64_t seed, const struct model_frame *frame)
{
	return frame ? hash_text(hash_text(seed, frame->class_name), frame->method) : seed + 1;
}

/*
 * Sets the hashes by which a finding is recognised in another run: without amounts, verdict and
 * process.
 */
static void fingerprint(struct mark *m)
{
	int lines[2] = { m->frame ? m->frame->line : 0, m->second ? m->second->line : 0 };
	uint64_t hash = m->finding ? hash_text(0, m->finding->analysis->key) : 0;

	hash = hash_text(hash_text(hash, m->kind), m->class_name);
	m->method_hash = hash_frame(hash_frame(hash, m->frame), m->second);
	m->line_hash = XXH3_64bits_withSeed(lines, sizeof lines, m->method_hash);
}

/* ---- the same in several JVMs -------------------------------------------------------------- */

/* A mark without its texts. Marks of several JVMs that say the same form a chain. */
struct item {
	struct mark mark;
	const struct finding_row *found;	/* if it is of a finding: the row, ... */
	const struct finding_table_kind *table; /* ... and its table */
	int32_t pid;
	uint64_t key; /* equal for marks that say the same of different JVMs */
	size_t next;  /* in its chain; 0: it is the last */
	size_t last;  /* only in the first of a chain: the last of it */
	bool later;   /* it is in a chain, and not the first */
};

struct items {
	struct item *item;
	size_t n, room;
};

/* 0, or -1 if out of memory. */
static int add_item(struct items *l, const struct item *item)
{
	if (l->n == l->room) {
		size_t room = l->room ? 2 * l->room : 64;
		struct item *more = realloc(l->item, room * sizeof *more);
		if (!more)
			return -1;
		l->item = more;
		l->room = room;
	}
	l->item[l->n++] = *item;
	return 0;
}

/*
 * Whether the chain of `first` takes a mark of this JVM: only if it has none of it yet. Two marks
 * of one JVM with equal keys are different findings; the key just does not tell them apart.
 */
static bool takes(const struct items *l, const struct item *first, int32_t pid)
{
	while (first->pid != pid && first->next)
		first = &l->item[first->next];
	return first->pid != pid;
}

static int link_items(struct items *l)
{
	struct idmap first = { .slots = NULL };
	int result = 0;

	for (size_t i = 0; i < l->n && result == 0; i++) {
		struct item *item = &l->item[i], *known = idmap_get(&first, item->key);
		item->last = i;
		if (!known) {
			result = idmap_put(&first, item->key, item);
		} else if (takes(l, known, item->pid)) {
			item->later = true;
			l->item[known->last].next = i;
			known->last = i;
		}
	}
	idmap_release(&first);
	return result;
}

/* A sum in which NAN (not measured) counts as 0. It is NAN if both are. */
static double plus(double a, double b)
{
	return isnan(a) ? b : isnan(b) ? a : a + b;
}

/*
 * Makes one row of the rows of a chain. Amounts are added. The lower bound of the saving is that of
 * a sum of independent estimates (see total.c).
 */
static void sum_rows(struct row *to, const struct items *l, size_t first)
{
	struct replica *x = &to->replica;
	double likely = NAN, below = 0;

	*to = *l->item[first].mark.row;
	to->advised = false;
	to->advice = NULL;
	for (size_t i = first;; i = l->item[i].next) {
		const struct replica *r = &l->item[i].mark.row->replica;
		double low = replica_saved(r), most = fmax(low, replica_likely(r));
		likely = plus(likely, most);
		below += isnan(low) ? 0 : (most - low) * (most - low);
		if (i != first) {
			x->bytes += r->bytes;
			x->objects += r->objects;
			x->sampled += r->sampled;
			x->own.scanned += r->own.scanned;
			x->saved_end_bytes = plus(x->saved_end_bytes, r->saved_end_bytes);
		}
		if (!l->item[i].next)
			break;
	}
	x->own.likely_bytes = likely;
	x->own.saved_bytes = isnan(likely) ? NAN : fmax(0, likely - sqrt(below));
	x->deep.saved_bytes = NAN;
}

/* ---- marks --------------------------------------------------------------------------------- */

/* Writes the texts of a mark and hands it out. `t`: the table, if it is of a finding. 0, or -1. */
static int deliver_mark(struct mark *m, const struct report *r, const struct finding_table_kind *t,
			mark_fn *fn, void *arg)
{
	char *path = NULL, *second = NULL;
	struct memtext title, text;
	int result = 0;

	mark_put_title(memtext_begin(&title), m);
	mark_put_text(memtext_begin(&text), m, r, t);
	m->title = memtext_end(&title);
	m->text = memtext_end(&text);
	if (source_path_of(&path, r->sources, m->frame) < 0 ||
	    source_path_of(&second, r->sources, m->second) < 0)
		result = -1;
	m->path = path;
	m->second_path = second;
	if (result == 0)
		result = fn(m, arg);
	free(title.text);
	free(text.text);
	free(path);
	free(second);
	return result;
}

/* Hands out the mark of a chain. `pids` and `found` have room for it. 0, or -1. */
static int deliver_chain(const struct report *r, const struct items *l, size_t first, int32_t *pids,
			 const struct finding_row **found, mark_fn *fn, void *arg)
{
	struct mark m = l->item[first].mark;
	struct row sum;
	size_t n = 0;

	for (size_t i = first;; i = l->item[i].next) {
		const struct item *item = &l->item[i];
		found[n] = item->found;
		pids[n++] = item->pid;
		m.share += i == first ? 0 : item->mark.share;
		if (item->mark.level == MARK_WARNING)
			m.level = MARK_WARNING;
		if (!item->next)
			break;
	}
	if (m.row && n > 1) {
		sum_rows(&sum, l, first);
		m.row = &sum;
	}
	m.found = found;
	m.nfound = m.finding ? n : 0;
	m.pids = pids;
	m.npids = model_njvms(r->recording->model) > 1 ? n : 0;
	int result = deliver_mark(&m, r, l->item[first].table, fn, arg);
	if (m.row == &sum)
		row_forget_advice(&sum);
	return result;
}

/* Hands out the marks, and empties the list. 0, or -1. */
static int deliver_items(const struct report *r, struct items *l, mark_fn *fn, void *arg)
{
	int32_t *pids = calloc(l->n + 1, sizeof *pids);
	const struct finding_row **found = calloc(l->n + 1, sizeof(struct finding_row *));
	int result = pids && found ? link_items(l) : -1;

	for (size_t i = 0; i < l->n && result == 0; i++)
		if (!l->item[i].later)
			result = deliver_chain(r, l, i, pids, found, fn, arg);
	free(pids);
	free((void *)found);
	free(l->item);
	*l = (struct items){ .n = 0 };
	return result;
}

static int list_row(struct items *l, const struct report *r, const struct row *row)
{
	enum worth worth = row_worth(row);
	struct item item = {
		.mark = { .kind = MARK_OF_ROWS,
			  .level = worth == WORTH_SAVE ? MARK_WARNING : MARK_NOTE,
			  .row = row,
			  .share = NAN,
			  .class_name = row_class(row),
			  .stack = row_stack(row),
			  .frame = row->line < row_stack(row)->n
					   ? &row_stack(row)->frames[row->line]
					   : NULL },
		.pid = row->row.pid,
	};

	if (worth != WORTH_SAVE && worth != WORTH_FIX)
		return 0;
	fingerprint(&item.mark);
	/* rows that are no lines are not joined: the user asked for them separately */
	item.key = r->grouping == ROWS_BY_LINE && item.mark.frame ? item.mark.line_hash
								  : (uint64_t)(l->n + 1);
	return add_item(l, &item);
}

/* The line; NULL: the stack is not known. */
static const struct model_frame *line_of(const struct callstack *stack)
{
	return stack->n ? &stack->frames[callstack_line(stack)] : NULL;
}

static int list_table(struct items *l, const struct report *r, const struct finding *f,
		      const struct finding_table *t)
{
	size_t most = r->limited ? SIZE_MAX : t->kind->shown, marked = 0;
	bool pair = !t->kind->of_objects && t->kind->stack_title[1];

	for (size_t i = 0; i < t->n && marked < most; i++) {
		const struct finding_row *row = finding_row(t, i);
		struct item item = {
			.mark = { .kind = f->kind->name,
				  .finding = f,
				  .share = row->share,
				  .class_name = row->class_name,
				  .stack = &row->stack[0],
				  .frame = line_of(&row->stack[0]),
				  .second = pair ? line_of(&row->stack[1]) : NULL },
			.found = row,
			.table = t->kind,
			.pid = row->pid,
		};
		if (row->weak || row->minor || !item.mark.frame || !t->kind->stack_title[0])
			continue;
		fingerprint(&item.mark);
		item.key =
			callstack_hash(
				&row->stack[1], SIZE_MAX,
				callstack_hash(&row->stack[0], SIZE_MAX, item.mark.line_hash).low)
				.low;
		if (add_item(l, &item) < 0)
			return -1;
		marked++;
	}
	return 0;
}

int marks_of_findings(const struct report *r, mark_fn *fn, void *arg)
{
	struct items l = { .n = 0 };

	for (size_t i = 0; r->findings && i < r->findings->n; i++) {
		const struct finding *f = &r->findings->item[i];
		for (size_t k = 0; f->seen && finding_is_enough(f) && k < f->ntables; k++)
			if (list_table(&l, r, f, &f->table[k]) < 0 ||
			    deliver_items(r, &l, fn, arg) < 0) {
				free(l.item);
				return -1;
			}
	}
	return 0;
}

int marks_each(const struct report *r, mark_fn *fn, void *arg)
{
	struct items l = { .n = 0 };
	int result = 0;

	for (size_t i = 0; i < r->shown && result == 0; i++)
		result = list_row(&l, r, rows_at(r->rows, i));
	if (result == 0)
		result = deliver_items(r, &l, fn, arg);
	free(l.item);
	return result < 0 ? -1 : marks_of_findings(r, fn, arg);
}
