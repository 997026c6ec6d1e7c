/* SPDX-License-Identifier: Apache-2.0 */
/*
 * javaname.c - see javaname.h.
 *
 * Names in class files are modified UTF-8: NUL is two bytes, and a character beyond U+FFFF is a
 * pair of surrogates of three bytes each. Neither is valid UTF-8; JSON readers reject both.
 */
#define _GNU_SOURCE /* memmem */

#include "base/javaname.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

bool javaoption_takes_next(const char *option)
{
	static const char *const names[] = {
		"-cp",
		"-classpath",
		"--class-path",
		"-p",
		"--module-path",
		"--upgrade-module-path",
		"--add-modules",
		"--limit-modules",
		"--add-exports",
		"--add-opens",
		"--add-reads",
		"--patch-module",
		"--enable-native-access",
		"--illegal-native-access",
		"--source",
		"-d",
		"--describe-module",
		NULL,
	};

	for (size_t i = 0; names[i]; i++)
		if (strcmp(option, names[i]) == 0)
			return true;
	return false;
}

const char *names_simple(const char *class_name)
{
	const char *dot = strrchr(class_name, '.');

	return dot ? dot + 1 : class_name;
}

static bool in_any(const char *class_name, const char *const *packages)
{
	for (; class_name && *packages; packages++)
		if (strncmp(class_name, *packages, strlen(*packages)) == 0)
			return true;
	return false;
}

bool names_in_jdk(const char *class_name)
{
	static const char *const packages[] = { "java.",    "javax.",	    "jdk.",	    "sun.",
						"com.sun.", "org.w3c.dom.", "org.xml.sax.", NULL };

	return in_any(class_name, packages);
}

const char *names_type(char signature)
{
	if (signature == 'L' || signature == '[')
		return "reference";
	return signature == 'V' ? NULL : javaname_primitive(signature);
}

/* ---- text ------------------------------------------------------------------------------ */

/* The character of two or three bytes at s, or 0 if there is none. */
static unsigned decode(const unsigned char *s, size_t len, size_t *used)
{
	*used = 1;
	if (len >= 2 && (s[0] & 0xe0) == 0xc0 && (s[1] & 0xc0) == 0x80) {
		unsigned c = (s[0] & 0x1fu) << 6 | (s[1] & 0x3fu);
		*used = 2;
		return c < 0x80 ? 0 : c;
	}
	if (len >= 3 && (s[0] & 0xf0) == 0xe0 && (s[1] & 0xc0) == 0x80 && (s[2] & 0xc0) == 0x80) {
		unsigned c = (s[0] & 0xfu) << 12 | (s[1] & 0x3fu) << 6 | (s[2] & 0x3fu);
		*used = 3;
		return c < 0x800 ? 0 : c;
	}
	return 0;
}

/* Joins a surrogate pair into one character; 0 for a lone surrogate. */
static unsigned join_surrogates(unsigned high, const unsigned char *s, size_t len, size_t *used)
{
	size_t low_used;
	unsigned low = decode(s + *used, len - *used, &low_used);

	if (high >= 0xdc00 || low < 0xdc00 || low > 0xdfff)
		return 0;
	*used += low_used;
	return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

static size_t encode(char *out, unsigned c)
{
	if (c < 0xa0) { /* C0 and C1 controls, NUL, invalid bytes */
		out[0] = '?';
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xc0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xe0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 0x3f));
		out[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | c >> 18);
	out[1] = (char)(0x80 | (c >> 12 & 0x3f));
	out[2] = (char)(0x80 | (c >> 6 & 0x3f));
	out[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

size_t javaname_text(char *out, const char *text, size_t len)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t n = 0;

	for (size_t i = 0; i < len;) {
		if (s[i] < 0x80) {
			out[n++] = s[i] < 0x20 || s[i] == 0x7f ? '?' : (char)s[i];
			i++;
			continue;
		}
		size_t used;
		unsigned c = decode(s + i, len - i, &used);
		if (c >= 0xd800 && c <= 0xdfff)
			c = join_surrogates(c, s + i, len - i, &used);
		n += encode(out + n, c);
		i += used;
	}
	out[n] = '\0';
	return n;
}

/* ---- classes --------------------------------------------------------------------------- */

static bool all_of(const char *s, size_t len, const char *set)
{
	for (size_t i = 0; i < len; i++)
		if (s[i] == '\0' || !strchr(set, s[i]))
			return false;
	return len > 0;
}

static bool contains(const char *s, size_t len, const char *word)
{
	return memmem(s, len, word, strlen(word)) != NULL;
}

/*
 * Length of a class name without the part that differs from run to run:
 *	com/acme/Foo.0x00007f0c8c000a00                   hidden class, 15 and later
 *	com/acme/Foo$$Lambda.0x..., Foo$$Lambda$14+0x...  lambda of 21 and later; archived one
 *	com/acme/Foo$$Lambda$14/0x0000000800066840        lambda of 9 to 14; 8 wrote it in decimal
 *	java/lang/invoke/LambdaForm$MH.0x...
 * A plain class can be called a/1, so a number behind '/' is cut only from lambdas.
 */
static size_t stable_length(const char *name, size_t len)
{
	size_t at = len;

	while (at > 0 && !memchr("./+", name[at - 1], 3))
		at--;
	if (at > 1) {
		const char *suffix = name + at;
		size_t n = len - at;
		bool hex = n > 2 && suffix[0] == '0' && suffix[1] == 'x' &&
			   all_of(suffix + 2, n - 2, "0123456789abcdef");
		bool lambda = contains(name, at - 1, "$$Lambda") ||
			      contains(name, at - 1, "/LambdaForm$");
		if (hex || (lambda && all_of(suffix, n, "0123456789")))
			len = at - 1;
	}

	/* followed by a number, given in order of linkage */
	static const char mark[] = "$$Lambda$";
	size_t digits = len;
	while (digits > 0 && memchr("0123456789", name[digits - 1], 10))
		digits--;
	if (digits < len && digits >= sizeof mark - 1 &&
	    memcmp(name + digits - (sizeof mark - 1), mark, sizeof mark - 1) == 0)
		len = digits - 1;
	return len;
}

const char *javaname_primitive(char type)
{
	switch (type) {
	case 'Z':
		return "boolean";
	case 'B':
		return "byte";
	case 'C':
		return "char";
	case 'S':
		return "short";
	case 'I':
		return "int";
	case 'J':
		return "long";
	case 'F':
		return "float";
	case 'D':
		return "double";
	case 'V':
		return "void";
	default:
		return NULL;
	}
}

size_t javaname_room(size_t len)
{
	return 2 * len + sizeof "boolean"; /* each '[' becomes "[]" */
}

size_t javaname_class(char *out, const char *signature, size_t len)
{
	size_t dims = 0;
	size_t n;

	while (dims < len && signature[dims] == '[')
		dims++;
	const char *name = signature + dims;
	size_t name_len = len - dims;

	if (name_len == 1 && javaname_primitive(name[0])) {
		n = strlen(javaname_primitive(name[0]));
		memcpy(out, javaname_primitive(name[0]), n);
	} else {
		if (name_len >= 2 && name[0] == 'L' && name[name_len - 1] == ';') {
			name++;
			name_len -= 2;
		}
		n = javaname_text(out, name, stable_length(name, name_len));
		for (size_t i = 0; i < n; i++)
			if (out[i] == '/')
				out[i] = '.';
	}
	for (size_t i = 0; i < dims; i++) {
		out[n++] = '[';
		out[n++] = ']';
	}
	out[n] = '\0';
	return n;
}
