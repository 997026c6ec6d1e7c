/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lives_room.h - how many objects may be held where each collection's pause looks at all of them.
 * What the pauses grow by in a second follows from that number and from how often there are
 * collections.
 */
#ifndef OJX_LIVES_ROOM_H
#define OJX_LIVES_ROOM_H

#include <stdint.h>

#define LIVES_ROOM_LEAST 128u

/*
 * The number from now on, LIVES_ROOM_LEAST..`most`. It has been `room`, of which `held` were there
 * at the end, and looking at them took the share `share` of the time; `limit` (> 0) is allowed.
 */
static inline uint32_t lives_room(uint32_t room, uint32_t held, uint32_t most, double share,
				  double limit)
{
	double next = room;

	if (share > limit)
		next = (held < room ? held : room) * (limit / share);
	else if (share < limit / 2)
		next = 2.0 * room;
	return next < LIVES_ROOM_LEAST ? LIVES_ROOM_LEAST : next > most ? most : (uint32_t)next;
}

#endif
