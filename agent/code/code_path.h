/* SPDX-License-Identifier: Apache-2.0 */
/*
 * code_path.h - the expected path of code from an instruction on, and its memory accesses.
 *
 * Forward conditional jumps count as not taken: otherwise the interpreter's accesses, each behind a
 * check, would hardly be found. Backward jumps count as taken, since loops mostly go on. One jump
 * is followed.
 */
#ifndef OJX_CODE_PATH_H
#define OJX_CODE_PATH_H

#include "code/codetable.h"
#include "code/symbolic_registers.h"
#include "insn/insn.h"

/*
 * Service thread: adds the next accesses (struct next_access) to the table, for each instruction of
 * the code at `ip`; and those of the loops around them to loop_accesses.h.
 */
void code_path_answer(struct code_table *table, uint64_t ip, const uint8_t *bytes, uint32_t len);

#endif
