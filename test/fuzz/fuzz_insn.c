/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_insn.c - instructions of any bytes. Nothing is read behind them, what is read is whole, and
 * its text fits.
 */
#include <stdlib.h>
#include <string.h>

#include "insn/x86_64/insn_private.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct insn insn;
	char text[24];

	size = size > 32 ? 32 : size;
	if (size == 0)
		return 0;
	uint8_t *code = malloc(size); /* for the sanitizer to see what is behind */
	if (!code)
		abort();
	memcpy(code, data, size);
	if (insn_x86_64_decode(code, size, &insn) &&
	    (insn.len == 0 || insn.len > size || insn.len > INSN_X86_64_LONGEST ||
	     insn.accesses > INSN_OPERANDS))
		abort();
	insn_x86_64_effect(text, sizeof text, code, size);
	free(code);
	return 0;
}
