/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - compares the reader of instructions with lines of truth.py on standard input, or with
 * those of truth_aarch64.py if there is an argument; 1 where one is wrong.
 */
#include "../unit/insn_truth.h"

int main(int argc, char **argv)
{
	struct insn_tally t = insn_truth_check(
		argc > 1 ? &insn_aarch64_reading : &insn_x86_64_reading, stdin, stdout);

	(void)argv;

	printf("%u instructions: %u loads, %u stores, %u updates, %u without memory, %u unknown, "
	       "%u wrong\n",
	       t.instructions, t.loads, t.stores, t.updates, t.none, t.unknown, t.wrong);
	return t.wrong > 0 || t.instructions == 0;
}
