/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stability_contents.h - whether objects are at the end of their life what they were when used.
 *
 * A cursor that is run to its end, a buffer that is cleared: at the end of life all are equal, and
 * yet none could have been shared. Only objects whose content at a use is also a content at the end
 * of life can, and their share caps what looks alone would claim.
 */
#ifndef OJX_STABILITY_CONTENTS_H
#define OJX_STABILITY_CONTENTS_H

#include <stddef.h>
#include <stdint.h>

#include "model/model.h"
#include "stats/bounds.h"

struct stability_contents {
	uint64_t uses;	 /* that could be checked */
	uint64_t lasted; /* content also seen at the end of life, of any object of these contexts */
};

/* Counts over some contexts together. 0, or -1 where memory lacks. */
int stability_contents_count(struct stability_contents *l, struct model_context *const *contexts,
			     size_t n);

/*
 * Share of the objects that lasted: all of them while no use says otherwise, then Wilson's
 * interval. NAN where no use could be checked.
 */
struct bounds_range lasting_range(const struct stability_contents *l, double z);

#endif
