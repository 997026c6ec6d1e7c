/* SPDX-License-Identifier: Apache-2.0 */
/*
 * processor.h - what a processor must provide to the tool.
 *
 * A processor is a folder here with the name that `uname -m` has for it. The Makefile takes that
 * of the machine; it is OJX_ARCH in the code. The agent's part is agent/arch/arch.h.
 */
#ifndef OJX_HOST_PROCESSOR_H
#define OJX_HOST_PROCESSOR_H

#include <stddef.h>

#include "wire/wire.h"

/* The watches that it has for a thread. */
extern const int processor_registers;

/* The samplers of accesses; sampling.h finds out which of them the machine has. */
enum sampling_sampler {
	SAMPLING_AUTO, /* the processor's if it has one, else the clock */
	SAMPLING_PEBS,
	SAMPLING_IBS,
	SAMPLING_SPE,
	SAMPLING_CLOCK,
	SAMPLING_FAULTS,
	SAMPLING_NONE,
};

/* Accesses to sample, as bits. */
enum pmu_wanted {
	PMU_WANT_LOADS = 1 << 0,
	PMU_WANT_STORES = 1 << 1,
	PMU_WANT_LATENCY = 1 << 2, /* with the latency of loads, if available */
};

#define PMU_PRECISE 2 /* the exact address of the instruction, where the processor has that */

/* What samples of the processor's events have: PERF_SAMPLE_ of linux/perf_event.h. */
#define PMU_SAMPLE_TYPE                                                          \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU | \
	 PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC)

#define PMU_DEVICES "/sys/bus/event_source/devices" /* in the kernel's sysfs */

#define SAMPLING_WHY 640

/*
 * Sets the events by which the processor samples what is wanted (enum pmu_wanted); SAMPLING_AUTO is
 * its best sampler. Returns their number, whether or not the machine permits them; or 0, with the
 * reason in `why`, if it is not a sampler of this processor.
 */
size_t processor_events(enum sampling_sampler which, unsigned wanted,
			struct wire_event to[WIRE_EVENTS], char why[SAMPLING_WHY]);

#endif
