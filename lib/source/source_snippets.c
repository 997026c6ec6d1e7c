/* SPDX-License-Identifier: Apache-2.0 */
/* source_snippets.c - see source_snippets.h. */
#define XXH_INLINE_ALL

#include "source/source_snippets.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/grow.h"
#include "base/idmap.h"
#include "base/javaname.h"
#include "base/sort.h"
#include "base/xmalloc.h"

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

void source_lines_read(struct source_lines *l, const struct sources *sources,
		       const struct annotate_file *f)
{
	size_t len;

	memset(l, 0, sizeof *l);
	l->text = sources ? sources_read(sources, f->class_name, f->name, &len, &l->where) : NULL;
	if (!l->text) {
		if (sources && errno == ENOMEM)
			out_of_memory();
		return;
	}
	l->n = count_lines(l->text, len);
	l->line = xcalloc(l->n, sizeof *l->line);
	cut(l, len);
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

/* A source file, and the lines that are wanted from it. */
struct file {
	const char *class_name, *name;
	size_t package; /* length of the package in class_name, with its dot */
	uint32_t *lines;
	size_t n, cap;
};

struct source_snippets {
	struct file *files;
	size_t n, cap;
	struct idmap map; /* hash of package and name: number + 1 */
};

/* ---- asking -------------------------------------------------------------------------------- */

static bool is_file(const struct file *f, const char *class_name, size_t package, const char *name)
{
	return f->package == package && memcmp(f->class_name, class_name, package) == 0 &&
	       strcmp(f->name, name) == 0;
}

static void add_file(struct source_snippets *e, const char *class_name, size_t package,
		     const char *name)
{
	XGROW(e->files, e->n, e->cap, 64);
	e->files[e->n++] =
		(struct file){ .class_name = class_name, .name = name, .package = package };
}

/* Returns the number of the file. */
static uint32_t find_file(struct source_snippets *e, const char *class_name, const char *name)
{
	size_t package = (size_t)(names_simple(class_name) - class_name);

	for (uint64_t seed = 0;; seed++) {
		uint64_t hash = XXH3_64bits_withSeed(
			name, strlen(name), XXH3_64bits_withSeed(class_name, package, seed));
		void *known = idmap_get(&e->map, hash);
		if (!known) {
			add_file(e, class_name, package, name);
			xidmap_put(&e->map, hash, (void *)(uintptr_t)e->n);
			return (uint32_t)e->n - 1;
		}
		uint32_t id = (uint32_t)((uintptr_t)known - 1);
		if (is_file(&e->files[id], class_name, package, name))
			return id;
	}
}

uint32_t source_snippets_want(struct source_snippets *e, const char *class_name, const char *file,
			      uint32_t line)
{
	uint32_t id = find_file(e, class_name, file);
	struct file *f = &e->files[id];

	if (f->n > 0 && f->lines[f->n - 1] == line)
		return id;
	XGROW(f->lines, f->n, f->cap, 8);
	f->lines[f->n++] = line;
	return id;
}

/* ---- writing ------------------------------------------------------------------------------- */

static int compare_lines(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return ORDER(x, y);
}

/*
 * Whether line `number` is near enough to a wanted line; *next is the first wanted line that may
 * be.
 */
static bool is_wanted(const struct file *f, uint32_t number, size_t *next)
{
	while (*next < f->n && (uint64_t)f->lines[*next] + SNIPPET_AROUND < number)
		++*next;
	return *next < f->n && f->lines[*next] <= (uint64_t)number + SNIPPET_AROUND;
}

static void put_line(struct json_text *t, const char *line, size_t len, size_t *bytes)
{
	if (len > 0 && line[len - 1] == '\r')
		len--;
	if (len > SNIPPET_MAX_LINE) {
		char shown[SNIPPET_MAX_LINE + 4];
		len = SNIPPET_MAX_LINE;
		while (len > 0 &&
		       ((unsigned char)line[len] & 0xc0) == 0x80) /* a character is whole */
			len--;
		memcpy(shown, line, len);
		memcpy(shown + len, "…", 3);
		json_text_bytes(t, NULL, shown, len + 3);
	} else {
		json_text_bytes(t, NULL, line, len);
	}
	*bytes += len + 3;
}

static void end_part(struct json_text *t)
{
	json_text_close(t, ']');
	json_text_close(t, ']');
}

/* Adds the number of bytes written to *bytes. */
static void put_parts(struct json_text *t, const struct file *f, const char *text, size_t *bytes)
{
	size_t next = 0, len;
	bool in_part = false;

	for (uint32_t number = 1; *text; number++, text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		if (!is_wanted(f, number, &next)) {
			if (in_part)
				end_part(t);
			in_part = false;
			continue;
		}
		if (!in_part) {
			json_text_open(t, NULL, '[');
			json_text_whole(t, NULL, number);
			json_text_open(t, NULL, '[');
		}
		in_part = true;
		put_line(t, text, len, bytes);
	}
	if (in_part)
		end_part(t);
}

static void put_file(struct json_text *t, const struct file *f, const struct sources *s,
		     size_t *bytes)
{
	struct source_place where;
	size_t len;
	char *text = sources_read(s, f->class_name, f->name, &len, &where);
	bool fits = *bytes < SNIPPET_MAX_BYTES;

	if (!text) {
		json_text_null(t, NULL);
		return;
	}
	json_text_open(t, NULL, '{');
	json_text_string(t, "name", where.name);
	json_text_string(t, "origin", where.origin);
	json_text_open(t, "parts", '[');
	if (fits)
		put_parts(t, f, text, bytes);
	json_text_close(t, ']');
	if (!fits)
		json_text_bool(t, "left_out", true);
	json_text_close(t, '}');
	free(text);
}

void source_snippets_put(struct json_text *t, const char *name, const struct source_snippets *e,
			 const struct sources *s)
{
	size_t bytes = 0;

	json_text_open(t, name, '[');
	for (size_t i = 0; s && i < e->n; i++) {
		struct file *f = &e->files[i];
		if (f->n > 0)
			qsort(f->lines, f->n, sizeof *f->lines, compare_lines);
		put_file(t, f, s, &bytes);
	}
	json_text_close(t, ']');
}

/* ---- life ---------------------------------------------------------------------------------- */

struct source_snippets *source_snippets_new(void)
{
	return xcalloc(1, sizeof(struct source_snippets));
}

void source_snippets_free(struct source_snippets *e)
{
	if (!e)
		return;
	for (size_t i = 0; i < e->n; i++)
		free(e->files[i].lines);
	free(e->files);
	idmap_release(&e->map);
	free(e);
}
