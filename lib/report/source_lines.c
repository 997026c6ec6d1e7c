/* SPDX-License-Identifier: Apache-2.0 */
/* source_lines.c - see source_lines.h. */
#include "report/source_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static size_t count_lines(const char *text, size_t len)
{
	size_t n = len > 0 && text[len - 1] != '\n';

	for (size_t i = 0; i < len; i++)
		n += text[i] == '\n';
	return n;
}

static void cut(struct source_lines *l, size_t len)
{
	char *at = l->text, *end = l->text + len;

	for (size_t i = 0; i < l->n; i++) {
		char *newline = memchr(at, '\n', (size_t)(end - at));
		char *stop = newline ? newline : end;
		l->line[i] = at;
		if (stop > at && stop[-1] == '\r')
			stop[-1] = '\0';
		*stop = '\0';
		at = newline ? newline + 1 : end;
	}
}

int source_lines_read(struct source_lines *l, const struct sources *sources,
		      const struct annotate_file *f)
{
	size_t len;

	memset(l, 0, sizeof *l);
	l->text = sources ? sources_read(sources, f->class_name, f->name, &len, &l->where) : NULL;
	if (!l->text)
		return sources && errno == ENOMEM ? -1 : 0;
	l->n = count_lines(l->text, len);
	l->line = calloc(l->n ? l->n : 1, sizeof *l->line);
	if (!l->line) {
		source_lines_release(l);
		return -1;
	}
	cut(l, len);
	return 0;
}

void source_lines_release(struct source_lines *l)
{
	free(l->line);
	free(l->text);
	memset(l, 0, sizeof *l);
}

const char *source_lines_at(const struct source_lines *l, int number)
{
	return number >= 1 && (size_t)number <= l->n ? l->line[number - 1] : NULL;
}
