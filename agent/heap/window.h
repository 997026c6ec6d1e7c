/* SPDX-License-Identifier: Apache-2.0 */
/* window.h - a window of eden (windows.h): a copy, and what is known of it. */
#ifndef OJX_WINDOW_H
#define OJX_WINDOW_H

#include "core/state.h"

#define WINDOW_REACH   12288u /* bytes behind the sample point in which objects may begin */
#define WINDOW_LARGE   4096u  /* bytes; of larger objects only the class is read */
#define WINDOW_ROOM    (WINDOW_REACH + 2 * WINDOW_LARGE)
#define WINDOW_OBJECTS (WINDOW_REACH / 8)

enum window_state { WINDOW_FREE, WINDOW_TAKEN, WINDOW_FULL };

struct window {
	_Atomic uint32_t state; /* window_state */
	uint32_t pause;		/* number of the pause that it is from, from 1 on */
	uintptr_t at;		/* the sampled object, or what follows it, if it is large */
	uintptr_t first;	/* the first object that counts */
	uintptr_t until;	/* objects that begin before it count */
	uint32_t bytes;		/* of the copy */
	uint32_t context;	/* of the sampled object */
	double scale;		/* objects that each of its objects stands for */
	unsigned char *copy;
};

#endif
