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
	/* of a finding: what is compared, and what conditions on the finding mean */
	FIGURE_HEADLINE = 1 << 7,
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

/*
 * A number that is a member of the struct that the figure is of, so that nothing is computed. Make
 * it with FIGURE_MEMBER and the other macros below.
 */
enum figure_member_type { FIGURE_NO_MEMBER, FIGURE_DOUBLE, FIGURE_UINT32, FIGURE_UINT64 };

struct figure_member {
	enum figure_member_type type;
	bool own;	    /* of the struct that the finding has as its own */
	bool ranged;	    /* its interval is a member, too: two doubles */
	uint32_t at, range; /* offsets in bytes */
};

/* `of` is a struct row, a struct finding_row or a struct finding. */
struct figure {
	const char *name; /* of JSON and CSV: "observed_bytes" */
	const char *unit; /* "bytes", "count", "share", "seconds", "bytes per minute"; NULL: none */
	enum figure_kind kind;
	unsigned flags;			 /* enum figure_flags */
	struct figure_member member;	 /* the value, and the interval unless there is range() */
	double (*value)(const void *of); /* NAN: not measured; NULL: `member` is the value */
	/*
	 * The interval with the quantile `z` (bounds_z), and its name, "share_ci"; a row of a
	 * report knows only that of its own confidence. Without it and such a member the value is
	 * exact, or an estimate without an interval (FIGURE_POINT).
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

#define FIGURE_TYPE(struct_type, name)            \
	_Generic(((struct_type *)0)->name, double \
		 : FIGURE_DOUBLE, uint32_t        \
		 : FIGURE_UINT32, uint64_t        \
		 : FIGURE_UINT64)
#define FIGURE_AT(struct_type, name, is_own) \
	.member = { FIGURE_TYPE(struct_type, name), is_own, false, offsetof(struct_type, name), 0 }
#define FIGURE_AT_RANGE(struct_type, name, interval, is_own)                                   \
	.member = { FIGURE_TYPE(struct_type, name), is_own, true, offsetof(struct_type, name), \
		    offsetof(struct_type, interval) }

/* A member of the row's struct; a struct estimate there. */
#define FIGURE_MEMBER(struct_type, name) FIGURE_AT(struct_type, name, false)
#define FIGURE_ESTIMATE(struct_type, name) \
	FIGURE_AT_RANGE(struct_type, name.value, name.range, false)
/* The same of what a finding has as its own. */
#define FIGURE_OWN(struct_type, name) FIGURE_AT(struct_type, name, true)
#define FIGURE_OWN_ESTIMATE(struct_type, name) \
	FIGURE_AT_RANGE(struct_type, name.value, name.range, true)

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

/* Whether it has a value at all, and an interval. */
static inline bool figure_has_value(const struct figure *f)
{
	return f->value || f->member.type != FIGURE_NO_MEMBER;
}

static inline bool figure_has_range(const struct figure *f)
{
	return f->range || f->member.ranged;
}

/* The value; NAN: not measured. */
double figure_of(const struct figure *f, const void *of);

/* Whether there is enough evidence: at least `least` pairs or objects. */
bool figure_is_enough(const struct figure *f, const void *of, double least);

/* The value, or NAN without enough evidence. */
double figure_value(const struct figure *f, const void *of, double least);

/* The interval as it is; of a figure that has one. */
struct bounds_range figure_interval(const struct figure *f, const void *of, double z);

/* The same; both ends are NAN if there is none, or if one of them is. */
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
