/* SPDX-License-Identifier: Apache-2.0 */
/*
 * annotate_hits.h - the first half of annotate.h: lists everything that happens at lines of source.
 */
#ifndef OJX_ANNOTATE_HITS_H
#define OJX_ANNOTATE_HITS_H

#include "base/idmap.h"
#include "report/filter.h"
#include "source/annotated.h"

enum hit_kind { HIT_OBJECTS, HIT_USES, HIT_FOUND };

struct hit {
	uint32_t file; /* number */
	int line;
	enum hit_kind kind;
	bool called;			 /* by the platform, in a call of this line */
	bool platform;			 /* the frame is the platform's code */
	bool is_line;			 /* the frame is the line of its stack (callstack_line) */
	const char *class_name, *method; /* of the frame */
	struct model_context *context;	 /* of objects */
	uint64_t uses, accesses;
	struct annotate_found found;
};

struct hit_file {
	const char *class_name, *name;
	size_t package; /* bytes of class_name that are the package and its dot */
};

struct hits {
	const struct model *model;
	struct hit *hit;
	size_t n, room;
	struct hit_file *files;
	size_t nfiles, files_room;
	struct idmap file_map; /* hash of package and name: number + 1 */
	struct idmap selected; /* contexts by JVM and id */
	double objects, bytes, placed;
	uint64_t uses, accesses;
};

/*
 * Lists the hits of all contexts that `filter` selects, and of all rows of accesses that are to be
 * shown. Memory is as xmalloc.h says. Release with hits_release.
 */
void hits_collect(struct hits *h, const struct model *m, const struct findings *findings,
		  const struct filter *filter);
void hits_release(struct hits *h);

#endif
