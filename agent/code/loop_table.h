/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loop_table.h - the accesses of loops (loop_accesses.h), by the instruction that is interrupted,
 * for handlers. An entry holds as long as the code of the loop is the same.
 */
#ifndef OJX_LOOP_TABLE_H
#define OJX_LOOP_TABLE_H

#include "code/loop_accesses.h"

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
