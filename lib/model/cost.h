/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cost.h - what a recording cost the program, from the figures measured in that recording.
 */
#ifndef OJX_COST_H
#define OJX_COST_H

#include "model/model.h"

/*
 * Percent, over all JVMs of the recording:
 *
 *	100 * ((callbacks + traps + service thread + tool) / CPU time + pauses / wall time)
 *
 * where pauses are what GC pauses grew by and CPU time is that of the JVMs. NAN where no JVM has
 * reported its CPU time.
 */
double cost_percent(const struct model *m);

#endif
