/* SPDX-License-Identifier: Apache-2.0 */
/*
 * route.h - how code is expected to go on from an instruction, and what it accesses on its way.
 *
 * Conditional jumps forwards are taken to be not taken, or the interpreter's accesses, each behind
 * a check of its own, would hardly be seen; jumps backwards are taken to be taken, as loops mostly
 * go on. One jump is followed.
 */
#ifndef OJX_ROUTE_H
#define OJX_ROUTE_H

#include "code/ahead_access.h"
#include "code/codetable.h"
#include "insn/insn.h"

/* Service thread: puts into the table what comes next (struct ahead), for each instruction of the
 * code at `ip`. */
void route_answer(struct code_table *table, uint64_t ip, const uint8_t *bytes, uint32_t len);

#endif
