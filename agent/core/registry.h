/* SPDX-License-Identifier: Apache-2.0 */
/*
 * registry.h - who records this process. There is one recording at a time, even if several
 * libraries of ojx are loaded, of different versions.
 */
#ifndef OJX_REGISTRY_H
#define OJX_REGISTRY_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Takes the process for a recording. `patient`: waits some seconds for a recording that is just
 * ending. False if there is another one; *holder is then its tool's pid, 0 if unknown,
 * WIRE_GONE if that tool has ended and its agent has not left yet.
 */
bool registry_claim(bool patient, int32_t *holder);

/* Tells others the pid of the tool that records. */
void registry_set_holder(int32_t pid);

/* The recording is over, but the agent still gives things back. */
void registry_set_leaving(void);

/* Gives the process free. */
void registry_release(void);

#endif
