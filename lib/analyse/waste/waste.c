/* SPDX-License-Identifier: Apache-2.0 */
/* waste.c - see waste.h. */
#include "analyse/waste/waste.h"

#include <capstone/capstone.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/waste/waste_store.h"
#include "base/sort.h"
#include "base/xmalloc.h"
#include "insn/insn.h"

/*
 * ---- how many independent pairs of accesses a fraction of waste rests on. A pair whose first
 * access was drawn from its loop counts by its weight (Kish). The others are as the interrupts
 * fell, which is more often on some instructions than on others. They are clusters, one for
 * each instruction and calling context of the first access, and the number falls by as much as
 * instructions are seen to differ.
 */

/* Pairs whose first access is of one instruction. */
struct place {
	uint32_t jvm, stack, place;
	double bytes, wasted, squares;
};

static int compare(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return ORDER(x->jvm, y->jvm) ?: ORDER(x->stack, y->stack) ?: ORDER(x->place, y->place);
}

/* Merges rows of one instruction. Returns the number of places. */
static size_t merge(struct place *p, size_t n)
{
	size_t kept = 0;

	if (n)
		qsort(p, n, sizeof *p, compare);
	for (size_t i = 0; i < n; i++) {
		if (!kept || compare(&p[kept - 1], &p[i]) != 0) {
			p[kept++] = p[i];
			continue;
		}
		p[kept - 1].bytes += p[i].bytes;
		p[kept - 1].wasted += p[i].wasted;
		p[kept - 1].squares += p[i].squares;
	}
	return kept;
}

/* The variance of pairs, as seen within places that have two pairs at least; NAN if none has. */
static double variance_within(const struct place *p, size_t n)
{
	double sum = 0, bytes = 0;

	for (size_t i = 0; i < n; i++) {
		double pairs = p[i].bytes * p[i].bytes / p[i].squares;
		double f = p[i].wasted / p[i].bytes;
		if (pairs < 1.5)
			continue;
		sum += p[i].bytes * f * (1 - f) * pairs / (pairs - 1);
		bytes += p[i].bytes;
	}
	return sum / bytes;
}

/*
 * The sum of squares of the weights, in which pairs of one place count as one to the extent that
 * they are alike (the correlation within clusters). They count as alike by 1/n at least if n places
 * were seen: another one may differ.
 */
static double squares_of(const struct place *p, size_t n)
{
	double bytes = 0, wasted = 0, single = 0, whole = 0;

	for (size_t i = 0; i < n; i++) {
		bytes += p[i].bytes;
		wasted += p[i].wasted;
		single += p[i].squares;
		whole += p[i].bytes * p[i].bytes;
	}
	if (!n)
		return 0;
	double f = wasted / bytes, alike = whole / (bytes * bytes);
	double seen = 1 - variance_within(p, n) / (f * (1 - f));
	if (seen > alike)
		alike = seen;
	return alike * whole + (1 - alike) * single;
}

/*
 * The effective number of pairs of a kind; `content`: of those that are not of headers. 0 without
 * pairs.
 */
static double waste_effective(const struct model *m, enum wire_waste_kind kind, bool content)
{
	struct place *p = xcalloc(model_nwastes(m) + 1, sizeof *p);
	double bytes = 0, squares = 0;
	size_t n = 0;

	for (size_t i = 0; i < model_nwastes(m); i++) {
		const struct model_waste *w = model_waste(m, i);
		if (w->kind != kind || !w->bytes || (content && w->part != WIRE_PART_CONTENT))
			continue;
		bytes += (double)w->bytes;
		if (w->place)
			p[n++] = (struct place){ w->jvm,
						 w->stack[0],
						 w->place,
						 (double)w->bytes,
						 (double)w->wasted_bytes,
						 (double)w->squares };
		else
			squares += (double)w->squares;
	}
	squares += squares_of(p, merge(p, n));
	free(p);
	return squares > 0 ? bytes * bytes / squares : 0;
}

static struct callstack_hash pair_hash(const struct waste_pair *p)
{
	struct callstack_hash first = callstack_hash(&p->row.stack[0], SIZE_MAX, p->row.jvm);

	return callstack_hash(&p->row.stack[1], SIZE_MAX,
			      (first.high ^ first.low) * WASTE_PARTS + p->part);
}

static void release_pair(struct waste_pair *p)
{
	callstack_release(&p->row.stack[0]);
	callstack_release(&p->row.stack[1]);
}

static void pair_fill(struct waste_pair *p, const struct model *m, const struct model_waste *w)
{
	const struct model_jvm *jvm = model_jvm(m, w->jvm);

	*p = (struct waste_pair){
		.row = { .jvm = w->jvm,
			 .pid = jvm ? jvm->info.pid : 0,
			 .minor = w->part != WIRE_PART_CONTENT },
		.part = w->part,
		.machine = model_machine(m),
		.count = w->count,
		.wasted_count = w->wasted_count,
		.wasted_bytes = w->wasted_bytes,
		.insn_bytes = w->wasted_bytes,
	};
	memcpy(p->insn_len, w->insn_len, sizeof p->insn_len);
	memcpy(p->insn, w->insn, sizeof p->insn);
	xcallstack_resolve(&p->row.stack[0], m, w->jvm, w->stack[0]);
	xcallstack_resolve(&p->row.stack[1], m, w->jvm, w->stack[1]);
	p->row.hash = pair_hash(p);
}

static int compare_hashes(const void *a, const void *b)
{
	const struct waste_pair *x = a, *y = b;

	return callstack_hash_compare(&x->row.hash, &y->row.hash);
}

static int compare_bytes(const void *a, const void *b)
{
	const struct waste_pair *x = a, *y = b;

	return ORDER(y->wasted_bytes, x->wasted_bytes) ?: compare_hashes(a, b);
}

