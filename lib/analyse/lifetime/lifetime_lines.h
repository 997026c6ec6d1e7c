/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lifetime_lines.h - the known lives of a recording, by the line that allocated the object
 * (line_groups.h).
 */
#ifndef OJX_LIFETIME_LINES_H
#define OJX_LIFETIME_LINES_H

#include "analyse/lifetime/lifetime.h"
#include "model/line_groups.h"

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

/* 0, or -1 if out of memory. Release with lifetime_lines_release in either case. */
int lifetime_lines_make(struct lifetime_lines *lines, const struct model *m,
			const struct findings_options *options);
void lifetime_lines_release(struct lifetime_lines *lines);

#endif
