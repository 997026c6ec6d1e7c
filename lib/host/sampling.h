/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sampling.h - the samplers of accesses, whether this machine has them, and the choice among them.
 */
#ifndef OJX_SAMPLING_H
#define OJX_SAMPLING_H

#include <stddef.h>

#include "wire/wire.h"

enum sampling_sampler {
	SAMPLING_AUTO, /* the processor's if it has one, else the clock */
	SAMPLING_PEBS,
	SAMPLING_IBS,
	SAMPLING_SPE,
	SAMPLING_CLOCK,
	SAMPLING_FAULTS,
	SAMPLING_NONE,
};

/* In the order of the enum; ends with name NULL. */
struct sampling_row {
	const char *name, *help;
};
extern const struct sampling_row sampling_rows[];

#define SAMPLING_WHY 640

/*
 * Sets the events of a sampler for what is wanted (enum pmu_wanted), as precise as the machine
 * permits. Returns their number; or 0, with the reason in `why`. SAMPLING_AUTO always finds some;
 * if they are the clock's, `why` says why there are no better ones.
 */
size_t sampling_events(enum sampling_sampler which, unsigned wanted,
		       struct wire_event to[WIRE_EVENTS], char why[SAMPLING_WHY]);

/* Sets the event with this name. 0; or -1, with the reason in `why`. */
int sampling_event(const char *name, struct wire_event *to, char why[SAMPLING_WHY]);

#endif
