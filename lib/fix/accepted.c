/* SPDX-License-Identifier: Apache-2.0 */
/* accepted.c - see accepted.h. */
#include "fix/accepted.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/memtext.h"
#include "base/sort.h"
#include "base/units.h"
#include "base/utf8.h"
#include "base/xmalloc.h"

#define SPACES " \t\r\n"

/* ---- keys -------------------------------------------------------------------------------- */

/* Writes a name so that it is one word, which no terminal takes for more. */
static void put_word(FILE *out, const char *name)
{
	const char *end = name + strlen(name), *next = name;

	for (; name < end; name = next) {
		uint32_t c = utf8_next(&next, end);
		bool plain = c > ' ' && c != '\\' && c != 0xfffd && !utf8_is_control(c);
		for (; name < next; name++)
			fprintf(out, plain ? "%c" : "\\x%02x", (unsigned char)*name);
	}
}

/* Ends a key, and makes it what a file has. The caller frees it. */
static char *key_end(struct memtext *key)
{
	struct memtext word;

	memtext_end(key);
	char *name = strchr(key->text, ' ');
	*name++ = '\0';
	fprintf(memtext_begin(&word), "%s ", key->text);
	put_word(word.in, name);
	free(key->text);
	return memtext_end(&word);
}

/* The key of a fix as a file has it; NULL: it has none. */
static char *key_of(const struct fix *f)
{
	struct memtext key;

	if (!fix_has_key(f))
		return NULL;
	fix_put_key(memtext_begin(&key), f);
	return key_end(&key);
}

static char *key_of_other(const struct other_finding *o)
{
	struct memtext key;

	other_put_key(memtext_begin(&key), o);
	return key_end(&key);
}

static struct accepted_key *find(const struct accepted *a, const char *text)
{
	for (size_t i = 0; a && i < a->n; i++)
		if (strcmp(a->key[i].text, text) == 0)
			return &a->key[i];
	return NULL;
}

/* ---- reading ----------------------------------------------------------------------------- */

/* A method, a field, an array's class, or a class without a package. */
static bool is_name(const char *name, size_t len)
{
	return memchr(name, '.', len) || memchr(name, '[', len) ||
	       (len && *name >= 'A' && *name <= 'Z');
}

/* Takes a line, of `len` bytes. 0, or -1 if it is no key. */
static int take(struct accepted *to, char *line, size_t len, size_t number)
{
	char *rule = line + strspn(line, SPACES);
	size_t rule_len = strcspn(rule, SPACES);

	if (strlen(line) == len && (*rule == '\0' || *rule == '#'))
		return 0;
	char *name = rule + rule_len + strspn(rule + rule_len, SPACES);
	size_t name_len = strcspn(name, SPACES);
	if (strlen(line) != len || !is_name(name, name_len) || *name == '#')
		return -1;
	char *reason = name + name_len + strspn(name + name_len, SPACES "#");
	size_t reason_len = strlen(reason);
	while (reason_len > 0 && strchr(SPACES, reason[reason_len - 1]))
		reason_len--;
	XGROW(to->key, to->n, to->room, 16);
	to->key[to->n++] = (struct accepted_key){
		.text = xasprintf("%.*s %.*s", (int)rule_len, rule, (int)name_len, name),
		.reason = xstrndup(reason, reason_len),
		.line = number,
	};
	return 0;
}

int accepted_read(struct accepted *to, const char *path, char error[ACCEPTED_ERROR])
{
	FILE *in = fopen(path, "re");
	char *line = NULL;
	size_t room = 0, number = 0;
	ssize_t len;
	int result = 0;

	if (!in) {
		snprintf(error, ACCEPTED_ERROR, "%s", strerror(errno));
		return -1;
	}
	while (result == 0 && (len = getline(&line, &room, in)) >= 0)
		result = take(to, line, (size_t)len, ++number);
	if (result < 0)
		snprintf(error, ACCEPTED_ERROR,
			 "line %zu is not the key of a finding, 'RULE CLASS.METHOD', and a reason",
			 number);
	else if (!feof(in)) {
		result = -1;
		snprintf(error, ACCEPTED_ERROR, "%s", strerror(errno));
	}
	free(line);
	fclose(in);
	return result;
}

