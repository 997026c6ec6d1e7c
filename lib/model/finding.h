/* SPDX-License-Identifier: Apache-2.0 */
/*
 * finding.h - what an analysis has found, for all who show, sort, filter, compare or export it:
 * findings with figures of their own, and tables of rows whose columns are figures. These loop over
 * the figures and know no analysis.
 */
#ifndef OJX_FINDING_H
#define OJX_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/style.h"
#include "model/analysis.h"
#include "model/callstack.h"
#include "stats/bounds.h"

struct finding_rule;

/*
 * ---- a figure: a value with a name, a unit and an interval, of a row of a report, of a row
 * of a finding, or of a finding as a whole. One row of a table of figures describes a figure
 * completely. Tables, JSON, CSV, the page, sort keys, conditions and comparisons loop over
 * these tables.
 */

enum figure_kind {
	FIGURE_NUMBER, /* value() */
	FIGURE_TEXT,   /* text() */
	FIGURE_BOOL,   /* value(): 0 is false */
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
	FIGURE_OUTER = 1 << 8, /* in JSON beside the object of the table's figures, not inside */
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

/* ---- rows ---------------------------------------------------------------------------------- */

/* One of the stacks on which a row's objects were accessed. */
struct finding_path {
	struct callstack stack;
	struct callstack_hash hash;
	double share;	/* of the row */
	double weight;	/* of what is counted */
	uint64_t count; /* of what was seen */
};

/* A row of a table. It is the first member of an analysis's own row. */
struct finding_row {
	const struct finding_kind *kind;
	uint32_t jvm;		   /* its number in the model: a process id can come again */
	int32_t pid;		   /* that of the JVM; 0: not known */
	const char *class_name;	   /* class of its objects; NULL: not known */
	struct callstack stack[2]; /* without frames if there is none */
	struct callstack_hash hash;
	/* for each stack, the frame that distinguishes it (findings_tell_apart); 0: none */
	size_t via[2];
	double share;		   /* of the finding, 0..1 */
	struct bounds_range range; /* of the share */
	uint64_t count;		   /* of what was seen */
	bool minor;		   /* left out unless such rows are requested */
	bool weak;		   /* too little was seen for a share */
	size_t npaths;
	struct finding_path *paths; /* by share, the largest first */
};

/* ---- tables -------------------------------------------------------------------------------- */

/* What rows of one sort have in common. Functions may be NULL. */
struct finding_table_kind {
	const char *key; /* of JSON; NULL: its rows are an array of the document, by the analysis's
			    key */
	const char *title;	      /* NULL: that of the finding is enough */
	const char *one, *many;	      /* what rows are called: "context", "contexts" */
	const char *minor;	      /* name of minor rows: " of object headers" */
	const struct figure *figures; /* end with name NULL */
	size_t shown;		      /* rows of a text by default */
	/*
	 * Rows are of objects: stack[0] allocated them, the paths accessed them, and class_name is
	 * their class. Otherwise all stacks are of accesses, in the order of the accesses.
	 */
	bool of_objects;
	bool overlap;		    /* several rows can have the same bytes, so there is no sum */
	bool brief;		    /* rows have no number, and no titles above their stacks */
	const char *stack_title[2]; /* NULL: there is no such stack */
	const char *paths_title;    /* NULL: rows have no paths */
	const char *between;	 /* "[accessed at]": between the two parts of an exported stack */
	const char *at_line[2];	 /* what stack[0] and stack[1] do at a line of source */
	const char *at_line_key; /* of JSON: what at_line_text gives */
	/*
	 * Write the row in one line, without number and JVM; and further lines, each with its end.
	 */
	void (*head)(FILE *out, const struct style *s, const struct finding *f,
		     const struct finding_row *row);
	void (*lines)(FILE *out, const struct style *s, const struct finding *f,
		      const struct finding_row *row);
	/* Writes lines about the row, below the context of its objects. */
	void (*of_context)(FILE *out, const struct style *s, const struct finding *f,
			   const struct finding_row *row);
	/*
	 * The frames of stack[0] by their numbers (callstack_numbers), of rows whose stack is
	 * resolved only where it is shown. Returns how many there are.
	 */
	size_t (*frames)(const struct finding_row *row, uint32_t *jvm, const uint32_t **numbers);
	/* The instruction of a stack's innermost frame; NULL: not known. */
	const char *(*at_line_text)(const struct finding_row *row, int which,
				    char room[FIGURE_TEXT_MAX]);
	/* What to do about a row, see finding_rule.h; NULL: nothing. */
	const struct finding_rule *(*rule)(const struct finding *f, const struct finding_row *row);
	/* What it is to be done about, of rows without stacks: "com.acme.Shop.prices". */
	const char *(*place)(const struct finding_row *row);
	/* More about a row at a line of source: "array length"; NULL: nothing. */
	const char *(*aspect)(const struct finding_row *row);
	/* Releases the analysis's own part; not the row itself. */
	void (*release)(struct finding_row *row);
};

/* Rows that are left out, by reason. */
struct finding_left {
	size_t unselected; /* by the filter */
	size_t minor;
	size_t below;  /* too small a share */
	size_t beyond; /* not among the first ones */
};

struct finding_table {
	const struct finding_table_kind *kind;
	void *rows;  /* in the analysis's order, or as they were sorted */
	size_t size; /* bytes from one to the next */
	size_t n;    /* number of rows to show, from the first */
	/* by the filter: these, and those after them that are too small or beyond the limit */
	size_t chosen;
	size_t all;
	struct finding_left left;
};

/* ---- findings ------------------------------------------------------------------------------ */

enum { FINDING_TABLES = 3, FINDING_KEYS = 5 };

/* What findings of one sort have in common. */
struct finding_kind {
	const char *name;	      /* "dead-store": of JSON and conditions */
	const char *title;	      /* "dead stores" */
	const char *counted;	      /* what is counted: "pairs" */
	const char *note;	      /* "[time]": in exports, where there are several */
	const struct figure *figures; /* of the finding as a whole; end with name NULL */
	size_t own_size;	      /* of what it has as its own */
	const struct finding_table_kind *tables[FINDING_TABLES + 1]; /* end with NULL */
	/*
	 * Writes lines that say what was found, each with its end. NULL: the figures are written.
	 */
	void (*tell)(FILE *out, const struct style *s, const struct finding *f);
};

struct finding {
	void *own; /* the analysis's own, zeroed at first; the first member, see figure_of */
	const struct analysis *analysis;
	const struct finding_kind *kind;
	bool seen;	/* whether there is anything to tell */
	uint64_t count; /* of what was seen */
	uint64_t least; /* least number for rows to be shown */
	double z;	/* the quantile of the intervals */
	struct finding_table table[FINDING_TABLES];
	size_t ntables;
};

struct findings_options {
	double confidence;  /* of intervals */
	uint64_t min_pairs; /* with fewer of what is counted there are no rows */
	/* only objects of these contexts; NULL: all, and what has no context */
	struct model_context *const *contexts;
	size_t ncontexts;
};

/* The contexts that are asked for. */
static inline size_t findings_ncontexts(const struct findings_options *o, const struct model *m)
{
	return o->contexts ? o->ncontexts : model_ncontexts(m);
}

static inline const struct model_context *findings_context(const struct findings_options *o,
							   const struct model *m, size_t i)
{
	return o->contexts ? o->contexts[i] : model_context(m, i);
}

struct findings {
	struct finding *item; /* in the order of the table of analyses, and of their kinds */
	size_t n;
};

/* Computes all findings of the model's analyses. */
void findings_compute(struct findings *to, const struct model *m,
		      const struct findings_options *options);
void findings_release(struct findings *f);

static inline struct finding_row *finding_row(const struct finding_table *t, size_t i)
{
	return (struct finding_row *)((char *)t->rows + i * t->size);
}

/* Makes a table of `n` rows of `size` bytes, which it takes over. */
void finding_table_init(struct finding_table *t, const struct finding_table_kind *kind, void *rows,
			size_t n, size_t size);

/* Takes over `n` rows of `size` bytes, which are released with the finding. */
void finding_add_table(struct finding *f, void *rows, size_t n, size_t size);

/* Whether there are rows to show. */
static inline bool finding_is_enough(const struct finding *f)
{
	return f->count > 0 && f->count >= f->least;
}

/* Whether anything was seen; with `of_objects`: in findings with rows of objects. */
bool findings_seen(const struct findings *f, bool of_objects);

/*
 * Finds the frames that distinguish rows whose first `frames` frames, of any stack of accesses,
 * read the same (disambiguate.h).
 */
void findings_tell_apart(struct findings *f, size_t frames);

/* The order of the rows of a table. */
struct finding_order {
	/* The numbers by which a row is sorted, largest first; NAN, which is last: not measured. */
	void (*keys)(const struct finding_row *row, double keys[FINDING_KEYS], const void *arg);
	/* The order of rows of which all numbers are equal, as for qsort. */
	int (*tie)(const struct finding_row *a, const struct finding_row *b);
	const void *arg;
};

/* Sorts all rows. */
void finding_table_sort(struct finding_table *t, const struct finding_order *order);

/*
 * Sorts the rows of an analysis by a figure, largest first; rows where it was not measured come
 * last.
 */
void findings_sort(struct findings *f, const struct analysis *a, const struct figure *key);

/*
 * Finds "ANALYSIS.FIGURE" among the figures that are keys, and its analysis; or the kind of finding
 * of that name that has a headline. NULL: there is none.
 */
const struct figure *figure_find_key(const struct analysis *const *analyses, const char *name,
				     const struct analysis **analysis);
const struct finding_kind *finding_kind_find(const struct analysis *const *analyses,
					     const char *name);

/* Its figure with FIGURE_HEADLINE; NULL: none. */
const struct figure *finding_headline(const struct finding_kind *kind);

/* Writes ", ANALYSIS.FIGURE, ..." for all keys; with help, a line for each. */
void figures_put_keys(FILE *out, const struct analysis *const *analyses, bool with_help);

/* Figures of all rows. */
double finding_pid(const void *row);
double finding_share(const void *row);
double finding_count(const void *row);
struct bounds_range finding_share_range(const void *row, double z);
const char *finding_class(const void *row, char room[FIGURE_TEXT_MAX]);
const char *finding_row_kind(const void *row, char room[FIGURE_TEXT_MAX]);

/* Figures of all findings. */
const char *finding_name(const void *finding, char room[FIGURE_TEXT_MAX]);

#endif
