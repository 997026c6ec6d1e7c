/* SPDX-License-Identifier: Apache-2.0 */
/*
 * population.h - what is kept of windows (windows.h): how many objects of each class there are, and
 * in how many windows the contents of sampled objects are found.
 *
 * What is sent and what is kept have bounds, whatever the program allocates. A table remembers
 * contents that were found, be one asked for before or after it is found. When the table is full, a
 * new *block* of the run begins with what was asked for lately.
 */
#ifndef OJX_AGENT_POPULATION_H
#define OJX_AGENT_POPULATION_H

#include "core/state.h"

struct link_ring;

/* At VMInit, once references can be followed; says in a note why there is no population. */
void population_init(JNIEnv *jni);

/* Service thread: reads the windows that pauses have taken, and sends what was found. `final`: all
 * of it. */
void population_service(struct link_ring *ring, bool final);

#endif