/* Adds `from` to `to`, whose stacks read the same, and releases it. */
static void pair_merge(struct waste_pair *to, struct waste_pair *from)
{
	to->count += from->count;
	to->wasted_count += from->wasted_count;
	to->wasted_bytes += from->wasted_bytes;
	for (int i = 0; i < 2; i++) {
		bool better = !to->insn_len[i] || from->insn_bytes > to->insn_bytes;
		if (!from->insn_len[i] || !better)
			continue;
		to->insn_len[i] = from->insn_len[i];
		memcpy(to->insn[i], from->insn[i], sizeof to->insn[i]);
	}
	if (from->insn_bytes > to->insn_bytes)
		to->insn_bytes = from->insn_bytes;
	release_pair(from);
}

static void merge_alike(struct waste_sum *w)
{
	size_t kept = 0;

	if (w->npairs)
		qsort(w->pairs, w->npairs, sizeof *w->pairs, compare_hashes);
	for (size_t i = 0; i < w->npairs; i++) {
		if (kept && compare_hashes(&w->pairs[kept - 1], &w->pairs[i]) == 0)
			pair_merge(&w->pairs[kept - 1], &w->pairs[i]);
		else
			w->pairs[kept++] = w->pairs[i];
	}
	w->npairs = kept;
	if (kept)
		qsort(w->pairs, kept, sizeof *w->pairs, compare_bytes);
	for (size_t i = 0; i < kept; i++) {
		struct waste_pair *p = &w->pairs[i];
		p->row.share = (double)p->wasted_bytes / (double)w->bytes;
		p->row.count = p->wasted_count;
	}
}

struct bounds_range waste_range(const struct waste_sum *w, double z)
{
	const struct bounds_range none = { NAN, NAN };

	return w->bytes ? bounds_wilson(w->fraction, w->effective, z) : none;
}

/* Adds the counts of a row. */
static void count(struct waste_sum *w, const struct model_waste *one)
{
	w->count += one->count;
	w->bytes += one->bytes;
	w->wasted_bytes += one->wasted_bytes;
	w->in_part[one->part] += one->count;
	if (one->part != WIRE_PART_CONTENT)
		return;
	w->content.count += one->count;
	w->content.bytes += one->bytes;
	w->content.wasted_bytes += one->wasted_bytes;
}

static void judge(struct waste_sum *w, const struct model *m, double z)
{
	struct waste_fraction *c = &w->content;

	if (w->bytes) {
		w->fraction = (double)w->wasted_bytes / (double)w->bytes;
		w->effective = waste_effective(m, w->kind, false);
		w->range = waste_range(w, z);
	}
	if (c->bytes) {
		c->fraction = (double)c->wasted_bytes / (double)c->bytes;
		c->effective = waste_effective(m, w->kind, true);
		c->range = bounds_wilson(c->fraction, c->effective, z);
	}
}

static void compute_kind(struct waste_sum *w, const struct model *m, double z)
{
	w->fraction = w->range.low = w->range.high = NAN;
	w->content.fraction = w->content.range.low = w->content.range.high = NAN;
	w->pairs = xcalloc(model_nwastes(m) + 1, sizeof *w->pairs);
	for (size_t i = 0; i < model_nwastes(m); i++) {
		const struct model_waste *one = model_waste(m, i);
		if (one->kind != w->kind)
			continue;
		count(w, one);
		if (!one->wasted_bytes)
			continue;
		pair_fill(&w->pairs[w->npairs], m, one);
		w->npairs++;
	}
	merge_alike(w);
	judge(w, m, z);
	for (size_t i = 0; i < w->npairs; i++)
		w->pairs[i].row.range = bounds_wilson(w->pairs[i].row.share, w->effective, z);
}

void waste_compute(struct waste_sum waste[WASTE_KINDS], const struct model *m, double confidence)
{
	double z = bounds_z(confidence);

	memset(waste, 0, WASTE_KINDS * sizeof *waste);
	for (int k = 0; k < WASTE_KINDS; k++) {
		waste[k].kind = (enum wire_waste_kind)(WIRE_DEAD_STORE + k);
		compute_kind(&waste[k], m, z);
	}
}

void waste_release(struct waste_sum waste[WASTE_KINDS])
{
	for (int k = 0; k < WASTE_KINDS; k++) {
		for (size_t i = 0; i < waste[k].npairs; i++)
			release_pair(&waste[k].pairs[i]);
		free(waste[k].pairs);
	}
	memset(waste, 0, WASTE_KINDS * sizeof *waste);
}

const char *waste_name(enum wire_waste_kind kind)
{
	switch (kind) {
	case WIRE_DEAD_STORE:
		return "dead-store";
	case WIRE_SILENT_STORE:
		return "silent-store";
	case WIRE_SILENT_LOAD:
		return "silent-load";
	}
	return NULL;
}

const char *waste_part_name(enum wire_part part)
{
	switch (part) {
	case WIRE_PART_CONTENT:
		return NULL;
	case WIRE_PART_MARK:
		return "mark word";
	case WIRE_PART_CLASS:
		return "class word";
	case WIRE_PART_LENGTH:
		return "array length";
	}
	return NULL;
}

/* Capstone, which writes the text, does not look whether it got memory. */
static void give_capstone_memory(void)
{
	cs_opt_mem memory = { xmalloc, xcalloc, xrealloc, free, vsnprintf };

	cs_option(0, CS_OPT_MEM, (size_t)&memory);
}

void waste_instruction(char *to, size_t room, const struct waste_pair *p, int which)
{
	give_capstone_memory();
	if (p->insn_len[which])
		insn_text(to, room, p->machine, p->insn[which], p->insn_len[which]);
	else
		snprintf(to, room, "?");
}
