/* SPDX-License-Identifier: Apache-2.0 */
/* alone_options.c - see alone_options.h. */
#define _GNU_SOURCE
#include "alone_options.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SECOND_NS 1e9
#define MOST_SIZE 1e15 /* bytes */

/* A suffix of numbers, and what it multiplies by. */
struct unit {
	const char *name;
	double factor;
};

static const struct unit times[] = {
	{ "", SECOND_NS },	 { "s", SECOND_NS },	    { "ms", 1e6 },
	{ "m", 60 * SECOND_NS }, { "h", 3600 * SECOND_NS }, { NULL, 0 }
};
static const struct unit sizes[] = {
	{ "", 1 }, { "k", 1 << 10 }, { "M", 1 << 20 }, { "G", 1 << 30 }, { NULL, 0 }
};
static const struct unit percent[] = { { "", 1 }, { "%", 1 }, { NULL, 0 } };

enum kind { TEXT, WHOLE, REAL, ANALYSES };

/* An option: where its value goes, and which values it may have. */
struct option {
	const char *name;
	enum kind kind;
	size_t at;
	const struct unit *units;
	double least, most;
	const char *what;
};

#define AT(field) offsetof(struct alone_options, field)

static const struct option options[] = {
	{ "file", TEXT, AT(file), NULL, 0, 0, "a path of 1000 bytes at most" },
	{ "secret-file", TEXT, AT(secret_file), NULL, 0, 0, "a path of 1000 bytes at most" },
	{ "duration", WHOLE, AT(duration_ns), times, 1e6, 1e17, "a time such as 60s, 5m or 1h" },
	{ "delay", WHOLE, AT(delay_ns), times, 0, 1e15, "a time such as 500ms or 60s" },
	{ "size", WHOLE, AT(size), sizes, 1 << 20, MOST_SIZE, "1M or more" },
	{ "interval", WHOLE, AT(interval), sizes, 0, 1 << 30, "a size such as 512k, 1G at most" },
	{ "budget", REAL, AT(budget), percent, 0.01, 100, "percent, from 0.01 to 100" },
	{ "event", ANALYSES, AT(analyses), NULL, 0, 0,
	  "replica, lifetime or replica+lifetime; 'ojx record -p' has the others" },
};
enum { OPTIONS = sizeof options / sizeof options[0] };

/*
 * The decimal number at *text, which ends behind it; NAN if there is none. strtod() follows the
 * program's locale, and would stop at the point where numbers have a comma.
 */
static double decimal(const char **text)
{
	double whole = 0, part = 0, digit = 1;
	const char *at = *text;

	if (*at < '0' || *at > '9')
		return NAN;
	for (; *at >= '0' && *at <= '9'; at++)
		whole = whole * 10 + (*at - '0');
	if (*at == '.')
		for (at++; *at >= '0' && *at <= '9'; at++)
			part += (*at - '0') * (digit /= 10);
	*text = at;
	return whole + part;
}

/* A number with one of the units, in its base unit; NAN if it is none. */
static double number(const char *text, const struct unit *units)
{
	double value = decimal(&text);

	for (; units->name; units++)
		if (strcmp(text, units->name) == 0)
			return value * units->factor;
	return NAN;
}

/* Copies a path; "%p" becomes the process id. */
static bool put_path(char to[ALONE_PATH], const char *from)
{
	size_t len = 0;

	while (*from && len < ALONE_PATH) {
		bool pid = from[0] == '%' && from[1] == 'p';
		int n = pid ? snprintf(to + len, ALONE_PATH - len, "%d", (int)getpid())
			    : snprintf(to + len, ALONE_PATH - len, "%c", *from);
		len += (size_t)n;
		from += pid ? 2 : 1;
	}
	return len > 0 && len < ALONE_PATH;
}

/* Names with a plus between them: the options have commas. */
static bool put_analyses(uint64_t *bits, const char *names)
{
	static const char *const known[] = { "replica", "lifetime" }; /* enum alone_analysis */

	*bits = 0;
	for (;;) {
		size_t len = strcspn(names, "+"), i = 0;
		while (i < 2 && (strlen(known[i]) != len || strncmp(names, known[i], len) != 0))
			i++;
		if (i == 2)
			return false;
		*bits |= 1u << i;
		if (!names[len])
			return true;
		names += len + 1;
	}
}

static bool set(struct alone_options *o, const struct option *row, const char *value)
{
	char *at = (char *)o + row->at;

	if (row->kind == TEXT)
		return put_path(at, value);
	if (row->kind == ANALYSES)
		return put_analyses((uint64_t *)at, value);
	double x = number(value, row->units);
	if (!(x >= row->least && x <= row->most))
		return false;
	if (row->kind == WHOLE)
		*(uint64_t *)at = (uint64_t)x;
	else
		memcpy(at, &x, sizeof x);
	return true;
}

/* One option, NAME=VALUE. */
static bool read_one(struct alone_options *o, char *word, char why[ALONE_WHY])
{
	char *value = strchr(word, '=');

	if (value)
		*value++ = '\0';
	for (size_t i = 0; value && i < OPTIONS; i++) {
		if (strcmp(word, options[i].name) != 0)
			continue;
		if (set(o, &options[i], value))
			return true;
		snprintf(why, ALONE_WHY, "%s=%.100s: expected %s", word, value, options[i].what);
		return false;
	}
	snprintf(why, ALONE_WHY,
		 "unknown option '%.100s'; there are file, duration, delay, "
		 "size, interval, budget, event, secret-file",
		 word);
	return false;
}

bool alone_options_read(struct alone_options *o, const char *text, char why[ALONE_WHY])
{
	char words[2 * ALONE_PATH], *rest = words;

	*o = (struct alone_options){ .budget = 2, .size = 64u << 20, .analyses = ALONE_REPLICA };
	if (strlen(text) >= sizeof words) {
		snprintf(why, ALONE_WHY, "the options are too long");
		return false;
	}
	memcpy(words, text, strlen(text) + 1);
	for (char *word; (word = strsep(&rest, ","));)
		if (*word && !read_one(o, word, why))
			return false;
	if (o->file[0])
		return true;
	snprintf(why, ALONE_WHY, "file=PATH is missing");
	return false;
}
