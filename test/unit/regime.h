/* SPDX-License-Identifier: Apache-2.0 */
/*
 * regime.h - simulated recordings in the regime of users: programs of which everything is known, a
 * few looks at each line, and what reports make of them.
 *
 * A recording has REGIME_LINES lines. Its records are those that an agent would send; the model,
 * rows and figures are the tool's own. The same seed gives the same recording.
 *
 *	regime_program.c	what a line allocates, and what is true of it
 *	regime_agent.c		which objects are sampled, watched and looked at; records
 *	regime_judge.c		the report's verdicts and figures, compared with the truth
 *	regime_run.c		many recordings, counted by the number of looks
 */
#ifndef OJX_TEST_REGIME_H
#define OJX_TEST_REGIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyse/replica/replica.h"
#include "base/rng.h"
#include "builder.h"

enum { REGIME_LINES = 20, REGIME_SLOTS = 64, REGIME_GROUPS = 100, REGIME_FIELDS = 4 };
enum { REGIME_REFERENCE = 1 }; /* the field that refers to another object */
#define REGIME_EPOCH 16	       /* slots of an epoch, of most scenarios */

/* What the objects of a line are. */
enum regime_kind {
	REGIME_FINAL,	/* they cannot change */
	REGIME_ARRAYS,	/* int[] of three lengths, made by somebody and not changed */
	REGIME_SIZES,	/* the same; one of the lengths is many times the distance of samples */
	REGIME_STAY,	/* they could change and do not */
	REGIME_CHANGE,	/* a part of them changes after the first use */
	REGIME_CURSORS, /* all distinct when used; alike when done */
	REGIME_BUFFERS, /* all alike at the first use; filled after it */
	REGIME_LOCKS,	/* used as monitors, of which half of the looks see a trace */
	REGIME_NO_FIELDS,
	/* those of one context change after the first use and are alike in the end; no others */
	REGIME_MIXED,
	REGIME_VALUES, /* a field is equal by itself, whatever the others are */
	/* objects that refer to one other each */
	REGIME_TEXTS,  /* to a String of their own; alike if the text is */
	REGIME_NAMES,  /* the same, but a part of them gets another String after the first use */
	REGIME_LISTS,  /* to a list of their own, distinct when used; alike when done */
	REGIME_SHARED, /* those that are alike, to the same counter, which changes */
	/* to a node, which changes; those that are alike to the same; else there are four kinds */
	REGIME_NODES,
	REGIME_KINDS,
};

/* How much a sample stands for. */
enum regime_weights {
	REGIME_STEADY,
	REGIME_DRIFT,	/* from 1 to 8, or back, in the course of the run */
	REGIME_ALIKE_8, /* 8 in the phases of objects that are alike, 1 in the others */
	REGIME_ALONE_8, /* the reverse */
	REGIME_WEIGHTS,
};

/* What of the sampled objects is looked at. */
enum regime_loss {
	REGIME_ALL,
	REGIME_SKIPS,  /* a tenth to all, by turns */
	REGIME_BURSTS, /* what the agent keeps of objects that come all at once */
};

struct regime {
	const char *name;
	enum regime_kind kind;
	bool phases; /* objects that are alike and others come by turns, not mixed */
	enum regime_weights weights;
	enum regime_loss loss;
	unsigned epoch; /* slots of an epoch */
};

/* The epoch of a slot of time. */
unsigned regime_epoch(const struct regime *r, unsigned slot);

/* The part of a line's bytes whose objects have one of `groups` contents, equally common. */
struct regime_spread {
	double share;
	unsigned groups;
	double unchanged; /* REGIME_CHANGE: the part of all objects that does not change */
};

struct regime_line {
	struct regime_spread spread;
	double total; /* bytes */
	double looks; /* sampled objects, to be expected */
	/* bytes by slot of the run, in all 1; of objects that are alike, as a part of the slot's */
	double bytes[REGIME_SLOTS], alike[REGIME_SLOTS];
	unsigned contexts;
};

struct regime_program {
	const struct regime *regime;
	bool alike[REGIME_SLOTS];      /* a phase of objects that are alike */
	unsigned phase[REGIME_SLOTS];  /* its number */
	double interval[REGIME_SLOTS]; /* bytes that a sample stands for */
	double budget;		       /* percent */
	struct regime_line line[REGIME_LINES];
};

