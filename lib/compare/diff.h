/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diff.h - two recordings compared: which findings and contexts got better or worse, which are new
 * or gone, and which only look different because both are samples.
 *
 * A change is told from noise by intervals at a level that allows for the number of comparisons
 * made: if nothing has changed, the whole comparison names a change in one of a hundred cases (at
 * 99 %). Half of these are left to findings, which are few. See docs/method.md, "Comparing two
 * recordings".
 */
#ifndef OJX_DIFF_H
#define OJX_DIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "compare/match.h"
#include "fix/fix.h"
#include "model/finding.h"
#include "report/columns.h"
#include "report/recording.h"
#include "report/rows.h"
#include "stats/estimate.h"

/* What is compared, by importance: the first that changed makes a row better or worse. */
enum diff_measure {
	DIFF_SAVED,
	DIFF_BYTES,
	DIFF_OBJECTS,
	DIFF_IDENTICAL,
	DIFF_THETA,
	DIFF_MEASURES,
};

/* The column of a measure; both have one name. */
const struct column *diff_column(enum diff_measure m);

/* Whether it is a share, 0 to 1, and not an amount. */
bool diff_is_share(enum diff_measure m);

enum diff_state {
	DIFF_SAME,   /* no change beyond noise and threshold */
	DIFF_FEW,    /* too few samples on both sides to tell */
	DIFF_WORSE,  /* more of what is compared */
	DIFF_BETTER, /* less */
	DIFF_NEW,
	DIFF_GONE,
	DIFF_STATES,
};

/* "same", "few", "worse", "better", "new", "gone". */
const char *diff_state_name(enum diff_state s);

/*
 * Values are as a report shows them; amounts are divided by the time if requested. NAN: not
 * measured.
 */
struct diff_change {
	double from, to;
	struct bounds_range
		range; /* of the change to - from, at the level of the whole comparison */
	enum estimate_verdict verdict;
};

struct diff_row {
	const struct row *from, *to; /* NULL: there is none */
	enum match_how how;
	enum diff_state state;
	/* one side has pairs of uses, the other of snapshots: shares are not compared */
	bool sources_differ;
	bool new_replica; /* has become a replica, or is one and new */
	bool deep;	  /* saved bytes are those of deep contents */
	struct diff_change change[DIFF_MEASURES];
};

/*
 * A finding (fix.h), which its key names in both recordings. Where the same objects have another
 * rule now, as more or less is known of them, it is still one finding.
 */
struct diff_fix {
	/* of several processes with the same key, the one that avoids most; NULL: there is none */
	const struct fix *from, *to;
	uint64_t from_sampled, to_sampled; /* objects, of all processes */
	double from_possible, to_possible; /* bytes, likewise */
	enum diff_state state;
	struct diff_change avoidable; /* bytes that are certain or likely */
	struct diff_change bytes;     /* of its classes, that its method makes */
};

/* The headline of a kind of finding. NAN on a side: nothing of it was seen there. */
struct diff_found {
	const struct analysis *analysis;
	const struct finding_kind *kind;
	struct diff_change change;
};

struct diff_side {
	struct rows *rows;
	const struct recording *recording;
	const struct findings *findings; /* NULL: none */
};

/* Whether amounts are compared as they are, or per second of the recordings. */
enum diff_time {
	/* per second if one recording is at least twice as long, and the more was made in it */
	DIFF_BY_LENGTH,
	DIFF_PER_SECOND,
	DIFF_SUMS,
};

struct diff_options {
	struct replica_options replica; /* confidence: of the comparison as a whole */
	bool by_line; /* the rows are by line of code: findings are compared as well */
	/*
	 * 0..1: smaller changes do not count; for amounts relative to the old one, for shares the
	 * difference
	 */
	double threshold;
	enum diff_time time;
};

struct diff {
	struct diff_side from, to;
	struct diff_options options;
	bool per_second;     /* amounts are */
	bool lengths_differ; /* one recording is at least twice as long as the other */
	/* those that avoid something on a side; changed ones first, by the size of the change */
	struct diff_fix *fix;
	size_t nfixes;
	size_t fix_states[DIFF_STATES]; /* findings of each */
	struct diff_change avoidable;	/* of all findings */
	struct fixes from_fixes, to_fixes;
	struct diff_row *row; /* sorted by the size of the change in bytes saved, then in bytes */
	size_t n;
	size_t states[DIFF_STATES];		 /* rows of each */
	struct diff_change total[DIFF_MEASURES]; /* of all rows; shares are NAN */
	struct diff_found *found; /* of both sides' findings, those that have headlines */
	size_t nfound;
	double comparisons, z; /* of rows and headlines: number of comparisons; quantile of each */
	double fix_comparisons, fix_z; /* the same of findings */
};

/* Compares; the sides must outlive it. Release with diff_release. */
void diff_make(struct diff *d, const struct diff_side *from, const struct diff_side *to,
	       const struct diff_options *options);
void diff_release(struct diff *d);

/*
 * Takes the totals of `lines`, a comparison of the same recordings by line of code: totals are by
 * line, whatever the rows are.
 */
void diff_take_totals(struct diff *d, const struct diff *lines);

/* How two recordings' commands differ. */
enum diff_commands {
	DIFF_COMMANDS_SAME, /* or one is not known */
	DIFF_COMMANDS_ARGUMENTS,
	DIFF_COMMANDS_PROGRAM, /* the main classes do */
};
enum diff_commands diff_commands(const struct diff *d);
/* "same", "arguments", "program": what differs. */
const char *diff_commands_name(enum diff_commands c);

/* The row whose names are shown: the new one, if there is one. */
const struct row *diff_shown(const struct diff_row *row);

/* The same of a finding. */
const struct fix *diff_shown_fix(const struct diff_fix *f);

/* "same", "few", "more", "less", "new", "gone": of a finding. */
const char *diff_fix_state_name(enum diff_state s);

#endif
