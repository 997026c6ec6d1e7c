/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wanted_uses.h - of which lines uses are wanted, and so watches.
 *
 * A watch costs several times what a snapshot costs. It tells whether objects that are alike at the
 * end of life were alike when they were used. So uses are wanted of lines whose snapshots repeat
 * recent ones, until WANTED_USES have come. Of other lines they decide nothing: if contents differ
 * at the end, or the class is immutable, the snapshots tell all.
 *
 * What is wanted rests on the snapshots that came before, and never on what uses have shown.
 */
#ifndef OJX_WANTED_USES_H
#define OJX_WANTED_USES_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/wire.h"

#define WANTED_USES   64
#define WANTED_RECENT 16 /* snapshots that a new one is compared with */

/* What is known of a line; all 0 at first. */
struct wanted_uses {
	uint32_t recent[WANTED_RECENT]; /* hashes of the last contents */
	uint32_t snapshots, uses;
	float repeats;	/* share of the snapshots that repeat one of `recent`, lately */
	bool immutable; /* its objects cannot change */
};

void wanted_uses_snapshot(struct wanted_uses *w, const struct wire_snapshot *s);
void wanted_uses_use(struct wanted_uses *w);

/* What the agent is told. */
enum wire_control_uses wanted_uses_tell(const struct wanted_uses *w);

#endif
