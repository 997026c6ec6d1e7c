/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lifetime_lines.h - the known lives of a recording, by the line that allocated the object
 * (context_groups.h).
 */
#ifndef OJX_LIFETIME_LINES_H
#define OJX_LIFETIME_LINES_H

#include "analyse/lifetime/lifetime.h"
#include "model/context_groups.h"

/* One line with at least one life. */
struct lifetime_group {
	struct line_group line;
	const struct life_census *census; /* of its JVM */
	struct lifetime_known *known;
	size_t n;
	struct lifetime_next_use *use; /* those of one object stand together */
	size_t nuses;
};

struct lifetime_lines {
	struct lifetime_known *known; /* of all lines, one after the other */
	size_t n;
	struct lifetime_next_use *use;
	size_t nuses;
	struct lifetime_group *group;
	size_t ngroups;
};

/* Release with lifetime_lines_release. */
void lifetime_lines_make(struct lifetime_lines *lines, const struct model *m,
			 const struct findings_options *options);
void lifetime_lines_release(struct lifetime_lines *lines);

/*
 * ---- how many objects of a line are alive at a time, and how that changes. At a given time
 * some objects are known to be alive. Others may be: those that were found dead later, and
 * those whose state nobody has checked since. For the lower end of an interval all of these
 * are dead, for the upper end alive; the error of sampling is added.
 */

/* Objects that are alive at a time (ns), `z` the quantile of the interval. */
struct estimate lifetime_alive(const struct lifetime_known *known, size_t n, uint64_t at, double z);

/* The same at the ends of LIFETIME_TIMES steps (ns, > 0) from the start. */
void lifetime_alive_over(struct estimate to[LIFETIME_TIMES], const struct lifetime_known *known,
			 size_t n, uint64_t step, double z);

/* By how many bytes what is alive grows from one time to a later one. */
struct estimate lifetime_change(const struct lifetime_known *known, size_t n, uint64_t from,
				uint64_t to, double z);

/* ---- a line's survival by age, and what is alive over time, as points to draw. */

/* `survival` is in seconds, `z` the quantile of the intervals. */
void lifetime_curve_ages(struct lifetime_curves *c, const struct survival *survival, double z);

/*
 * To the time `end` (ns). After `looked`, when objects were last looked at, only the intervals are
 * known.
 */
void lifetime_curve_times(struct lifetime_curves *c, const struct lifetime_known *known, size_t n,
			  uint64_t end, uint64_t looked, double z);

#endif
