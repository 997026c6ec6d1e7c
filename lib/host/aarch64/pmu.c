/* SPDX-License-Identifier: Apache-2.0 */
/* pmu.c - what the tool knows of aarch64 processors; see processor.h. */
#include <stdio.h>

#include "host/processor.h"

const int processor_registers = 4;

size_t processor_events(enum sampling_sampler which, unsigned wanted,
			struct wire_event to[WIRE_EVENTS], char why[SAMPLING_WHY])
{
	(void)wanted;
	(void)to;
	snprintf(why, SAMPLING_WHY, "%s",
		 which == SAMPLING_PEBS	 ? "PEBS needs an Intel processor"
		 : which == SAMPLING_IBS ? "IBS needs an AMD processor"
					 : "ojx has no sampler of this processor's PMU; SPE was "
					   "not tried on a machine that has it");
	return 0;
}
