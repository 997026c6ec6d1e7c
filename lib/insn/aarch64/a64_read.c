/* SPDX-License-Identifier: Apache-2.0 */
/* a64_read.c - one instruction; see insn_aarch64.h. */
#include <string.h>

#include "insn/aarch64/a64_private.h"

/* The scalable extension: its loads and stores are not described, its results are anywhere. */
static bool scalable(uint32_t code, struct insn *insn)
{
	insn->unknown = a64_bit(code, 31);
	insn->written = UINT32_MAX;
	insn->vectors = UINT32_MAX;
	return true;
}

/* By bits 25 to 28. NULL: not allocated, or of the extension for matrices. */
static bool (*const groups[16])(uint32_t code, struct insn *insn) = {
	[2] = scalable,	   [4] = a64_memory,	[5] = a64_register,  [6] = a64_memory,
	[7] = a64_vector,  [8] = a64_immediate, [9] = a64_immediate, [10] = a64_branch,
	[11] = a64_branch, [12] = a64_memory,	[13] = a64_register, [14] = a64_memory,
	[15] = a64_vector,
};

bool insn_aarch64_decode(const uint8_t *code, size_t len, struct insn *insn)
{
	uint32_t word;

	*insn = (struct insn){ .stored = { INSN_NONE, INSN_NONE } };
	if (len < sizeof word)
		return false;
	memcpy(&word, code, sizeof word);
	bool (*read)(uint32_t code, struct insn * insn) = groups[a64_bits(word, 25, 4)];
	if (!read || !read(word, insn)) {
		memset(insn, 0, sizeof *insn);
		return false;
	}
	insn->len = INSN_AARCH64_LEN;
	return true;
}
