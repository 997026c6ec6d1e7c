/* SPDX-License-Identifier: Apache-2.0 */
/* html_tables.c - see html_tables.h. */
#include "render/html/html_tables.h"

#include "base/json_put.h"

static void put_column(FILE *out, const char *name, const struct intern_table *t, size_t k)
{
	fprintf(out, "%s\"%s\":", k ? ",\n" : "", name);
	json_put_ids(out, t->column[k], t->n, INTERN_NONE);
}

/* Writes the source file of each frame; -1 if the JVM did not tell the file or the line. */
static int put_frame_sources(FILE *out, const struct intern *in, struct source_snippets *excerpts)
{
	const struct intern_table *t = &in->frames;

	fputs(",\n\"source\":[", out);
	for (size_t i = 0; i < t->n; i++) {
		uint32_t file = t->column[FRAME_FILE][i], line = t->column[FRAME_LINE][i], id;
		fputs(i ? "," : "", out);
		if (file == INTERN_NONE || line == 0) {
			fputs("-1", out);
			continue;
		}
		if (source_snippets_want(excerpts, in->text[t->column[FRAME_CLASS][i]],
					 in->text[file], line, &id) < 0)
			return -1;
		fprintf(out, "%u", id);
	}
	putc(']', out);
	return 0;
}

int html_put_tables(FILE *out, const struct intern *in, struct source_snippets *excerpts)
{
	static const char *const frame[] = { "class", "method", "file", "line" };
	static const char *const node[] = { "parent", "frame" };

	fputs(",\n\"strings\":[", out);
	for (size_t i = 0; i < in->ntexts; i++) {
		fputs(i ? ",\n" : "\n", out);
		json_put_text(out, in->text[i]);
	}
	fputs("],\n\"frames\":{", out);
	for (size_t k = 0; k < FRAME_COLUMNS; k++)
		put_column(out, frame[k], &in->frames, k);
	if (excerpts && put_frame_sources(out, in, excerpts) < 0)
		return -1;
	fputs("},\n\"nodes\":{", out);
	for (size_t k = 0; k < NODE_COLUMNS; k++)
		put_column(out, node[k], &in->nodes, k);
	putc('}', out);
	return 0;
}

int html_number_place(struct intern *in, const struct row *row, row_put_fn *put, char **owned,
		      uint32_t *id)
{
	*owned = row_place_text(row, put);
	return *owned ? intern_text(in, *owned, id) : -1;
}