/* What is true of a line. Shares are of its bytes. */
struct regime_truth {
	double end_top, end_covered, end_same; /* at the end of life; same: when used, of those */
	double use_top, use_covered, use_same; /* at the first use; same: at the end, of those */
	double end_held, held; /* by 16 contents at the end; then or when used, the lesser */
	double slots;	       /* equal slots of two objects, on average */
	bool identity;	       /* it matters which object is which */
	double stays;	       /* of all objects, those that do not change after the first use */
	double saved;	       /* what merging saves */
};

void regime_program_make(struct regime_program *p, const struct regime *r, struct rng *rng);
/* Lays a line out, with this spread; so many of its objects are to be sampled, on average. */
void regime_line_make(struct regime_line *l, const struct regime_program *p,
		      const struct regime_spread *spread, double looks, struct rng *rng);
struct regime_truth regime_truth_of(const struct regime_program *p, const struct regime_line *l);

/* A sampled object. Values of 0: alike in REGIME_VALUES. */
struct regime_object {
	uint64_t used[REGIME_FIELDS], end[REGIME_FIELDS];
	/* with what they refer to; what cannot change of that; 0: they refer to nothing */
	uint64_t used_deep, end_deep, fixed;
	uint32_t length; /* of an array, else 0 */
	uint32_t bytes;
	bool locked;   /* and seen to be */
	bool changing; /* REGIME_MIXED: of the context of which all change */
};

struct regime_object regime_object_draw(const struct regime_program *p, const struct regime_line *l,
					unsigned slot, struct rng *rng);

/* Feeds the model with the records of the recording. If out of memory, the process ends. */
void regime_record(struct model *m, const struct regime_program *p, struct rng *rng);

/* What a report said of one line. */
struct regime_said {
	size_t line; /* of the program */
	uint64_t snapshots;
	enum replica_verdict verdict;
	bool wrong;    /* the verdict */
	bool exceeded; /* "at least" is more than what merging saves */
	bool held;     /* what 16 contents hold "at most" is less than they do */
};

struct regime_report {
	struct regime_said said[REGIME_LINES];
	size_t n;
	bool exceeded;		  /* the sum */
	double low, high, likely; /* the ends of the sum, bytes; its estimate */
	double saved;		  /* what merging saves, bytes */
	double found;		  /* what its findings are expected to avoid */
	double all_low, all_high; /* the interval of fixes_total; at most what was allocated */
	double bytes;		  /* which is estimated to be so much */
};

/* Makes the recording and the report of a program. If out of memory, the process ends. */
void regime_report(struct regime_report *r, const struct regime_program *p, struct rng *rng);

/* The scenarios; ends with one without a name. */
extern const struct regime regimes[];

/* ---- many recordings ----------------------------------------------------------------------- */

/* What is true of the lines: a mix, or always the same. */
struct regime_mix {
	const char *name;
	struct regime_spread (*draw)(struct rng *rng);
	/* the part of the verdicts that may be wrong; NAN: alpha, which depends on the looks */
	double limit;
};

extern const struct regime_mix regime_mixes[]; /* ends with one without a name */

/* By looks: from regime_from[i] on; the last ends at infinity. */
enum { REGIME_CELLS = 9 };
extern const unsigned regime_from[REGIME_CELLS];

/*
 * Counts of lines. `exceeded` goes by the looks that were to be expected, since a line that has
 * more by chance is also taken to be larger than it is.
 */
struct regime_cell {
	unsigned lines, decided, wrong, held;
	unsigned expected, exceeded;
};

struct regime_cells {
	struct regime_cell by_looks[REGIME_CELLS];
	unsigned recordings, exceeded; /* the sum */
	unsigned held;		       /* its interval has the truth */
	/* sums over the recordings; estimates of those that have one, and their truth */
	double low, high, saved, likely, likely_saved;
	unsigned points;
	/* of findings: sums, and in how many recordings fixes_total has the truth */
	double found, all_low, all_high;
	unsigned all_held;
};

/* How much is looked at: the mean number of looks at a line, and the budget that quotas are for. */
struct regime_depth {
	double least, most;
	double budget; /* percent */
};

/* Adds recordings. */
void regime_run(struct regime_cells *cells, const struct regime *r, const struct regime_mix *mix,
		const struct regime_depth *depth, unsigned recordings, uint64_t seed);

/* The part of the verdicts that may be wrong in this cell. */
double regime_limit(const struct regime_mix *mix, unsigned cell);

#define REGIME_LEAST 0.025 /* the part of lower bounds that may be exceeded */

/* Whether `n` of so many are more than chance allows if `limit` of them are due. */
bool regime_too_many(unsigned n, unsigned of, double limit);

#endif
