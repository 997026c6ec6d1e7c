/* SPDX-License-Identifier: Apache-2.0 */
/* bytecodes.h - what the lines of a method load, by its bytecodes. */
#ifndef OJX_BYTECODES_H
#define OJX_BYTECODES_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/wire.h"

/*
 * For each of `n` entries of a table of lines, which is ordered by bci, what the instructions from
 * there to the next entry load (enum wire_loaded). False if an instruction is not known, as a
 * debugger's breakpoint: then nothing is.
 */
bool bytecodes_loads(const unsigned char *code, uint32_t size, const struct wire_line *lines,
		     uint32_t n, uint16_t *loads);

/*
 * Whether code as the interpreter runs it is the same as `plain`, which has the instructions of the
 * class file, by what is known here of HotSpot's own ones. Adds how many of these there were.
 */
bool bytecodes_agree(const unsigned char *code, const unsigned char *plain, uint32_t size,
		     uint32_t *replaced);

#endif
