/* SPDX-License-Identifier: Apache-2.0 */
/*
 * remarks.c - see remarks.h. All remarks are listed first, so that equal ones of several JVMs can
 * be joined. The texts of a remark exist only while it is handed out.
 */
#define XXH_INLINE_ALL

#include "render/builds/remarks.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/grow.h"
#include "base/idmap.h"
#include "base/javaname.h"
#include "base/memtext.h"
#include "base/units.h"
#include "base/xmalloc.h"
#include "model/callstack.h"
#include "render/export.h"
#include "render/render_findings.h"
#include "render/render_fix.h"
#include "render/render_other_findings.h"

static const struct style plain = { .utf8 = true };

/* " (JVMs 4711, 4712)"; nothing if the recording has one JVM. */
static void put_pids(FILE *out, const struct remark *m)
{
	for (size_t i = 0; i < m->npids; i++) {
		fputs(i ? ", " : m->npids > 1 ? " (JVMs " : " (JVM ", out);
		fprintf(out, "%d", (int)m->pids[i]);
	}
	fputs(m->npids ? ")" : "", out);
}

/* ---- fixes --------------------------------------------------------------------------------- */

/* "format: 401 MB avoidable, certain" */
static void put_fix_title(FILE *out, const struct remark *m)
{
	const struct fix *f = m->fix;
	char text[UNITS_TEXT];

	if (!f->rule)
		fprintf(out, "%s, no fix is known", units_bytes(text, f->bytes));
	else if (fix_kind_told(f) == ADVICE_CERTAIN)
		fprintf(out, "%s: %s avoidable, certain", m->kind,
			units_bytes(text, f->avoidable.value));
	else if (fix_kind_told(f) == ADVICE_LIKELY)
		fprintf(out, "%s: likely %s avoidable", m->kind,
			units_bytes(text, f->avoidable.value));
	else if (fix_is_refuted(f))
		fprintf(out, "%s: none of %s avoidable as it is", m->kind,
			units_bytes(text, f->bytes));
	else
		fprintf(out, "%s: possibly %s avoidable", m->kind, units_bytes(text, f->possible));
	put_pids(out, m);
}

static void put_fix_text(FILE *out, const struct report *r, const struct fix *f)
{
	fix_put_amounts(out, r, &plain, f);
	if (f->rule) {
		fputs("\nProblem: ", out);
		fix_put_sentence(out, &plain, f, f->rule->problem);
		fputs("\nFix: ", out);
		fix_put_sentence(out, &plain, f, f->rule->fix);
	} else {
		putc('\n', out);
		fix_put_unfixed(out, &plain, f);
	}
	fputs("\nMade: ", out);
	fix_put_made(out, &plain, f);
	putc('\n', out);
}

/* ---- findings ------------------------------------------------------------------------------ */

static void put_found_title(FILE *out, const struct remark *m)
{
	const struct finding_kind *kind = m->finding->kind;
	char text[UNITS_TEXT];

	fprintf(out, "%s: %s %% of the %s", kind->title, units_percent(text, m->share),
		kind->counted);
	put_pids(out, m);
}

/* "dead-store: 12.3 %, likely" */
static void put_other_title(FILE *out, const struct remark *m)
{
	fprintf(out, "%s: ", m->kind);
	figure_put(out, m->other->figure, m->share);
	fputs(m->other->possible ? ", possible" : ", likely", out);
	put_pids(out, m);
}

/* Of the first JVM. */
static void put_other_text(FILE *out, const struct other_finding *o)
{
	other_put_amount(out, &plain, o);
	fprintf(out, "\nProblem: %s\nFix: %s\n%s: ", o->rule->problem, o->rule->fix,
		o->table->of_objects ? "Made" : "Seen");
	other_put_made(out, &plain, o);
	putc('\n', out);
}

/* "stored at Shop.load:12 and stored again, unread, at Shop.store:20" */
static void put_places(FILE *out, const struct finding_table_kind *t, const struct remark *m)
{
	fprintf(out, "%s ", t->stack_title[0]);
	frame_put_site(out, &plain, m->frame);
	if (m->second) {
		fprintf(out, " %s ", t->stack_title[1]);
		frame_put_site(out, &plain, m->second);
	}
}

static void put_found_text(FILE *out, const struct finding_table_kind *t, const struct remark *m)
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

static void remark_put_title(FILE *out, const struct remark *m)
{
	if (m->fix)
		put_fix_title(out, m);
	else if (m->other)
		put_other_title(out, m);
	else
		put_found_title(out, m);
}

