/* SPDX-License-Identifier: Apache-2.0 */
/* insn_bytes.c - an instruction that nothing here understands, for the tool. */
#include <stdio.h>

#include "insn/insn.h"

void insn_bytes(char *to, size_t room, const uint8_t *code, size_t len)
{
	size_t at = 0;

	if (room)
		*to = '\0';
	for (size_t i = 0; i < len && at + 4 < room; i++)
		at += (size_t)snprintf(to + at, room - at, "%s%02x", i ? " " : "", code[i]);
}
