/* SPDX-License-Identifier: Apache-2.0 */
/*
 * out_of_memory.c - see out_of_memory.h. The process ends by _exit(): exit() would write the rest
 * of streams that other threads are just using, and have their steps done twice.
 */
#include "out_of_memory.h"

#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "cmd.h"
#include "say.h"

enum { STEPS = 8 };

static struct {
	int status;
	int nsteps;
	struct {
		void (*step)(void *arg);
		void *arg;
	} before[STEPS];
	int (*rest)(void *arg);
	void *rest_arg;
	atomic_flag ending;
} state = { .status = EXIT_ERROR, .ending = ATOMIC_FLAG_INIT };

void out_of_memory_status(int status)
{
	state.status = status;
}

void out_of_memory_before(void (*step)(void *arg), void *arg)
{
	if (state.nsteps < STEPS) {
		state.before[state.nsteps].step = step;
		state.before[state.nsteps].arg = arg;
	}
	state.nsteps++;
}

void out_of_memory_forget(void)
{
	state.nsteps--;
}

void out_of_memory_after(int (*rest)(void *arg), void *arg)
{
	state.rest = rest;
	state.rest_arg = arg;
}

_Noreturn void out_of_memory(void)
{
	/* another thread ends the process already, or a step of this one got no memory, too */
	static _Thread_local bool mine;

	if (mine)
		_exit(state.status);
	if (atomic_flag_test_and_set_explicit(&state.ending, memory_order_acq_rel))
		for (;;)
			pause();
	mine = true;
	for (int i = state.nsteps < STEPS ? state.nsteps : STEPS; i-- > 0;)
		state.before[i].step(state.before[i].arg);
	say("out of memory");
	_exit(state.rest ? state.rest(state.rest_arg) : state.status);
}