/* Writes it in sentences. `table`: of a finding. */
static void remark_put_text(FILE *out, const struct remark *m, const struct report *r,
			    const struct finding_table_kind *table)
{
	if (m->fix)
		put_fix_text(out, r, m->fix);
	else if (m->other)
		put_other_text(out, m->other);
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
static void fingerprint(struct remark *m)
{
	int lines[2] = { m->frame ? m->frame->line : 0, m->second ? m->second->line : 0 };
	uint64_t hash = m->finding ? hash_text(0, m->finding->analysis->key) : 0;

	/* what is to be done concerns all classes */
	hash = hash_text(hash_text(hash, m->kind), m->fix || m->other ? NULL : m->class_name);
	m->method_hash = hash_frame(hash_frame(hash, m->frame), m->second);
	m->line_hash = XXH3_64bits_withSeed(lines, sizeof lines, m->method_hash);
}

/* ---- the same in several JVMs -------------------------------------------------------------- */

/* A remark without its texts. Remarks of several JVMs that say the same form a chain. */
struct item {
	struct remark remark;
	const struct finding_row *found;	/* if it is of a finding: the row, ... */
	const struct finding_table_kind *table; /* ... and its table */
	uint32_t jvm;
	int32_t pid;
	uint64_t key; /* equal for remarks that say the same of different JVMs */
	size_t next;  /* in its chain; 0: it is the last */
	size_t last;  /* only in the first of a chain: the last of it */
	bool later;   /* it is in a chain, and not the first */
};

struct items {
	struct item *item;
	size_t n, room;
};

static void add_item(struct items *l, const struct item *item)
{
	XGROW(l->item, l->n, l->room, 64);
	l->item[l->n++] = *item;
}

/*
 * Whether the chain of `first` takes a remark of this JVM: only if it has none of it yet. Two
 * remarks of one JVM with equal keys are different findings; the key just does not tell them apart.
 */
static bool takes(const struct items *l, const struct item *first, uint32_t jvm)
{
	while (first->jvm != jvm && first->next)
		first = &l->item[first->next];
	return first->jvm != jvm;
}

static void link_items(struct items *l)
{
	struct idmap first = { .slots = NULL };

	for (size_t i = 0; i < l->n; i++) {
		struct item *item = &l->item[i], *known = idmap_get(&first, item->key);
		item->last = i;
		if (!known) {
			xidmap_put(&first, item->key, item);
		} else if (takes(l, known, item->jvm)) {
			item->later = true;
			l->item[known->last].next = i;
			known->last = i;
		}
	}
	idmap_release(&first);
}

/* Makes one fix of those of a chain. Returns its parts, which the caller frees. */
static struct fix_part *join_fixes(struct fix *to, const struct items *l, size_t first, size_t n)
{
	const struct fix **fixes = xcalloc(n, sizeof *fixes);
	size_t nparts = 0;

	for (size_t i = 0, at = first; i < n; i++, at = l->item[at].next) {
		fixes[i] = l->item[at].remark.fix;
		nparts += fixes[i]->nparts;
	}
	struct fix_part *part = xcalloc(nparts, sizeof *part);
	fix_join(to, fixes, n, part);
	free(fixes);
	return part;
}

/* ---- remarks --------------------------------------------------------------------------------- */

/* Writes the texts of a remark and hands it out. `t`: the table, if it is of a finding. */
static void deliver_remark(struct remark *m, const struct report *r,
			   const struct finding_table_kind *t, remark_fn *fn, void *arg)
{
	char *path = source_path_of(r->sources, m->frame);
	char *second = source_path_of(r->sources, m->second);
	struct memtext title, text;

	remark_put_title(memtext_begin(&title), m);
	remark_put_text(memtext_begin(&text), m, r, t);
	m->title = memtext_end(&title);
	m->text = memtext_end(&text);
	m->path = path;
	m->second_path = second;
	fn(m, arg);
	free(title.text);
	free(text.text);
	free(path);
	free(second);
}

static enum remark_level level_of(const struct fix *f)
{
	return f->rule && fix_kind_told(f) != ADVICE_POSSIBLE ? REMARK_WARNING : REMARK_NOTE;
}

/* Hands out the remark of a fix, which several JVMs may have. */
static void deliver_fix(const struct remark *of, const struct report *r, const struct items *l,
			size_t first, size_t n, remark_fn *fn, void *arg)
{
	struct remark m = *of;
	struct fix joined;
	struct fix_part *part = join_fixes(&joined, l, first, n);
	int *lines = fix_lines_of(&joined, &m.nlines);

	m.fix = &joined;
	m.lines = lines;
	m.level = level_of(&joined);
	deliver_remark(&m, r, NULL, fn, arg);
	free(lines);
	free(part);
}

/* Hands out the remark of a chain. `pids` and `found` have room for it. */
static void deliver_chain(const struct report *r, const struct items *l, size_t first,
			  int32_t *pids, const struct finding_row **found, remark_fn *fn, void *arg)
{
	struct remark m = l->item[first].remark;
	size_t n = 0;

	for (size_t i = first;; i = l->item[i].next) {
		const struct item *item = &l->item[i];
		found[n] = item->found;
		pids[n++] = item->pid;
		m.share += i == first ? 0 : item->remark.share;
		if (!item->next)
			break;
	}
	m.pids = pids;
	m.npids = model_njvms(r->recording->model) > 1 ? n : 0;
	if (m.fix) {
		deliver_fix(&m, r, l, first, n, fn, arg);
		return;
	}
	int *lines = m.other ? other_lines_of(m.other, &m.nlines) : NULL;
	m.found = found;
	m.nfound = n;
	m.lines = lines;
	deliver_remark(&m, r, l->item[first].table, fn, arg);
	free(lines);
}

/* Hands out the remarks, and empties the list. */
static void deliver_items(const struct report *r, struct items *l, remark_fn *fn, void *arg)
{
	int32_t *pids = xcalloc(l->n + 1, sizeof *pids);
	const struct finding_row **found = xcalloc(l->n + 1, sizeof(struct finding_row *));

	link_items(l);
	for (size_t i = 0; i < l->n; i++)
		if (!l->item[i].later)
			deliver_chain(r, l, i, pids, found, fn, arg);
	free(pids);
	free((void *)found);
	free(l->item);
	*l = (struct items){ .n = 0 };
}

static void list_fix(struct items *l, const struct fix *f)
{
	const struct fix_part *first = fix_first(f);
	struct item item = {
		.remark = { .kind = f->rule ? fix_name(f) : REMARK_WITHOUT_FIX,
			    .fix = f,
			    .share = f->share,
			    .class_name = first->class_name,
			    .stack = row_stack(first->row),
			    .frame = first->line.class_name ? &first->line : NULL },
		.jvm = fix_jvm(f),
		.pid = f->pid,
	};

	fingerprint(&item.remark);
	/* a finding without a fix is a line, the others are methods */
	item.key = !item.remark.frame ? (uint64_t)(l->n + 1)
		   : f->rule	      ? item.remark.method_hash
				      : item.remark.line_hash;
	add_item(l, &item);
}

/* The line; NULL: the stack is not known. */
static const struct model_frame *line_of(const struct callstack *stack)
{
	return stack->n ? &stack->frames[callstack_line(stack)] : NULL;
}

static void list_table(struct items *l, const struct report *r, const struct finding *f,
		       const struct finding_table *t)
{
	size_t most = r->limited ? SIZE_MAX : t->kind->shown, marked = 0;
	bool pair = !t->kind->of_objects && t->kind->stack_title[1];

	for (size_t i = 0; i < t->n && marked < most; i++) {
		const struct finding_row *row = finding_row(t, i);
		struct item item = {
			.remark = { .kind = f->kind->name,
				    .finding = f,
				    .share = row->share,
				    .class_name = row->class_name,
				    .stack = &row->stack[0],
				    .frame = line_of(&row->stack[0]),
				    .second = pair ? line_of(&row->stack[1]) : NULL },
			.found = row,
			.table = t->kind,
			.jvm = row->jvm,
			.pid = row->pid,
		};
		if (row->weak || row->minor || !item.remark.frame || !t->kind->stack_title[0])
			continue;
		fingerprint(&item.remark);
		item.key =
			callstack_hash(
				&row->stack[1], SIZE_MAX,
				callstack_hash(&row->stack[0], SIZE_MAX, item.remark.line_hash).low)
				.low;
		add_item(l, &item);
		marked++;
	}
}

/* What is to be done about findings, in the order of sections. */
static void remarks_of_others(const struct report *r, remark_fn *fn, void *arg)
{
	struct items l = { .n = 0 };

	for (size_t i = 0; r->others && i < r->others->n; i++) {
		const struct other_finding *o = &r->others->item[i];
		struct item item = {
			.remark = { .kind = o->rule->name,
				    .finding = o->finding,
				    .other = o,
				    .share = o->amount.value,
				    .class_name = o->rows[0]->class_name,
				    .stack = &o->rows[0]->stack[o->rule->at],
				    .frame = o->line,
				    .second = o->table->of_objects || !o->table->stack_title[1]
						      ? NULL
						      : line_of(&o->rows[0]->stack[1 -
										   o->rule->at]) },
			.found = o->rows[0],
			.table = o->table,
			.jvm = o->jvm,
			.pid = o->pid,
		};
		if (!o->line || (!r->limited && o->rank > o->table->shown))
			continue;
		fingerprint(&item.remark);
		item.key = item.remark.method_hash;
		add_item(&l, &item);
	}
	deliver_items(r, &l, fn, arg);
}

void remarks_of_rows(const struct report *r, remark_fn *fn, void *arg)
{
	struct items l = { .n = 0 };

	for (size_t i = 0; r->findings && i < r->findings->n; i++) {
		const struct finding *f = &r->findings->item[i];
		for (size_t k = 0; f->seen && finding_is_enough(f) && k < f->ntables; k++) {
			if (!others_tell(r->others, f, f->table[k].kind))
				list_table(&l, r, f, &f->table[k]);
			deliver_items(r, &l, fn, arg);
		}
	}
}

void remarks_each(const struct report *r, remark_fn *fn, void *arg)
{
	struct items l = { .n = 0 };

	for (size_t i = 0; r->fixes && i < r->fixes->n; i++)
		if (export_has_fix(r, i))
			list_fix(&l, &r->fixes->fix[i]);
	deliver_items(r, &l, fn, arg);
	remarks_of_others(r, fn, arg);
	remarks_of_rows(r, fn, arg);
}
