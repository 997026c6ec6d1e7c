/* SPDX-License-Identifier: Apache-2.0 */
/*
 * figure.h - a figure: a value with a name, a unit and an interval, of a row of a report, of a row
 * of a finding, or of a finding as a whole.
 *
 * One row of a table of figures describes a figure completely. Tables, JSON, CSV, the page, sort
 * keys, conditions and comparisons loop over these tables.
 */
#ifndef OJX_FIGURE_H
#define OJX_FIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "stats/bounds.h"

enum figure_kind {
	FIGURE_NUMBER, /* value() */
	FIGURE_TEXT,   /* text() */
	FIGURE_STACK,  /* of a row of a finding: stack[at] */
	FIGURE_PARTS,  /* parts(): counts by name */
	FIGURE_PATHS,  /* of a row of a finding: paths */
	FIGURE_CURVE,  /* of a row of a finding: curve() */
};

enum figure_flags {
	FIGURE_JSON = 1 << 0,
	FIGURE_CSV = 1 << 1,
	FIGURE_PAGE = 1 << 2,  /* in the data of the page; with FIGURE_KEY, a column there, too */
	FIGURE_KEY = 1 << 3,   /* of --sort and of conditions */
	FIGURE_LINES = 1 << 4, /* at lines of source files, as JSON */
	FIGURE_ALL = FIGURE_JSON | FIGURE_CSV | FIGURE_PAGE | FIGURE_KEY | FIGURE_LINES,
	FIGURE_POINT = 1 << 5, /* an estimate whose interval is not known */
	FIGURE_LOG = 1 << 6,   /* a curve over a wide range: its x is drawn logarithmically */
};

enum { FIGURE_TEXT_MAX = 96, FIGURE_PARTS_MAX = 8 };

struct figure_part {
	const char *name;
	uint64_t count;
};

/* What was not measured is NAN. Single precision is enough to be drawn. */
struct figure_point {
	float x, value, low, high;
};

/* `of` is a struct row, a struct finding_row or a struct finding. */
struct figure {
	const char *name; /* of JSON and CSV: "observed_bytes" */
	const char *unit; /* "bytes", "count", "share", "seconds", "bytes per minute"; NULL: none */
	enum figure_kind kind;
	unsigned flags;			 /* enum figure_flags */
	double (*value)(const void *of); /* NAN: not measured */
	/*
	 * The interval with the quantile `z` (bounds_z), and its name, "share_ci"; a row of a
	 * report knows only that of its own confidence. NULL: the value is exact, or an estimate
	 * without an interval (FIGURE_POINT).
	 */
	struct bounds_range (*range)(const void *of, double z);
	const char *range_name;
	/* A text, in `room` or not; NULL: not known. */
	const char *(*text)(const void *of, char room[FIGURE_TEXT_MAX]);
	/* Returns the number of parts; 0: not known. */
	size_t (*parts)(const void *of, struct figure_part parts[FIGURE_PARTS_MAX]);
	/*
	 * Points by x, of which the row keeps the memory. Returns their number; 0: not known. The
	 * unit is that of the values, and x is seconds.
	 */
	size_t (*curve)(const void *of, const struct figure_point **points);
	const char *across; /* what the x of a curve is */
	int at;		    /* which stack */
	const char *help;   /* what it shows, or what it sorts by */
	const char *key;    /* name for --sort, conditions and headings; NULL: `name` */
	/* Number of pairs or objects that a share is from; NULL: any number is enough. */
	double (*evidence)(const void *of);
};

/* The name by which people ask for it. */
static inline const char *figure_key(const struct figure *f)
{
	return f->key ? f->key : f->name;
}

/* 0..1; bytes; otherwise it is a count, or a number without a unit. */
bool figure_is_share(const struct figure *f);
bool figure_is_bytes(const struct figure *f);
/* An amount adds up over rows: bytes or a count. */
bool figure_is_amount(const struct figure *f);

/* Whether there is enough evidence: at least `least` pairs or objects. */
bool figure_is_enough(const struct figure *f, const void *of, double least);

/* The value, or NAN without enough evidence. */
double figure_value(const struct figure *f, const void *of, double least);

/* The interval; both ends are NAN if there is none. */
struct bounds_range figure_range(const struct figure *f, const void *of, double z);

/*
 * What rows are sorted by. If a share has an interval, its lower end counts, so that one lucky pair
 * does not lead; otherwise the value, if there is enough evidence.
 */
double figure_order(const struct figure *f, const void *of, double z, double least);

/*
 * What is certain: the upper or the lower end of the interval; the value, if there is enough
 * evidence, of a figure that has none. NAN: nothing is known.
 */
double figure_end(const struct figure *f, const void *of, double z, double least, bool upper);

/* Writes a value as people read it: "1.2 MB", "12 %". */
void figure_put(FILE *out, const struct figure *f, double value);

#endif
