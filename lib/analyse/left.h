/* SPDX-License-Identifier: Apache-2.0 */
/* left.h - what a finding has, and a report does not show. */
#ifndef OJX_LEFT_H
#define OJX_LEFT_H

#include <stddef.h>

/* Lines of a finding that are left out, by why. */
struct filter_left {
	size_t unselected; /* by the filter */
	size_t headers;	   /* of objects' headers */
	size_t below;	   /* too small a share */
	size_t beyond;	   /* not among the first ones */
};

#endif
