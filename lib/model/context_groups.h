/* SPDX-License-Identifier: Apache-2.0 */
/*
 * context_groups.h - puts allocation contexts of a model together: those with equal keys are a
 * group. A group is a row of a report, or a line of an analysis. Memory is as xmalloc.h says.
 */
#ifndef OJX_CONTEXT_GROUPS_H
#define OJX_CONTEXT_GROUPS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/idmap.h"
#include "model/callstack.h"
#include "model/finding.h"
#include "model/model.h"

struct context_key {
	struct callstack_hash key;
	struct model_context *context;
};

struct context_group {
	struct callstack_hash key;
	struct model_context **contexts; /* of the groups' array, in the order of the keys */
	size_t n;			 /* at least one */
};

struct context_groups {
	struct context_group *group; /* in the order in which their keys came first */
	size_t n;
	struct model_context **contexts; /* of all groups */
};

/* Release with context_groups_release. */
void context_groups_make(struct context_groups *to, const struct context_key *keys, size_t n);
void context_groups_release(struct context_groups *groups);

/* ---- lines: JVM, class and innermost frame outside the platform (platform.h). */

struct line_group {
	struct callstack_hash hash;
	const struct model_context *context; /* the one to show: line_shows_better */
	double objects, bytes;		     /* allocated by all its contexts, estimated */
};

#define LINE_NONE UINT32_MAX

struct line_groups {
	struct line_group *line;
	uint32_t n;
	uint32_t *of; /* by number of the context, that of its line; LINE_NONE: it is left out */
};

/*
 * Groups the contexts that the options ask for and that `wanted` accepts. Those of id 0, which had
 * no room in tables, are of no line.
 */
void line_groups_make(struct line_groups *to, const struct model *m,
		      const struct findings_options *options,
		      bool (*wanted)(const struct model_context *c, const void *arg),
		      const void *arg);
void line_groups_release(struct line_groups *g);

/* Sets hash, JVM, class and first stack of a row about a line. */
void line_group_begin_row(struct finding_row *row, const struct model *m,
			  const struct line_group *line);

/*
 * Whether a context's stack shows the place better than another's: its callers were read and the
 * other's were not; else, whether it has allocated more.
 */
bool line_shows_better(const struct model_context *c, const struct model_context *other);

/* A number for a class: that of its name, in a JVM. */
static inline uint64_t line_class_key(const struct model_class *class, uint32_t jvm)
{
	const char *name = class && class->name ? class->name : "";

	return XXH3_64bits_withSeed(name, strlen(name), jvm);
}

#endif
