/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_findings.c - see html_findings.h. There are few of them beside the rows of contexts: each is
 * an object of its own, and nothing is left for later. Analyses that were not made have no element.
 */
#include "render/html/html_findings.h"

#include <math.h>

#include "base/json_put.h"

enum {
	MAX_PAIRS = 500, /* of a kind */
	MAX_OBJECTS = 500,
	MAX_ACCESSES = 50, /* of an object */
	INSN_MAX = 96,
};

static int put_node(FILE *out, struct intern *t, const struct callstack *stack)
{
	uint32_t node;

	if (intern_stack(t, stack, &node) < 0)
		return -1;
	if (node == INTERN_NONE)
		fputs("-1", out);
	else
		json_put_whole(out, node);
	return 0;
}

static void put_figure(FILE *out, const char *name, double value)
{
	fprintf(out, ",\"%s\":", name);
	json_put_number(out, value);
}

static void put_count(FILE *out, const char *name, uint64_t value)
{
	fprintf(out, ",\"%s\":", name);
	json_put_whole(out, value);
}

/* ---- waste ------------------------------------------------------------------------------- */

static int put_pair(FILE *out, const struct waste_pair *p, struct intern *t)
{
	char insn[INSN_MAX];

	fprintf(out, "{\"pid\":%d", p->pid);
	put_count(out, "count", p->wasted_count);
	put_count(out, "wasted", p->wasted_bytes);
	put_figure(out, "share", p->share);
	fputs(",\"header\":", out);
	json_put_text(out, waste_part_name(p->part));
	fputs(",\"nodes\":[", out);
	for (int i = 0; i < 2; i++) {
		fputs(i ? "," : "", out);
		if (put_node(out, t, &p->stack[i]) < 0)
			return -1;
	}
	fputs("],\"instructions\":[", out);
	for (int i = 0; i < 2; i++) {
		fputs(i ? "," : "", out);
		waste_instruction(insn, sizeof insn, p->insn[i], p->insn_len[i]);
		json_put_text(out, insn);
	}
	fputs("]}", out);
	return 0;
}

static int put_kind(FILE *out, const struct waste_sum *w, struct intern *t)
{
	fputs("\n{\"kind\":", out);
	json_put_text(out, waste_name(w->kind));
	put_figure(out, "fraction", w->fraction);
	put_figure(out, "low", w->range.low);
	put_figure(out, "high", w->range.high);
	put_count(out, "count", w->count);
	put_count(out, "bytes", w->bytes);
	put_count(out, "total", w->npairs + w->left.beyond);
	put_count(out, "headers", w->left.headers);
	put_count(out, "content", w->content.count);
	put_figure(out, "content_fraction", w->content.fraction);
	put_figure(out, "content_low", w->content.range.low);
	put_figure(out, "content_high", w->content.range.high);
	fputs(",\"pairs\":[", out);
	for (size_t i = 0; i < w->npairs && i < MAX_PAIRS; i++) {
		fputs(i ? ",\n" : "\n", out);
		if (put_pair(out, &w->pairs[i], t) < 0)
			return -1;
	}
	fputs("]}", out);
	return 0;
}

/* ---- locality ---------------------------------------------------------------------------- */

static int put_object(FILE *out, const struct locality_object *o, struct intern *t)
{
	const struct file_access_sums *s = &o->sums;

	fprintf(out, "{\"pid\":%d,\"class\":", o->pid);
	json_put_text(out, o->class ? o->class->name : NULL);
	put_figure(out, "objects", o->objects);
	put_figure(out, "bytes", o->bytes);
	put_figure(out, "share", o->share);
	put_figure(out, "low", o->range.low);
	put_figure(out, "high", o->range.high);
	put_figure(out, "effective", o->effective);
	put_count(out, "samples", s->count);
	put_count(out, "loads", o->loads);
	put_count(out, "stores", o->stores);
	put_figure(out, "latency", s->latencies ? (double)s->latency / (double)s->latencies : NAN);
	put_count(out, "local", s->local);
	put_count(out, "remote", s->remote);
	put_count(out, "total", o->naccesses);
	fputs(",\"node\":", out);
	if (put_node(out, t, &o->stack) < 0)
		return -1;
	fputs(",\"accesses\":[", out);
	for (size_t i = 0; i < o->naccesses && i < MAX_ACCESSES; i++) {
		fputs(i ? ",{\"node\":" : "{\"node\":", out);
		if (put_node(out, t, &o->accesses[i].stack) < 0)
			return -1;
		put_figure(out, "share", o->accesses[i].share);
		put_count(out, "samples", o->accesses[i].sums.count);
		putc('}', out);
	}
	fputs("]}", out);
	return 0;
}

static int put_objects(FILE *out, const char *name, const struct locality_object *objects, size_t n,
		       struct intern *t)
{
	fprintf(out, ",\"%s\":[", name);
	for (size_t i = 0; i < n && i < MAX_OBJECTS; i++) {
		fputs(i ? ",\n" : "\n", out);
		if (put_object(out, &objects[i], t) < 0)
			return -1;
	}
	putc(']', out);
	return 0;
}

static int put_way(FILE *out, const struct locality *l, struct intern *t)
{
	fputs("\n{\"metric\":", out);
	json_put_text(out, locality_metric_name(l->metric));
	put_count(out, "samples", l->samples);
	put_count(out, "unplaced", l->unplaced);
	put_figure(out, "followed", l->samples ? l->followed : NAN);
	put_count(out, "local", l->local);
	put_count(out, "remote", l->remote);
	put_count(out, "total", l->nobjects + l->objects_left.beyond);
	if (put_objects(out, "objects", l->objects, l->nobjects, t) < 0 ||
	    put_objects(out, "others", l->others, l->nothers, t) < 0)
		return -1;
	putc('}', out);
	return 0;
}

int html_put_findings(FILE *out, const struct report *r, struct intern *t)
{
	const char *comma = "";

	fputs(",\n\"waste\":[", out);
	for (int k = 0; r->waste && k < WASTE_KINDS; k++) {
		if (!r->waste[k].count)
			continue;
		fputs(comma, out);
		if (put_kind(out, &r->waste[k], t) < 0)
			return -1;
		comma = ",";
	}
	fputs("],\n\"locality\":[", out);
	comma = "";
	for (int k = 0; r->locality && k < LOCALITY_METRICS; k++) {
		if (!r->locality[k].samples)
			continue;
		fputs(comma, out);
		if (put_way(out, &r->locality[k], t) < 0)
			return -1;
		comma = ",";
	}
	putc(']', out);
	return 0;
}
