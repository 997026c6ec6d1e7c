/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sampling.h - the samplers of accesses, whether this machine has them, and the choice among them.
 */
#ifndef OJX_SAMPLING_H
#define OJX_SAMPLING_H

#include <stddef.h>
#include <stdint.h>

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

/*
 * ---- perf events that sample accesses to memory: by name, by processor, and whether the
 * machine has them. Names are libpfm4's: those of Intel and AMD, mostly the same as perf's. A
 * table says which events a processor samples precisely by default. Whether the machine has an
 * event is decided only by perf_event_open: libpfm4 looks only at the processor, and a virtual
 * machine may lack its PMU.
 */

#define PMU_DEVICES "/sys/bus/event_source/devices" /* in the kernel's sysfs */
#define PMU_NAME    128

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

/* A processor family with a PMU that can sample accesses. */
struct pmu_family {
	const char *name;	    /* libpfm4's name; NULL if it does not know the family */
	const char *loads, *stores; /* libpfm4's names */
	const char *latency;	    /* loads with latency; NULL if this takes more than one event */
	unsigned char models[8];    /* of Intel's family 6; ends with 0 */
};
extern const struct pmu_family pmu_families[];
extern const size_t pmu_family_count;

/* Raw codes of these names in all families. */
enum { PMU_LOADS = 0x81d0, PMU_STORES = 0x82d0, PMU_LATENCY = 0x1cd, PMU_LATENCY_LEAST = 3 };

/* Vendor of the processor. */
enum pmu_vendor { PMU_OTHER, PMU_INTEL, PMU_AMD };

struct pmu_cpu {
	enum pmu_vendor vendor;
	unsigned family, model;
};

/* The processor that this runs on. */
struct pmu_cpu pmu_cpu(void);

/* The row of a processor; NULL if there is none. */
const struct pmu_family *pmu_family_of(const struct pmu_cpu *cpu);

/* Accesses to sample, as bits. */
enum pmu_wanted {
	PMU_WANT_LOADS = 1 << 0,
	PMU_WANT_STORES = 1 << 1,
	PMU_WANT_LATENCY = 1 << 2, /* with the latency of loads, if available */
};

/* The events of a family that sample what is wanted. Returns their number: 1 or 2. */
size_t pmu_pebs(const struct pmu_family *f, unsigned wanted, struct wire_event to[2]);

/*
 * AMD's instruction-based sampling (IBS), which samples all operations. -1 with errno ENOENT if the
 * kernel has none in `devices`.
 */
int pmu_ibs(const char *devices, struct wire_event *to);

/* Software samplers. */
struct wire_event pmu_page_faults(void);
struct wire_event pmu_clock(void);

/*
 * Opens the event as the agent will, and sets `precise` to the best possible value. 0, errno, or
 * negative (machine.h).
 */
int pmu_try(struct wire_event *e);

#endif
