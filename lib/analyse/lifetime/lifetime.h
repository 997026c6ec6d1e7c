/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lifetime.h - how long objects live, by the line that allocates them. docs/lifetime.md says what
 * the figures mean.
 */
#ifndef OJX_LIFETIME_H
#define OJX_LIFETIME_H

#include "analyse/lifetime/life_store.h"
#include "model/finding.h"
#include "model/finding_rule.h"
#include "stats/survival.h"

/* With fewer effective lives, no share is good enough to act on. */
#define LIFETIME_LEAST 5

enum lifetime_clock { LIFETIME_SECONDS, LIFETIME_COLLECTIONS, LIFETIME_BYTES, LIFETIME_CLOCKS };

/* After so many collections, the share of the objects that survived them is computed. */
enum { LIFETIME_SURVIVED = 4 };
extern const unsigned lifetime_survived[LIFETIME_SURVIVED];

/* Points of the curves of a line. */
enum { LIFETIME_AGES = 32, LIFETIME_TIMES = 32 };

struct lifetime_curves {
	/* share that lives longer than an age, s; ages have equal ratios; 0 points: unknown */
	struct figure_point age[LIFETIME_AGES];
	size_t nages;
	struct figure_point time[LIFETIME_TIMES]; /* objects alive at a time, s */
	size_t ntimes;
};

/* What is known of one object at the last census. */
struct lifetime_known {
	struct wire_heap_time birth, before, alive; /* as in struct wire_life */
	struct wire_heap_time end;		    /* found dead, or else the census */
	double weight;				    /* objects it stands for */
	double size;				    /* bytes */
	uint32_t ticket;			    /* the same in its watches */
	bool ended;
};

/* A watch of one object until it was used or died, see struct wire_next_use. */
struct lifetime_next_use {
	uint64_t birth, start, end; /* ns */
	uint64_t alive;		    /* last known to be, ns; 0: unknown */
	double weight;		    /* as in the record */
	double size;		    /* bytes */
	double chance; /* probability that its object is among the known ones, at least */
	uint32_t ticket;
	uint16_t outcome, flags;
};

/* How the objects of a line that have survived a collection are used. */
struct lifetime_uses {
	size_t n;		/* watches */
	struct estimate drag;	/* share of their time, by bytes, after their last use */
	struct estimate idle;	/* share of their time that is followed by 10 s without a use */
	struct estimate in_use; /* share of their time that is followed by a use within 0.1 s */
	/* of the objects that survive their first collection, the share not used after it */
	struct estimate unused;
};

struct lifetime_advice;

/* The objects of one allocation line; its share is of the bytes allocated by all lines. */
struct lifetime_line {
	struct finding_row row;
	double objects, bytes; /* allocated, estimated */
	double followed;       /* share of these whose lives are known, about */
	double number;	       /* effective number of lives */
	/* ages that half and 90 % do not exceed: s, collections survived, bytes allocated */
	struct estimate median[LIFETIME_CLOCKS], most[LIFETIME_CLOCKS];
	struct estimate survivors[LIFETIME_SURVIVED]; /* shares */
	/*
	 * objects alive at the last collection of the old generation or, without one, at the last
	 * collection
	 */
	struct estimate alive;
	struct estimate growth; /* bytes per minute, in the last two thirds of the time before that
				   collection */
	struct lifetime_uses uses;
	struct estimate held;	 /* bytes in objects that have survived a collection, on average */
	struct estimate dragged; /* the part of these bytes in objects that are not used any more */
	struct estimate survived; /* bytes that survive their first collection */
	double held_share;	  /* share of the bytes that all lines hold */
	bool grows;		  /* for sure, and it seems so in each of these thirds */
	bool steady;		  /* made all the time */
	const struct lifetime_advice *advice; /* NULL: none */
	struct lifetime_curves *curves;	      /* its own; NULL: too few lives */
};

struct lifetime {
	size_t lives, ended;	   /* known lives, and how many of these have ended */
	struct lifetime_uses uses; /* of all lines together */
	double seconds; /* from the start to the last census; of several JVMs the longest */
	double marked;	/* from the start to the last collection of the old generation; 0: none */
	struct survival_point survivors; /* share of the bytes that survives a collection */
	size_t nlines;
	struct lifetime_line *lines; /* suspects first, then the largest share first */
};

/*
 * Computes it; `confidence` is that of the intervals. Of objects of these contexts only, or, with
 * NULL, of all. Release with lifetime_release.
 */
void lifetime_compute(struct lifetime *l, const struct model *m,
		      const struct findings_options *options);
void lifetime_release(struct lifetime *l);

/*
 * ---- what to do about the lifetimes of a line: one sentence on the problem and one on a
 * possible fix. The rules are a table; the first that matches is used.
 */

struct lifetime_advice {
	struct finding_rule rule;
	/* `gc`: the collector's name, as in struct file_jvm */
	bool (*match)(const struct lifetime_line *l, const char *gc);
};

/* NULL: there is nothing to say. */
const struct lifetime_advice *lifetime_advise(const struct lifetime_line *l, const char *gc);

#endif
