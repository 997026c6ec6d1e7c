/* SPDX-License-Identifier: Apache-2.0 */
/* groups_saved.c - what merging groups saves at least and at most, as groups.h has it. */
#include <math.h>

#include "stats/groups.h"

struct bounds_range groups_saved(const struct bounds_range *covered, double contents, double least,
				 double total)
{
	struct bounds_range range = { NAN, NAN };

	if (isnan(covered->low) || isnan(contents))
		return range;
	range.low = fmax(0, total * covered->low - contents);
	range.high = fmax(range.low, total - least);
	return range;
}
