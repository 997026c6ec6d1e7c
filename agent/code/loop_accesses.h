/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loop_accesses.h - all accesses of a loop, from one of its instructions on.
 *
 * Processors take interrupts at some instructions of a loop more often than at others. The first
 * access after an interrupt is then mostly the same one. An access that is drawn from the whole
 * body does not depend on where the interrupt fell.
 */
#ifndef OJX_LOOP_ACCESSES_H
#define OJX_LOOP_ACCESSES_H

#include "code/loop_body.h"
#include "code/symbolic_registers.h"

#define LOOP_ACCESSES 64

struct loop_access {
	struct next_access_operand operand; /* its next address */
	int32_t stride; /* what each iteration adds to the address; 0: nothing, or not known */
};

/* Loads and stores. Updates are left out, as everywhere. */
struct loop_accesses {
	uint8_t n;
	bool all_loads, all_stores; /* the addresses of all can be told; if not, some are missing */
	bool store[LOOP_ACCESSES];
	struct loop_access of[LOOP_ACCESSES];
};

/*
 * Service thread: the accesses of one iteration from the instruction at `ip` on, in terms of the
 * registers there. Addresses are told if they are sums of these, in each iteration. False if the
 * loop has no accesses, or too many.
 */
bool loop_accesses_find(const struct loop_code *code, const struct loop_body *body, uint64_t ip,
			struct loop_accesses *to);

/*
 * ---- the accesses of loops, by the instruction that is interrupted, for
 * handlers. An entry holds as long as the code of the loop is the same.
 */

/* The code around an interrupt, and the last loop that was found there. */
struct loop_search {
	struct loop_code code;
	struct loop_body body;
};

/* Service thread: begins a search in the code around `ip`. */
void loop_table_begin(struct loop_search *search, uint64_t ip);

/*
 * Service thread: adds the accesses from the instruction at `ip` on. Replaces another entry if
 * there is no room. False if `ip` is in no loop that is understood.
 */
bool loop_table_answer(struct loop_search *search, uint64_t ip);

/*
 * [handler] Copies the accesses from `ip` on. False if there is no entry, or the code has changed.
 * `here`: the calling thread is executing that code.
 */
bool loop_table_find(uint64_t ip, bool here, struct loop_accesses *to);

#endif
