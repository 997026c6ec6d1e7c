/* SPDX-License-Identifier: Apache-2.0 */
/* scan_pause.h - the part of scan.c that runs in pauses. */
#ifndef OJX_SCAN_PAUSE_H
#define OJX_SCAN_PAUSE_H

#include "core/state.h"

/* False when out of memory. */
bool scan_pause_init(void);

/* So much of the time may go to snapshots in pauses. */
void scan_pause_share(double share);

/* [pause] A collection begins: takes snapshots. It is over. */
void scan_pause_begins(void);
void scan_pause_ends(uint64_t epoch);

#endif
