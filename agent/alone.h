/* SPDX-License-Identifier: Apache-2.0 */
/*
 * alone.h - a recording without a tool: the agent writes ojx.data itself. docs/agent.md is its
 * manual.
 *
 * The agent plays the tool's part in this process: it makes the shared memory and a pair of
 * sockets, of which the other end is the tool's. All else is as with a tool. The service thread
 * empties the rings into the file.
 */
#ifndef OJX_ALONE_H
#define OJX_ALONE_H

#include <stdbool.h>

#include "core/handshake.h"

/* Whether the options are those of a recording alone; else they are the path of a socket. */
bool alone_wanted(const char *options);

/*
 * Reads the options, creates the file, and offers what a tool would. False after a line on standard
 * error. After true, alone_end has to be called.
 */
bool alone_begin(const char *options, struct handshake *h);

/* Writes what is new, and ends the recording if it is time. Service thread. */
void alone_serve(void);

/* Asks for the end of a recording alone. False if there is none. */
bool alone_stop(void);

/*
 * Writes what is left, and goes as a tool would. The agent has sent everything, and nobody else is
 * in these functions. May be called again, and where no recording is alone.
 */
void alone_end(void);

#endif
