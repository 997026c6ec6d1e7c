/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stability.h - compares, object by object, the content at the end of life with that at the first
 * use.
 *
 * Only objects that are equal during their whole life can be merged. A snapshot shows the end:
 * iterators that have finished are alike, whatever they iterated over, and none could have replaced
 * another. So a snapshot is compared with the use of the same object, which has the same ticket
 * (wire.h). Counts only objects whose final content equals another's; whether other objects changed
 * does not matter. The other way round, of the objects that are alike when used, buffers that are
 * still empty for example, it counts how many are the same at the end.
 */
#ifndef OJX_STABILITY_H
#define OJX_STABILITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"
#include "stats/bounds.h"

struct stability {
	uint64_t seen; /* objects with a use and a snapshot, whose final content equals another's */
	uint64_t same; /* of these, objects that were the same when used */
	/*
	 * Share of `same` in `seen`, by bytes, and the effective number behind it. If uses of some
	 * fields differed, only uses of these fields count.
	 */
	double number, share;
	/* the same share of the objects that are alike when used; only with STABILITY_OWN */
	double used_number, used_share;
	/* the same of objects and of bytes: Clopper-Pearson intervals; NAN if none was seen */
	struct bounds_range objects, bytes;
};

/* An object that was seen in use and has a snapshot. */
struct stability_use {
	double bytes; /* for which it stands */
	bool same;    /* its content stayed the same */
};

/* What of an object counts. */
enum stability_of {
	STABILITY_OWN,	      /* its content */
	STABILITY_DEEP_FIXED, /* its deep content; what it refers to cannot change */
	STABILITY_DEEP,	      /* its deep content; uses tell what it referred to */
};

/*
 * Measures `n` contexts as one row. The object's own content must be the same when used; with
 * STABILITY_DEEP its deep content, too.
 */
void stability_measure(struct stability *u, struct model_context *const *contexts, size_t n,
		       enum stability_of of, double z);

/*
 * Lists all objects with a use and a snapshot, alike with others or not. From the list follows how
 * many stay the same, at most. A use during the construction that saw another content is left out,
 * since it tells nothing. The caller frees it.
 */
struct stability_use *stability_list(struct model_context *const *contexts, size_t ncontexts,
				     size_t *n);

/*
 * Whether what objects of a class refer to cannot change, by the types of the fields: strings,
 * boxed numbers, classes. A field of another type may hold a subclass whose objects can change.
 */
bool stability_is_immutable_below(const struct model_class *class);

/*
 * ---- recognises uses of objects under construction. A constructor's stores are not uses, but
 * a collector's barrier first loads the old value of the field, and a watch sees that load
 * (with G1, not with Serial). The content of the object at that moment says nothing about its
 * later content.
 */

/*
 * Whether the use is by a constructor of the object's own class. False if the stack or its model is
 * not known.
 */
bool in_constructor_use(const struct model_context *context, const struct model_use *use);

/*
 * Whether a constructor of the object's class is anywhere on the stack of the use: that of a
 * superclass, or a method, may use the object before its own constructor has ended.
 */
bool in_construction(const struct model_context *context, const struct model_use *use);

/*
 * As in_constructor_use, only for uses of fields that hold references: others have no barriers. It
 * seldom needs to look at the stack.
 */
bool in_constructor_reference(const struct model_context *context, const struct model_use *use);

#endif
