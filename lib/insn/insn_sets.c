/* SPDX-License-Identifier: Apache-2.0 */
/* insn_sets.c - the instructions of all processors, for the tool. */
#include <string.h>

#include "insn/aarch64/insn_aarch64.h"
#include "insn/insn.h"
#include "insn/x86_64/insn_x86_64.h"

/* A processor whose instructions the tool reads. */
struct insn_set {
	const char *machine; /* as `uname -m` names it */
	void (*text)(char *to, size_t room, const uint8_t *code, size_t len);
};

static const struct insn_set sets[] = {
	{ "x86_64", insn_x86_64_text },
	{ "aarch64", insn_aarch64_text },
};

void insn_text(char *to, size_t room, const char *machine, const uint8_t *code, size_t len)
{
	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
		if (strcmp(sets[i].machine, machine) != 0)
			continue;
		sets[i].text(to, room, code, len);
		return;
	}
	insn_bytes(to, room, code, len);
}
