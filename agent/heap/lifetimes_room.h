/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lifetimes_room.h - how many objects may be held if each collection's pause reads the references
 * of all of them. The cost per second depends on that number and on the rate of collections.
 */
#ifndef OJX_LIFETIMES_ROOM_H
#define OJX_LIFETIMES_ROOM_H

#include <stdint.h>

#define LIFETIMES_ROOM_LEAST 128u

/*
 * The number of objects that may be held from now on, LIFETIMES_ROOM_LEAST..`most`. Up to now it
 * was `room`; `held` objects were there in the end. Pauses spent the share `share` of the time on
 * them; `limit` (> 0) is the share allowed.
 */
static inline uint32_t lifetimes_room(uint32_t room, uint32_t held, uint32_t most, double share,
				      double limit)
{
	double next = room;

	if (share > limit)
		next = (held < room ? held : room) * (limit / share);
	else if (share < limit / 2)
		next = 2.0 * room;
	return next < LIFETIMES_ROOM_LEAST ? LIFETIMES_ROOM_LEAST
	       : next > most		   ? most
					   : (uint32_t)next;
}

#endif
