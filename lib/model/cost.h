/* SPDX-License-Identifier: Apache-2.0 */
/* cost.h - the cost of a recording to the program, from figures measured in that recording. */
#ifndef OJX_COST_H
#define OJX_COST_H

#include "model/model.h"

/*
 * Percent, over all JVMs of the recording. `measured` is
 *
 *	100 * ((callbacks + traps + service thread + tool) / CPU time + pauses / wall time)
 *
 * where `pauses` is the time added to GC pauses, and CPU time is that of the JVMs. `whole` adds
 * what these clocks do not see: wire.h. NAN if no JVM has reported its CPU time.
 */
struct cost {
	double measured, whole;
};
struct cost cost_of(const struct model *m);

/* The CPU time that the JVMs have reported: without it a percentage tells nothing of a program that
 * was short or idle. */
double cost_cpu_seconds(const struct model *m);

#endif
