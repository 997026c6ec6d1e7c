/* SPDX-License-Identifier: Apache-2.0 */
/* fix_figures.c - see fix_figures.h. */
#include "fix/fix_figures.h"

#include <math.h>
#include <stdlib.h>

/* ---- numbers and names ------------------------------------------------------------------- */

static double pid_of(const void *of)
{
	return ((const struct fix *)of)->pid;
}

static double snapshots_of(const void *of)
{
	const struct fix *f = of;
	double n = 0;

	for (size_t i = 0; i < f->nparts; i++)
		n += (double)f->part[i].advice->facts.snapshots;
	return n;
}

/* How many were looked at again is known of possible bytes alone. */
static double looked_of(const void *of)
{
	const struct fix *f = of;

	return f->possible > 0 ? f->looked : NAN;
}

static double agreed_of(const void *of)
{
	const struct fix *f = of;

	return f->possible > 0 ? f->agreed : NAN;
}

static double watches_of(const void *of)
{
	const struct fix *f = of;

	return f->possible > 0 ? (double)f->watches : NAN;
}

static double uses_of(const void *of)
{
	const struct fix *f = of;

	return f->possible > 0 ? (double)f->used : NAN;
}

/* A row by line and class can have parts of several rules, each with the row of its contexts. */
static double live_of(const void *of)
{
	const struct fix *f = of;
	double sum = NAN;

	for (size_t i = 0; i < f->nparts; i++) {
		double live = f->part[i].row->replica.live_bytes;
		bool told = false;
		for (size_t k = 0; k < i; k++)
			told |= f->part[k].row == f->part[i].row;
		if (!told && isfinite(live))
			sum = isfinite(sum) ? sum + live : live;
	}
	return sum;
}

#define TEXT(name, expression)                                                   \
	static const char *name##_of(const void *of, char room[FIGURE_TEXT_MAX]) \
	{                                                                        \
		const struct fix *f = of;                                        \
		(void)room;                                                      \
		return expression;                                               \
	}

TEXT(rule, f->rule ? fix_name(f) : NULL)
TEXT(kind, f->rule ? fix_kind_name(f->kind) : NULL)
TEXT(class, fix_first(f)->line.class_name)
TEXT(method, fix_first(f)->line.method)
TEXT(file, fix_first(f)->line.file)

enum { BOTH = FIGURE_JSON | FIGURE_CSV, OUTER = BOTH | FIGURE_OUTER };

#define NUMBER(name_, unit_, flags_, help_, ...)                                            \
	{                                                                                   \
		.name = (name_), .unit = (unit_), .flags = (flags_), .kind = FIGURE_NUMBER, \
		.help = (help_), __VA_ARGS__                                                \
	}
#define NAME(name_, function, help_)                                                      \
	{                                                                                 \
		.name = (name_), .kind = FIGURE_TEXT, .flags = OUTER, .text = (function), \
		.help = (help_)                                                           \
	}
/* Conditions can be on bytes that have a key. */
#define BYTES(name_, key_, member_, range_, help_)                       \
	NUMBER(name_, "bytes", OUTER | ((key_) ? FIGURE_KEY : 0), help_, \
	       FIGURE_ESTIMATE(struct fix, member_), .range_name = (range_), .key = (key_))

const struct figure fix_figures[] = {
	NUMBER("rank", "count", OUTER, "place in the order of findings, from 1",
	       FIGURE_MEMBER(struct fix, rank)),
	NAME("rule", rule_of, "rule of advice; none: no fix is known"),
	NAME("kind", kind_of, "certain, likely or possible"),
	NUMBER("pid", "count", OUTER, "the JVM's process id", .value = pid_of),
	NAME("class", class_of, "class of the method"),
	NAME("method", method_of, "method that makes the objects"),
	NAME("file", file_of, "its file"),
	NUMBER("bytes", "bytes", OUTER, "bytes that its lines allocate in these classes",
	       FIGURE_MEMBER(struct fix, bytes)),
	NUMBER("objects", "count", OUTER, "objects of these bytes",
	       FIGURE_MEMBER(struct fix, objects)),
	NUMBER("share", "share", OUTER, "share of all bytes", FIGURE_MEMBER(struct fix, share)),
	BYTES("avoidable_bytes", "avoidable", avoidable, "avoidable_ci",
	      "certain and likely bytes that the fix avoids"),
	BYTES("certain_bytes", "certain", certain, "certain_ci",
	      "bytes that the call alone decides"),
	BYTES("likely_bytes", NULL, likely, "likely_ci", "bytes of equal objects"),
	NUMBER("possible_bytes", "bytes", OUTER, "bytes that were empty or alike when last seen",
	       FIGURE_MEMBER(struct fix, possible)),
	NUMBER("expected_bytes", "bytes", OUTER,
	       "avoidable bytes, and the possible ones by their weight",
	       FIGURE_MEMBER(struct fix, expected)),
	NUMBER("live_bytes", "bytes", OUTER, "bytes alive at the last look", .value = live_of),
	NUMBER("until_s", "seconds", OUTER,
	       "nothing of it was made after so many seconds, though the JVM ran on; 0: it went on",
	       FIGURE_MEMBER(struct fix, until_s)),
	NUMBER("sampled", "count", BOTH, "objects sampled, of which these are estimates",
	       FIGURE_MEMBER(struct fix, sampled)),
	NUMBER("snapshots", "count", BOTH, "snapshots of them", .value = snapshots_of),
	NUMBER("seen_again", "count", BOTH, "those of possible bytes that were looked at again",
	       .value = looked_of),
	NUMBER("unchanged", "count", BOTH, "those of them that had stayed as they were",
	       .value = agreed_of),
	NUMBER("watches", "count", BOTH, "watches of objects of possible bytes",
	       .value = watches_of),
	NUMBER("uses", "count", BOTH, "those of them that saw a use", .value = uses_of),
	{ .name = NULL },
};

/* ---- texts ------------------------------------------------------------------------------- */

static void put_lines(FILE *out, const struct fix *f)
{
	size_t n;
	int *lines = fix_lines_of(f, &n);

	for (size_t i = 0, told = 0; i < n; i++)
		if (lines[i] > 0)
			fprintf(out, "%s%d", told++ ? " " : "", lines[i]);
	free(lines);
}

static void put_classes(FILE *out, const struct fix *f)
{
	double bytes, objects;

	for (size_t i = 0; i < f->nparts; i++)
		if (fix_class_of(f, i, &bytes, &objects) == 0)
			fprintf(out, "%s%s %.0f", i ? ";" : "", f->part[i].class_name, bytes);
}

static const struct style plain = { .utf8 = true };

static void put_problem(FILE *out, const struct fix *f)
{
	if (f->rule)
		fix_put_sentence(out, &plain, f, f->rule->problem);
}

static void put_fix(FILE *out, const struct fix *f)
{
	if (f->rule)
		fix_put_sentence(out, &plain, f, f->rule->fix);
}

static void put_key(FILE *out, const struct fix *f)
{
	if (fix_has_key(f))
		fix_put_key(out, f);
}

const struct fix_text fix_texts[] = {
	{ "lines", put_lines, true, "lines of the method" },
	{ "classes", put_classes, true, "classes of the objects, and bytes of each" },
	{ "problem", put_problem, false, NULL },
	{ "fix", put_fix, false, "what may be done about it" },
	{ "key", put_key, false, "what names it in any recording of the program" },
	{ NULL, NULL, false, NULL },
};
