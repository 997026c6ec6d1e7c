/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waste_effective.h - how many independent pairs of accesses a fraction of waste rests on.
 *
 * A pair whose first access was drawn from its loop counts by its weight (Kish). The others are as
 * the interrupts fell, which is more often on some instructions than on others. They are clusters,
 * one for each instruction and calling context of the first access, and the number falls by as much
 * as instructions are seen to differ.
 */
#ifndef OJX_WASTE_EFFECTIVE_H
#define OJX_WASTE_EFFECTIVE_H

#include "analyse/waste/waste_store.h"

/*
 * The effective number of pairs of a kind; `content`: of those that are not of headers. 0 without
 * pairs, -1 if out of memory.
 */
double waste_effective(const struct model *m, enum wire_waste_kind kind, bool content);

#endif
