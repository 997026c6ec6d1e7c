/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the reader of A64 tells of results, against the processor: random instructions that do not
 * access memory are executed. Registers that are not said to be written keep their values, and sums
 * are what they are said to be.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "base/rng.h"
#include "insn/aarch64/insn_aarch64.h"

#define WORDS	  20000
#define REGISTERS 31 /* without the stack pointer */

/*
 * Loads all registers from an array, executes one instruction, and writes them back. It is copied
 * to where the instruction can be written.
 */
extern const uint8_t runner[] __attribute__((visibility("hidden")));
extern const uint8_t runner_insn[] __attribute__((visibility("hidden")));
extern const uint8_t runner_end[] __attribute__((visibility("hidden")));
__asm__(".pushsection .rodata\n"
	".balign 8\n"
	"runner:\n"
	"	stp x29, x30, [sp, #-96]!\n"
	"	stp x19, x20, [sp, #16]\n"
	"	stp x21, x22, [sp, #32]\n"
	"	stp x23, x24, [sp, #48]\n"
	"	stp x25, x26, [sp, #64]\n"
	"	stp x27, x28, [sp, #80]\n"
	"	stp x0, xzr, [sp, #-16]!\n"
	"	mov x30, x0\n"
	"	.irp n, 0,2,4,6,8,10,12,14,16,18,20,22,24,26,28\n"
	"	ldr x\\n, [x30, #\\n * 8]\n"
	"	.endr\n"
	"	.irp n, 1,3,5,7,9,11,13,15,17,19,21,23,25,27,29\n"
	"	ldr x\\n, [x30, #\\n * 8]\n"
	"	.endr\n"
	"	ldr x30, [x30, #240]\n"
	"runner_insn:\n"
	"	nop\n"
	"	stp x0, x30, [sp, #-16]!\n"
	"	ldr x30, [sp, #16]\n"
	"	.irp n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
	"	str x\\n, [x30, #\\n * 8]\n"
	"	.endr\n"
	"	.irp n, 16,17,18,19,20,21,22,23,24,25,26,27,28,29\n"
	"	str x\\n, [x30, #\\n * 8]\n"
	"	.endr\n"
	"	ldp x0, x1, [sp], #16\n"
	"	str x0, [x30]\n"
	"	str x1, [x30, #240]\n"
	"	add sp, sp, #16\n"
	"	ldp x19, x20, [sp, #16]\n"
	"	ldp x21, x22, [sp, #32]\n"
	"	ldp x23, x24, [sp, #48]\n"
	"	ldp x25, x26, [sp, #64]\n"
	"	ldp x27, x28, [sp, #80]\n"
	"	ldp x29, x30, [sp], #96\n"
	"	ret\n"
	"runner_end:\n"
	".popsection\n");

static uint8_t *code;
static sigjmp_buf refused;

static void on_refusal(int number)
{
	(void)number;
	siglongjmp(refused, 1);
}

/* False if the processor does not know the instruction. */
static bool execute(uint32_t word, uint64_t registers[REGISTERS])
{
	uint8_t *at = code + (runner_insn - runner);
	void (*run)(uint64_t *);

	memcpy(at, &word, sizeof word);
	__builtin___clear_cache((char *)code, (char *)code + (runner_end - runner));
	memcpy(&run, &code, sizeof run);
	if (sigsetjmp(refused, 1))
		return false;
	run(registers);
	return true;
}

/* The value that the reader tells; false if it tells none, or one of the stack pointer. */
static bool told(const struct insn *insn, const uint64_t before[REGISTERS], uint64_t *value)
{
	uint64_t source = insn->from < REGISTERS ? before[insn->from] : (uint64_t)insn->imm;
	const struct insn_mem *m = &insn->lea;

	switch (insn->result) {
	case INSN_MOVE:
		*value = source;
		return true;
	case INSN_ADD:
		*value = before[insn->to] + source;
		return true;
	case INSN_SUB:
		*value = before[insn->to] - source;
		return true;
	case INSN_SHIFT:
		*value = before[insn->to] << insn->imm;
		return true;
	case INSN_LEA:
		if (m->base == INSN_AARCH64_SP || m->index == INSN_AARCH64_SP)
			return false;
		*value = (uint64_t)m->disp;
		if (m->base == INSN_PC)
			*value += (uint64_t)code + (uint64_t)(runner_insn - runner) + 4;
		else if (m->base != INSN_NONE)
			*value += before[m->base];
		if (m->index != INSN_NONE)
			*value += before[m->index] * m->scale;
		return true;
	default:
		return false;
	}
}

/* Whether a value was told, and compared. */
static bool check(uint32_t word, struct rng *rng)
{
	uint64_t before[REGISTERS], after[REGISTERS], value;
	struct insn insn;

	if (!insn_aarch64_decode((const uint8_t *)&word, sizeof word, &insn) || insn.accesses ||
	    insn.unknown || insn.flow != INSN_NEXT || insn.written & 1u << INSN_AARCH64_SP)
		return false;
	/* like indices and addresses: not negative, and without an overflow */
	for (int i = 0; i < REGISTERS; i++)
		before[i] = rng_next(rng) >> 44;
	memcpy(after, before, sizeof after);
	if (!execute(word, after))
		return false;
	for (int i = 0; i < REGISTERS; i++)
		if (before[i] != after[i] && !(insn.written & 1u << i))
			fail_msg("%08x writes x%d, and is not said to", word, i);
	if (!told(&insn, before, &value))
		return false;
	if (insn.width == 4 ? (uint32_t)value != (uint32_t)after[insn.to] : value != after[insn.to])
		fail_msg("%08x leaves %#lx in x%u, told is %#lx", word,
			 (unsigned long)after[insn.to], insn.to, (unsigned long)value);
	return true;
}

/* Shifts, extensions and parts of a register, the most of which have their last bit at an end. */
static uint32_t bit_field(uint32_t word)
{
	uint32_t wide = word >> 31 ? 1u << 22 : 0, last = word & 1 ? 31 : word >> 31 ? 63 : 30;

	return (word & ~(0x3fu << 23 | 1u << 22 | 63u << 10)) | 0x26u << 23 | wide | last << 10;
}

/* Numbers, registers, and vectors: bits 25 to 28. */
static void test_executed(void **state)
{
	static const uint32_t groups[] = { 8, 9, 5, 13, 7, 15 };
	const struct sigaction action = { .sa_handler = on_refusal };
	struct rng rng = { .state = 1 };
	unsigned compared = 0;

	(void)state;
	assert_int_equal(sigaction(SIGILL, &action, NULL), 0);
	for (size_t i = 0; i < WORDS; i++) {
		uint32_t group = groups[i % (sizeof groups / sizeof *groups)];
		uint32_t word = (uint32_t)rng_next(&rng);
		compared += check(bit_field(word), &rng);
		compared += check((word & ~(15u << 25)) | group << 25, &rng);
	}
	assert_true(compared > WORDS / 20);
}

int unit_a64_results(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_executed) };

	code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0);
	if (code == MAP_FAILED)
		return 1;
	memcpy(code, runner, (size_t)(runner_end - runner));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
