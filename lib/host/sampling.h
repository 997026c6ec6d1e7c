/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sampling.h - the samplers of accesses, whether this machine has them, and the choice among them.
 */
#ifndef OJX_SAMPLING_H
#define OJX_SAMPLING_H

#include <stddef.h>
#include <stdint.h>

#include "host/processor.h"

/* In the order of the enum; ends with name NULL. */
struct sampling_row {
	const char *name, *help;
};
extern const struct sampling_row sampling_rows[];

/*
 * Sets the events of a sampler for what is wanted (enum pmu_wanted), as precise as the machine
 * permits. Returns their number; or 0, with the reason in `why`. SAMPLING_AUTO always finds some;
 * if they are the clock's, `why` says why there are no better ones.
 */
size_t sampling_events(enum sampling_sampler which, unsigned wanted,
		       struct wire_event to[WIRE_EVENTS], char why[SAMPLING_WHY]);

/* Sets the event with this name. 0; or -1, with the reason in `why`. */
int sampling_event(const char *name, struct wire_event *to, char why[SAMPLING_WHY]);

/*
 * ---- perf events that sample accesses to memory: by name, by processor, and whether the
 * machine has them. Names are libpfm4's: those of Intel and AMD, mostly the same as perf's. A
 * table says which events a processor samples precisely by default. Whether the machine has an
 * event is decided only by perf_event_open: libpfm4 looks only at the processor, and a virtual
 * machine may lack its PMU.
 */

#define PMU_NAME 128

/*
 * Encodes an event by name: "MEM_LOAD_RETIRED.L3_MISS:pp", "mem_load_retired:l3_miss",
 * "page-faults", "task-clock", "r20d1". A processor event gets the precision of two p's unless the
 * name says otherwise. `period` and `hz` change only if the name sets one (":period=1000"). 0, or
 * -1 with errno: ENOENT: no such event; ENOTSUP: its samples have no address; EINVAL.
 */
int pmu_encode(const char *name, struct wire_event *to);

/*
 * Calls `tell` for each event of this processor that samples accesses precisely, with its name for
 * pmu_encode and a description.
 */
void pmu_memory_events(void (*tell)(const char *name, const char *help, void *arg), void *arg);

/* Software samplers. */
struct wire_event pmu_page_faults(void);
struct wire_event pmu_clock(void);

/*
 * Opens the event as the agent will, and sets `precise` to the best possible value. 0, errno, or
 * negative (machine.h).
 */
int pmu_try(struct wire_event *e);

#endif
