/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waste.h - dead stores, silent stores, silent loads (JXPerf, FSE'19, section 5.1).
 *
 * A sample names an access that is about to happen. A debug register is armed on its bytes. The
 * trap of that access confirms the address, and gives the value and the calling context. The next
 * trap is the access to compare with.
 */
#ifndef OJX_WASTE_H
#define OJX_WASTE_H

#include "core/part.h"

extern const struct part waste_part;

#endif
