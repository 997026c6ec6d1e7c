/* SPDX-License-Identifier: Apache-2.0 */
/* locality.h - the object of a sampled access, its thread, and the NUMA node of its page. */
#ifndef OJX_LOCALITY_H
#define OJX_LOCALITY_H

#include "core/part.h"

extern const struct part locality_part;

#endif
