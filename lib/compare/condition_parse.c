/* SPDX-License-Identifier: Apache-2.0 */
/* condition_parse.c - see condition.h: what the words of conditions stand for. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memtext.h"
#include "compare/condition.h"

#define TOTAL	    "total."
#define NEW_REPLICA "new-replica"

static bool is_bytes(const struct condition *c)
{
	return figure_is_bytes(c->figure);
}

static bool is_amount(const struct condition *c)
{
	return figure_is_amount(c->figure);
}

/*
 * Writes what a condition can begin with. `format` has a place for the condition; `change`: only
 * what changes are known of. Returns -1.
 */
static int say_names(char *error, const char *format, const struct condition *c,
		     enum condition_use use, bool change, const struct analysis *const *analyses)
{
	size_t used = (size_t)snprintf(error, CONDITION_ERROR, format, (int)c->len, c->text);
	const char *separator = "";

	for (const struct condition_subject *of = condition_subjects; of->many; of++) {
		struct memtext gathered;
		if (change ? !of->is_compared : !(of->listed & use))
			continue;
		of->put_names(memtext_begin(&gathered), analyses, change);
		char *names = memtext_end(&gathered);
		if (*names && used < CONDITION_ERROR) {
			used += (size_t)snprintf(error + used, CONDITION_ERROR - used, "%s%s",
						 separator, names);
			separator = ", ";
		}
		free(names);
	}
	return -1;
}

static int say_wrong(char *error, const struct condition *c, const char *what)
{
	snprintf(error, CONDITION_ERROR, "'%.*s': %s", (int)c->len, c->text, what);
	return -1;
}

/* The factor of a unit for a column; 0: not a unit. `unit` does not end with NUL. */
static double unit_factor(const struct condition *c, const char *unit, size_t len)
{
	static const char prefixes[] = "kmgt";
	bool bytes = is_bytes(c);
	double base = bytes ? 1024 : 1000;
	const char *prefix;

	if (len == 0)
		return 1;
	if (len == 1 && unit[0] == '%')
		return !is_amount(c) || c->change || c->subject->of_all ? 0.01 : 0;
	if (!is_amount(c))
		return 0;
	if (bytes && len == 1 && (unit[0] | ' ') == 'b')
		return 1;
	prefix = strchr(prefixes, unit[0] | ' ');
	if (!prefix || !*prefix)
		return 0;
	bool plain = len == 1 || (bytes && len == 2 && strncasecmp(unit + 1, "b", 1) == 0) ||
		     (bytes && len == 3 && strncasecmp(unit + 1, "ib", 2) == 0);
	return plain ? pow(base, (double)(prefix - prefixes) + 1) : 0;
}

static int parse_number(struct condition *c, const char *text, const char *end, char *error)
{
	char number[32], *rest;
	size_t digits = strspn(text, "+-.0123456789");
	const char *unit;

	if (digits > (size_t)(end - text))
		digits = (size_t)(end - text);
	if (digits == 0 || digits >= sizeof number)
		return say_wrong(error, c, "a number must follow the operator");
	memcpy(number, text, digits);
	number[digits] = '\0';
	c->change = number[0] == '+' || number[0] == '-';
	c->limit = strtod(number, &rest);
	if (rest == number || *rest)
		return say_wrong(error, c, "a number must follow the operator");
	unit = text + digits;
	double factor = unit_factor(c, unit, (size_t)(end - unit));
	if (factor == 0)
		return say_wrong(
			error, c,
			c->subject->of_all ? "the unit is none of B, kB, MB, GB, TB, %"
			: is_bytes(c)	   ? "the unit is none of B, kB, MB, GB, TB (and % of "
					     "changes, which have a sign)"
			: is_amount(c) ? "the unit is none of k, M, G, T (and % of changes, which "
					 "have a sign)"
				       : "a share has no unit but %");
	c->relative = is_amount(c) && end - unit == 1 && *unit == '%';
	c->limit *= factor;
	return 0;
}

static const char *parse_operator(struct condition *c, const char *text)
{
	if (*text != '<' && *text != '>')
		return NULL;
	c->below = *text++ == '<';
	c->or_equal = *text == '=';
	return text + c->or_equal;
}

/* Finds what has a figure of that name, and the figure. */
static bool find(struct condition *c, const char *name, size_t len, enum condition_use use,
		 const struct analysis *const *analyses)
{
	char word[64];

	snprintf(word, sizeof word, "%.*s", (int)len, name);
	for (c->subject = condition_subjects; c->subject->many; c->subject++)
		if ((c->subject->uses & use) && c->subject->find(c, word, analyses))
			return true;
	return false;
}

static int check(const struct condition *c, enum condition_use use,
		 const struct analysis *const *analyses, char *error)
{
	if (c->total && (!is_amount(c) || !c->subject->has_total))
		return say_wrong(error, c, "shares have no total");
	if (!c->change)
		return 0;
	if (use != CONDITION_OF_DIFF)
		return say_wrong(error, c,
				 "a number with a sign is a change, which only 'ojx diff' "
				 "knows");
	if (c->below != (c->limit < 0 || signbit(c->limit)))
		return say_wrong(error, c, "'>' goes with '+' (more than before), '<' with '-'");
	if (!c->subject->is_compared || !c->subject->is_compared(c->figure))
		return say_names(error, "'%.*s': changes are known of these only: ", c, use, true,
				 analyses);
	return 0;
}

static int parse_one(struct condition *c, const char *text, size_t len, enum condition_use use,
		     const struct analysis *const *analyses, char *error)
{
	const char *end = text + len;
	size_t prefix = strlen(TOTAL);

	*c = (struct condition){ .text = text, .len = len };
	if (len == strlen(NEW_REPLICA) && strncmp(text, NEW_REPLICA, len) == 0) {
		c->new_replica = true;
		c->subject = &condition_subjects[CONDITION_ON_LINES];
		return use == CONDITION_OF_DIFF
			       ? 0
			       : say_wrong(error, c, "only 'ojx diff' knows what is new");
	}
	c->total = len > prefix && strncmp(text, TOTAL, prefix) == 0;
	const char *name = text + (c->total ? prefix : 0);
	size_t name_len = strcspn(name, "<>=,");
	if (name_len > (size_t)(end - name))
		name_len = (size_t)(end - name);
	if (!find(c, name, name_len, use, analyses))
		return say_names(error, "'%.*s': it must begin with one of: ", c, use, false,
				 analyses);
	const char *number = parse_operator(c, name + name_len);
	if (!number)
		return say_wrong(error, c, "a figure must be followed by one of >, >=, <, <=");
	return parse_number(c, number, end, error) < 0 ? -1 : check(c, use, analyses, error);
}

int conditions_parse(struct conditions *to, const struct analysis *const *analyses,
		     const char *text, enum condition_use use, char error[CONDITION_ERROR])
{
	for (;;) {
		size_t len = strcspn(text, ",");
		if (to->n == CONDITIONS_MAX) {
			snprintf(error, CONDITION_ERROR, "there are more than %d conditions",
				 CONDITIONS_MAX);
			return -1;
		}
		if (parse_one(&to->item[to->n++], text, len, use, analyses, error) < 0)
			return -1;
		if (!text[len])
			return 0;
		text += len + 1;
	}
}
