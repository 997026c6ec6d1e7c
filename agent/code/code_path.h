/* SPDX-License-Identifier: Apache-2.0 */
/*
 * code_path.h - how code is expected to go on from an instruction, and what it accesses on its way.
 *
 * Conditional jumps forwards are taken to be not taken, or the interpreter's accesses, each behind
 * a check of its own, would hardly be seen; jumps backwards are taken to be taken, as loops mostly
 * go on. One jump is followed.
 */
#ifndef OJX_CODE_PATH_H
#define OJX_CODE_PATH_H

#include "code/codetable.h"
#include "code/next_access_operand.h"
#include "insn/insn.h"

/* Service thread: puts into the table what comes next (struct next_access), for each instruction of
 * the code at `ip`. */
void code_path_answer(struct code_table *table, uint64_t ip, const uint8_t *bytes, uint32_t len);

#endif
