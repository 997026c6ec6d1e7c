/* SPDX-License-Identifier: Apache-2.0 */
/* record.h - recording, for the commands that record. */
#ifndef OJX_RECORD_H
#define OJX_RECORD_H

#include "record_options.h"

/*
 * Runs the command and records it, like `ojx record`. Returns the exit status. Does not return if
 * the program was killed by a signal, see child_exit_status.
 */
int record_run(const struct record_options *options);

#endif
