/* SPDX-License-Identifier: Apache-2.0 */
/* record.h - recording, for the commands that do it. */
#ifndef OJX_RECORD_H
#define OJX_RECORD_H

#include "record_options.h"

/*
 * Runs the command and records it: all that `ojx record` does. Returns the exit status, and does
 * not return where the program was killed by a signal, see child_exit_status.
 */
int record_run(const struct record_options *options);

#endif
