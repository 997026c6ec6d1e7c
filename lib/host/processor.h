/* SPDX-License-Identifier: Apache-2.0 */
/*
 * processor.h - what a processor must provide to the tool.
 *
 * A processor is a folder here with the name that `uname -m` has for it. The Makefile takes that
 * of the machine. The agent's part is agent/arch/arch.h.
 */
#ifndef OJX_HOST_PROCESSOR_H
#define OJX_HOST_PROCESSOR_H

#include "host/sampling.h"

struct processor {
	const char *machine; /* as `uname -m` names it */
	const char *name;    /* in messages */
	int registers;	     /* watches that it has for a thread */
};
extern const struct processor processor;

/*
 * Sets the events by which the processor samples what is wanted (enum pmu_wanted); SAMPLING_AUTO is
 * its best sampler. Returns their number, whether or not the machine permits them; or 0, with the
 * reason in `why`, if it is not a sampler of this processor.
 */
size_t processor_events(enum sampling_sampler which, unsigned wanted,
			struct wire_event to[WIRE_EVENTS], char why[SAMPLING_WHY]);

#endif
