/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stability.h - which objects are at the end of their life what they were when first used, object
 * by object.
 *
 * Merged can be what is equal all its life. A look shows the end of it: iterators that ran through
 * are alike, whatever they went through, and none could have been another. So a look is held
 * against the use of the very same object, which has its ticket (wire.h). Asked is of objects whose
 * content at the end is another's, too; that others changed does not matter.
 */
#ifndef OJX_STABILITY_H
#define OJX_STABILITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"
#include "stats/bounds.h"

struct stability {
	uint64_t seen; /* objects of which a use and a look are at hand, alike at the end with
			  another one */
	uint64_t same; /* of these, were the same when used */
	double number,
		share; /* of the latter, by bytes; as many of equal weight would tell as much */
	/* share of the objects, and of their bytes: Clopper-Pearson's intervals; NAN where none was
	 * seen */
	struct bounds_range objects, bytes;
};

/*
 * Measures `n` contexts as one row, alike at the end being what is equal as such, or `deep`: with
 * what it refers to. Of both it is the object's own content that has to be the same. 0, or -1 where
 * memory lacks.
 */
int stability_measure(struct stability *u, struct model_context *const *contexts, size_t n,
		      bool deep, double z);

/*
 * Whether the fields of a class rule out that its objects change after construction: all are final,
 * if there are any. Strings do not change either, but for their cached hash codes; arrays can.
 */
bool stability_is_immutable_class(const struct model_class *class);

/*
 * Whether what objects of a class refer to cannot change, by the types of the fields: strings,
 * boxed numbers, classes. What a field of another type holds may be of a subclass that can,
 * whatever its own fields are.
 */
bool stability_is_immutable_below(const struct model_class *class);

#endif