void accepted_release(struct accepted *a)
{
	for (size_t i = 0; i < a->n; i++) {
		free(a->key[i].text);
		free(a->key[i].reason);
	}
	free(a->key);
	*a = (struct accepted){ .n = 0 };
}

/* ---- taking out -------------------------------------------------------------------------- */

/* Whether there is such a key; frees it. */
static bool accepts(struct accepted *a, char *text)
{
	bool found = false;

	for (size_t i = 0; text && i < a->n; i++) { /* a file may have it twice */
		bool same = strcmp(a->key[i].text, text) == 0;
		a->key[i].found |= same;
		found |= same;
	}
	free(text);
	return found;
}

static bool is_accepted(const struct fix *f, void *arg)
{
	return accepts(arg, key_of(f));
}

static bool is_accepted_other(const struct other_finding *o, void *arg)
{
	return accepts(arg, key_of_other(o));
}

void accepted_take_out(struct accepted *a, struct fixes *fixes)
{
	fixes_take_out(fixes, is_accepted, a);
}

void accepted_take_out_others(struct accepted *a, struct others *others)
{
	others_take_out(others, is_accepted_other, a);
}

size_t accepted_stale(const struct accepted *a, const struct accepted_key **first)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n; i++)
		if (!a->key[i].found && n++ == 0)
			*first = &a->key[i];
	return n;
}

/* ---- writing ----------------------------------------------------------------------------- */

/* All fixes with the same key. */
struct entry {
	char *text;
	double expected, possible; /* bytes, of all processes */
	const struct fix *first;   /* NULL: it is of another analysis */
	const struct other_finding *other;
};

/* Keys are sorted by themselves, so that a newer file differs from an older one where it must. */
static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return strcmp(x->text, y->text) ?: ORDER(y->expected, x->expected);
}

/* "likely 12.3 %, Csv.java:88" */
static void put_reason(FILE *out, const struct entry *e)
{
	const struct model_frame *line = e->first ? &fix_first(e->first)->line : e->other->line;
	char amount[UNITS_TEXT];

	if (!e->first) {
		fputs(e->other->possible ? "possible " : "likely ", out);
		figure_put(out, e->other->figure, e->expected);
	} else if (e->expected > 0) {
		fprintf(out, "%s %s", fix_kind_name(e->first->kind),
			units_bytes(amount, e->expected));
	} else {
		fprintf(out, "possible %s", units_bytes(amount, e->possible));
	}
	if (!line || !line->file)
		return;
	fputs(", ", out);
	put_word(out, line->file);
	if (line->line > 0)
		fprintf(out, ":%d", line->line);
}

static void put_entry(FILE *out, const struct entry *e, const struct accepted *a)
{
	const struct accepted_key *known = find(a, e->text);

	fprintf(out, "%s  # ", e->text);
	if (known)
		fputs(known->reason, out);
	else
		put_reason(out, e);
	putc('\n', out);
}

static size_t list_others(struct entry *to, const struct others *others)
{
	size_t n = 0;

	for (size_t i = 0; others && i < others->n + others->naccepted; i++) {
		const struct other_finding *o = &others->item[i];
		to[n++] = (struct entry){ key_of_other(o), o->amount.value, 0, NULL, o };
	}
	return n;
}

size_t accepted_write(FILE *out, const struct fixes *fixes, const struct others *others,
		      const struct accepted *a)
{
	size_t all = fixes->n + fixes->accepted.n, n = 0, keys = 0;
	size_t of_others = others ? others->n + others->naccepted : 0;
	struct entry *entry = xcalloc(all + of_others + 1, sizeof *entry);

	for (size_t i = 0; i < all; i++) {
		const struct fix *f = &fixes->fix[i];
		char *text = f->expected > 0 || f->possible > 0 ? key_of(f) : NULL;
		if (text)
			entry[n++] = (struct entry){ text, f->expected, f->possible, f, NULL };
	}
	n += list_others(entry + n, others);
	qsort(entry, n, sizeof *entry, compare_entries);
	fputs("# Findings that --accept leaves out: their keys, and why.\n", out);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && strcmp(entry[i].text, entry[end].text) == 0; end++) {
			entry[i].expected += entry[end].expected;
			entry[i].possible += entry[end].possible;
		}
		put_entry(out, &entry[i], a);
		keys++;
	}
	for (size_t i = 0; i < n; i++)
		free(entry[i].text);
	free(entry);
	return keys;
}
