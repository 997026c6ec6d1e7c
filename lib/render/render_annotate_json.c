/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_annotate_json.c - an annotation as JSON; docs/annotate.md describes it. A value that was
 * not measured is null.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_put.h"
#include "render/render_annotate.h"

enum { SCHEMA = 1, INSN_MAX = 96 };

static void put_number(FILE *out, const char *name, double value)
{
	fprintf(out, ",\"%s\":", name);
	json_put_number(out, value);
}

static void put_text(FILE *out, const char *name, const char *text)
{
	fprintf(out, "\"%s\":", name);
	json_put_text(out, text);
}

static void put_class(FILE *out, const struct annotate_report *r, const struct annotate_class *c)
{
	bool enough = c->pairs >= r->min_pairs;

	putc('{', out);
	put_text(out, "class", c->name);
	fprintf(out, ",\"pid\":%d,\"in_jdk\":%s", c->pid, c->called ? "true" : "false");
	put_number(out, "objects", c->objects);
	put_number(out, "bytes", c->bytes);
	put_number(out, "saved_bytes", c->saved);
	fprintf(out, ",\"pairs\":%llu", (unsigned long long)c->pairs);
	put_number(out, "theta", enough ? c->theta : NAN);
	fputs(",\"theta_ci\":", out);
	if (enough && !isnan(c->theta_ci.low) && !isnan(c->theta_ci.high)) {
		putc('[', out);
		json_put_number(out, c->theta_ci.low);
		putc(',', out);
		json_put_number(out, c->theta_ci.high);
		putc(']', out);
	} else {
		fputs("null", out);
	}
	putc(',', out);
	put_text(out, "verdict", replica_verdict_name(c->verdict));
	putc('}', out);
}

static void put_found(FILE *out, const struct annotate_found *x)
{
	const struct finding_table_kind *t = x->finding->kind->tables[0];
	char room[FIGURE_TEXT_MAX];

	putc('{', out);
	put_text(out, "kind", x->finding->kind->name);
	fprintf(out, ",\"access\":\"%s\",\"in_jdk\":%s", x->access ? "second" : "first",
		x->called ? "true" : "false");
	put_number(out, "share", x->row->share);
	for (const struct figure *f = t->figures; f->name; f++)
		if (f->kind == FIGURE_NUMBER && (f->flags & FIGURE_LINES))
			fprintf(out, ",\"%s\":%.15g", f->name, figure_of(f, x->row));
	if (t->at_line_key) {
		putc(',', out);
		put_text(out, t->at_line_key,
			 t->at_line_text ? t->at_line_text(x->row, x->access, room) : NULL);
	}
	putc('}', out);
}

/* Adds an array for each analysis that has rows of accesses. */
static void put_findings(FILE *out, const struct annotate *a, const struct annotate_line *line)
{
	for (size_t k = 0; k < a->nanalyses; k++) {
		const char *comma = "";
		fprintf(out, ",\"%s\":[", a->analysis[k]->key);
		for (size_t i = 0; i < line->nfound; i++) {
			if (line->found[i].finding->analysis != a->analysis[k])
				continue;
			fputs(comma, out);
			put_found(out, &line->found[i]);
			comma = ",";
		}
		putc(']', out);
	}
}

static void put_line(FILE *out, const struct annotate_report *r, const struct annotate_line *line,
		     const struct source_lines *source)
{
	fprintf(out, "{\"line\":%d,", line->number);
	put_text(out, "class", line->class_name);
	putc(',', out);
	put_text(out, "method", line->method);
	putc(',', out);
	put_text(out, "source", source_lines_at(source, line->number));
	put_number(out, "objects", line->objects);
	put_number(out, "bytes", line->bytes);
	put_number(out, "saved_bytes", line->saved);
	fprintf(out, ",\"uses\":%llu,\"accesses\":%llu,\"makes\":[", (unsigned long long)line->uses,
		(unsigned long long)line->accesses);
	for (size_t i = 0; i < line->nclasses; i++) {
		fputs(i ? "," : "", out);
		put_class(out, r, &line->classes[i]);
	}
	putc(']', out);
	put_findings(out, r->annotate, line);
	putc('}', out);
}

/* Names of classes, methods and files are UTF-8 without control characters. */
static int put_path(FILE *out, const struct annotate_file *f)
{
	char *path = render_annotate_path(f);

	if (!path)
		return -1;
	put_text(out, "path", path);
	free(path);
	return 0;
}

static int put_file(FILE *out, const struct annotate_report *r, const struct annotate_file *f,
		    int only)
{
	struct source_lines source;
	const char *comma = "";

	if (source_lines_read(&source, r->sources, f) < 0)
		return -1;
	putc('{', out);
	int result = put_path(out, f);
	if (source.n > 0) {
		putc(',', out);
		put_text(out, "source_origin", source.where.origin);
		putc(',', out);
		put_text(out, "source_name", source.where.name);
	} else {
		fputs(",\"source_origin\":null,\"source_name\":null", out);
	}
	put_number(out, "objects", f->objects);
	put_number(out, "bytes", f->bytes);
	put_number(out, "saved_bytes", f->saved);
	fprintf(out, ",\"uses\":%llu,\"accesses\":%llu,\"lines\":[\n", (unsigned long long)f->uses,
		(unsigned long long)f->accesses);
	for (size_t i = 0; i < f->nlines; i++) {
		if (only && f->lines[i].number != only)
			continue;
		fputs(comma, out);
		put_line(out, r, &f->lines[i], &source);
		comma = ",\n";
	}
	fputs("]}", out);
	source_lines_release(&source);
	return result;
}

int render_annotate_json(FILE *out, const struct annotate_report *r)
{
	const char *comma = "";
	int only;

	fputs("{\"ojx\":{", out);
	put_text(out, "version", r->version);
	fprintf(out, ",\"schema\":%d},\"files\":[\n", SCHEMA);
	for (size_t i = 0; i < r->annotate->nfiles; i++) {
		const struct annotate_file *f = &r->annotate->files[i];
		if (!render_annotate_wants(r, f, &only))
			continue;
		fputs(comma, out);
		if (put_file(out, r, f, only) < 0)
			return -1;
		comma = ",\n";
	}
	fputs("]}\n", out);
	return ferror(out) ? -1 : 0;
}
