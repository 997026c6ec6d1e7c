/* SPDX-License-Identifier: Apache-2.0 */
/* links.c - see links.h. */
#define _GNU_SOURCE 1 /* asprintf */
#include "source/links.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/escape.h"
#include "base/idmap.h"
#include "base/javaname.h"
#include "base/memtext.h"
#include "base/xmalloc.h"

/* ---- editors ----------------------------------------------------------------------------- */

struct editor {
	const char *name, *form, *help;
};

static const struct editor editors[] = {
	{ LINKS_EDITOR, "file://{host}{file}", "what the desktop opens the file with" },
	{ "idea", "idea://open?file={file}&line={line}", "IntelliJ IDEA" },
	{ "kitty", "file://{host}{file}#{line}", "what kitty's open-actions.conf says" },
	{ "macvim", "mvim://open?url=file://{file}&line={line}", "MacVim" },
	{ "textmate", "txmt://open?url=file://{file}&line={line}", "TextMate" },
	{ "vscode", "vscode://file{file}:{line}", "Visual Studio Code" },
	{ "vscode-insiders", "vscode-insiders://file{file}:{line}", "its preview" },
	{ "vscodium", "vscodium://file{file}:{line}", "VSCodium" },
	{ NULL, NULL, NULL },
};

void links_put_editors(FILE *out, bool with_help)
{
	for (const struct editor *e = editors; e->name; e++)
		if (with_help)
			fprintf(out, "\n- %s: %s", e->name, e->help);
		else
			fprintf(out, "%s%s", e == editors ? "" : ", ", e->name);
}

/* Parts of a form, and what stands for them. */
enum part { PART_FILE, PART_LINE, PART_HOST, PARTS };
static const char *const parts[PARTS] = { "{file}", "{line}", "{host}" };

/* The part that begins here; PARTS: none does. */
static enum part part_at(const char *text)
{
	enum part p = PART_FILE;

	while (p < PARTS && strncmp(text, parts[p], strlen(parts[p])) != 0)
		p++;
	return p;
}

/* Whether it is "scheme:...{file}...", of printable ASCII without blanks and other braces. */
static bool is_form(const char *text)
{
	size_t scheme = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "0123456789+.-");

	if (scheme == 0 || text[scheme] != ':' || !strstr(text, parts[PART_FILE]))
		return false;
	for (const char *p = text; *p; p++) {
		if (*p <= ' ' || *p > '~' || *p == '}')
			return false;
		enum part part = *p == '{' ? part_at(p) : PARTS;
		if (*p == '{' && part == PARTS)
			return false;
		if (part != PARTS)
			p += strlen(parts[part]) - 1;
	}
	return true;
}

const char *links_form(const char *editor)
{
	for (const struct editor *e = editors; e->name; e++)
		if (strcmp(e->name, editor) == 0)
			return e->form;
	return is_form(editor) ? editor : NULL;
}

/* ---- addresses --------------------------------------------------------------------------- */

struct links {
	struct style_links style; /* first: see address */
	const struct sources *sources;
	const char *form;
	char host[256];
	struct idmap paths; /* full paths, by package and name of the file; empty: there is none */
	char *address;	    /* the last one */
};

/* The full path of a file, allocated; "" if no folder has it. */
static char *find(const struct links *l, const char *class_name, const char *file)
{
	struct source_place where;
	size_t len;
	char *text = sources_read(l->sources, class_name, file, &len, &where);

	free(text);
	if (!text || where.packed)
		return xstrdup("");
	char *path = xasprintf("%s/%s", where.origin, where.name);
	char *full = realpath(path, NULL);
	free(path);
	return full ? full : xstrdup("");
}

static const char *path_of(struct links *l, const char *class_name, const char *file)
{
	size_t package = (size_t)(names_simple(class_name) - class_name);
	uint64_t key = XXH3_64bits_withSeed(file, strlen(file), XXH3_64bits(class_name, package));
	char *path = idmap_get(&l->paths, key);

	if (path)
		return path;
	path = find(l, class_name, file);
	xidmap_put(&l->paths, key, path);
	return path;
}

static void put_address(FILE *out, const struct links *l, const char *path, int line)
{
	for (const char *p = l->form; *p; p++) {
		enum part part = part_at(p);
		if (part == PART_FILE)
			escape_path(out, path);
		else if (part == PART_LINE)
			fprintf(out, "%d", line);
		else if (part == PART_HOST)
			escape_path(out, l->host);
		else
			putc(*p, out);
		p += part == PARTS ? 0 : strlen(parts[part]) - 1;
	}
}

static const char *address(struct style_links *style, const char *class_name, const char *file,
			   int line)
{
	struct links *l = (struct links *)style;
	const char *path = path_of(l, class_name, file);
	struct memtext text;

	if (!*path)
		return NULL;
	free(l->address);
	put_address(memtext_begin(&text), l, path, line);
	l->address = memtext_end(&text);
	return l->address;
}

/* ---- life -------------------------------------------------------------------------------- */

struct links *links_new(const struct sources *sources, const char *form)
{
	struct links *l = xcalloc(1, sizeof *l);

	l->style.address = address;
	l->sources = sources;
	l->form = form;
	if (gethostname(l->host, sizeof l->host - 1) < 0)
		l->host[0] = '\0';
	return l;
}

void links_free(struct links *l)
{
	if (!l)
		return;
	for (size_t i = 0; l->paths.slots && i <= l->paths.mask; i++)
		free(l->paths.slots[i].value);
	idmap_release(&l->paths);
	free(l->address);
	free(l);
}

struct style_links *links_style(struct links *l)
{
	return l ? &l->style : NULL;
}
