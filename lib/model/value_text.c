/* SPDX-License-Identifier: Apache-2.0 */
/* value_text.c - see value_text.h. */
#include "model/value_text.h"

#include <string.h>

#include "base/utf8.h"
#include "model/model_parts.h"

/*
 * ---- texts of strings, by the hash of their content. A text is kept once for each content
 * and context, for the first contents that come. The frequent ones, which a report shows, are
 * among them; a context that makes only distinct strings would have no end. As with evidence,
 * what is kept depends only on the records kept, so the reader of the file gets to the same
 * state as the writer.
 */

size_t model_value_index(const struct model_context *c, uint64_t deep)
{
	size_t low = 0, high = c->nvalues;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (c->values[middle]->deep < deep)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct model_value *make_value(struct model *m, const struct wire_value *w)
{
	struct model_value *v = arena_alloc(&m->values, sizeof *v + w->len + 1);

	if (!v)
		return NULL;
	*v = (struct model_value){ .deep = w->deep, .chars = w->chars, .len = w->len };
	memcpy(v->text, w + 1, w->len);
	v->text[w->len] = '\0';
	return v;
}

static enum model_fed keep_value(struct model *m, struct context *c, size_t at,
				 const struct wire_value *w)
{
	size_t n = c->pub.nvalues;

	if (!ARENA_GROW(&m->memory, c->pub.values, n, c->values_room))
		return MODEL_BAD;
	struct model_value *v = make_value(m, w);
	if (!v)
		return MODEL_BAD;
	struct model_value **to = c->pub.values + at;
	memmove(to + 1, to, (n - at) * sizeof *to);
	*to = v;
	c->pub.nvalues++;
	m->nvalues++;
	return MODEL_KEEP;
}

bool model_has_values(const struct model *m)
{
	return m->nvalues > 0;
}

enum model_fed model_take_value(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct wire_value *w = (const struct wire_value *)rec;

	if (w->len > WIRE_VALUE_TEXT || w->chars > INT32_MAX ||
	    rec->len != sizeof *w + wire_pad(w->len))
		return model_bad();
	struct context *c = model_event_context(m, j, w->context);
	if (!c)
		return MODEL_BAD;
	size_t at = model_value_index(&c->pub, w->deep);
	if (at < c->pub.nvalues && c->pub.values[at]->deep == w->deep)
		return MODEL_DROPPED;
	if (c->pub.nvalues >= MODEL_MAX_VALUES || m->nvalues >= MODEL_MAX_ALL_VALUES)
		return MODEL_DROPPED;
	return keep_value(m, c, at, w);
}

/* ---- Names are those of JDK 11 to 25. */

/* Methods whose result is a String, or the array of one. */
static const struct maker {
	const char *class_name;
	const char *method; /* NULL: each */
} makers[] = {
	{ "java.lang.String", "<init>" },
	{ "java.lang.String", "concat" },
	{ "java.lang.String", "join" },
	{ "java.lang.String", "newStringNoRepl" },
	{ "java.lang.String", "newStringNoRepl1" },
	{ "java.lang.String", "newStringUTF8NoRepl" },
	{ "java.lang.String", "repeat" },
	{ "java.lang.StringCoding", "decode" }, /* JDK 11, as are the next ones */
	{ "java.lang.StringCoding", "decodeASCII" },
	{ "java.lang.StringCoding", "decodeLatin1" },
	{ "java.lang.StringCoding", "decodeUTF8" },
	{ "java.lang.StringConcatHelper", NULL },
	{ "java.lang.StringLatin1", "newString" },
	{ "java.lang.StringLatin1", "replace" },
	{ "java.lang.StringLatin1", "toLowerCase" },
	{ "java.lang.StringLatin1", "toUpperCase" },
	{ "java.lang.StringUTF16", "newString" },
	{ "java.lang.StringUTF16", "replace" },
	{ "java.lang.StringUTF16", "toLowerCase" },
	{ "java.lang.StringUTF16", "toUpperCase" },
	{ "java.lang.Integer", "toString" },
	{ "java.lang.Long", "toString" },
};

/* Methods that make an array for others, too: the caller counts. */
static const struct maker helpers[] = {
	{ "java.util.Arrays", "copyOf" },
	{ "java.util.Arrays", "copyOfRange" },
	{ "java.lang.StringUTF16", "compress" },
	{ "java.lang.StringUTF16", "toBytes" },
	{ "jdk.internal.misc.Unsafe", "allocateUninitializedArray" },
	{ "jdk.internal.misc.Unsafe", "allocateUninitializedArray0" },
};

static bool is_one(const struct model_frame *f, const struct maker *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(f->class_name, list[i].class_name) == 0 &&
		    (!list[i].method || strcmp(f->method, list[i].method) == 0))
			return true;
	return false;
}

bool string_value_made(const struct model *m, uint32_t jvm, const struct model_class *class,
		       uint32_t stack_id)
{
	const uint32_t *numbers;
	unsigned flags;

	if (!m || !class || !class->is_array || !class->name || strcmp(class->name, "byte[]") != 0)
		return false;
	size_t n = model_stack_frames(m, jvm, stack_id, &numbers, &flags);
	for (size_t i = 0; i < n; i++) {
		struct model_frame f = model_frame(m, jvm, numbers[i]);
		if (f.folded || f.home == MODEL_HOME_PROGRAM)
			return false;
		if (!is_one(&f, helpers, sizeof helpers / sizeof helpers[0]))
			return is_one(&f, makers, sizeof makers / sizeof makers[0]);
	}
	return false;
}

/* Number of UTF-16 units of the text. */
static uint64_t units(const struct model_value *v)
{
	const char *at = v->text, *end = v->text + v->len;
	uint64_t n = 0;

	while (at < end)
		n += utf8_next(&at, end) > 0xffff ? 2 : 1;
	return n;
}

bool value_is_cut(const struct model_value *v)
{
	return units(v) < v->chars;
}

/* The letter that follows a backslash, or 0. */
static char escape(unsigned char c)
{
	switch (c) {
	case '\n':
		return 'n';
	case '\r':
		return 'r';
	case '\t':
		return 't';
	case '"':
	case '\\':
		return (char)c;
	default:
		return 0;
	}
}

void value_put(FILE *out, const struct style *s, const struct model_value *v)
{
	enum utf8_mode mode = s->utf8 ? UTF8_TERMINAL : UTF8_ASCII;

	putc('"', out);
	for (const char *at = v->text, *end = at + v->len, *next; at < end; at = next) {
		unsigned char c = (unsigned char)*at;
		next = at;
		utf8_next(&next, end);
		if (escape(c))
			fprintf(out, "\\%c", escape(c));
		else if (c < 0x20 || c == 0x7f)
			fprintf(out, "\\u%04x", c);
		else
			utf8_put(out, at, (size_t)(next - at), mode);
	}
	fprintf(out, "\"%s", value_is_cut(v) ? style_glyph(s, GLYPH_ELLIPSIS) : "");
}
