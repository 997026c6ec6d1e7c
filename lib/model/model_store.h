/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_store.h - what a report shows of the name of a thread.
 *
 * Programs put ids of customers, telephone numbers and tokens into names of threads. A word with
 * many digits is cut at its first digit: "session 4711081512" is "session #", "9f8a7b6c5d-2" is
 * "#-2". Numbers of pools and ports are shorter.
 */
#ifndef OJX_MODEL_STORE_H
#define OJX_MODEL_STORE_H

#include <stddef.h>

enum { SHOWN_DIGITS = 4 }; /* words with more are cut */

/*
 * Writes it to `to`, which has room for strlen(name) + 1 bytes. A word is a run of letters and
 * digits. Returns the length.
 */
size_t shown_thread(char *to, const char *name);

#endif
