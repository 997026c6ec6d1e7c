/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sampling.h - which samplers of accesses there are, which of them this machine has, and the choice
 * among them.
 */
#ifndef OJX_SAMPLING_H
#define OJX_SAMPLING_H

#include <stddef.h>

#include "wire/wire.h"

enum sampling_sampler {
	SAMPLING_AUTO, /* what the processor has, else the clock */
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
 * The events of a sampler for what is wanted (enum pmu_wanted), as precise as the machine permits.
 * Returns how many, or 0 after writing to `why`, in a few words, what is missing. Of SAMPLING_AUTO
 * there are always some; where they are those of the clock `why` says why not better ones.
 */
size_t sampling_events(enum sampling_sampler which, unsigned wanted,
		       struct wire_event to[WIRE_EVENTS], char why[SAMPLING_WHY]);

/* An event that is named; 0, or -1 after writing to `why` what is wrong with it. */
int sampling_event(const char *name, struct wire_event *to, char why[SAMPLING_WHY]);

#endif
