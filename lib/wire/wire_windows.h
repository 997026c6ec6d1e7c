/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire_windows.h - a part of wire.h: what new objects of all classes hold (WIRE_WINDOWS).
 *
 * At the start of a collection the agent copies a *window*: the memory behind a sampled object,
 * which is a sequence of objects. A WIRE_WINDOW record tells what they hold. A window that is too
 * large for a record gives several, one behind the other, with the same number.
 *
 * What an object holds is known by a key. Keys of one class are equal if the contents are. No
 * object is in two windows.
 */
#ifndef OJX_WIRE_WINDOWS_H
#define OJX_WIRE_WINDOWS_H

#include <stdint.h>

#include "wire/wire_rec.h"

/* Record type, as in enum wire_type. */
#define WIRE_WINDOW 48

/* Contents of one record. */
#define WIRE_WINDOW_CONTENTS 120u

enum wire_window_flags {
	/* the key covers addresses: equal contents are recognised within one collection only */
	WIRE_WINDOW_ADDRESSES = 1 << 0,
};

/* Objects of a window with the same class and content. */
struct wire_window_content {
	uint64_t key;	   /* 0: what they hold is not known */
	uint64_t bytes;	   /* of all of them, headers and padding included */
	uint32_t class_id; /* 0: not known */
	uint16_t objects;
	uint16_t hashed; /* of these, so many have an identity hash code, */
	uint16_t locked; /* are or were used as a monitor */
	uint16_t flags;	 /* wire_window_flags */
	uint32_t pad;
};

struct wire_window {
	struct wire_rec rec;
	uint32_t window;  /* number, from 1 on */
	uint32_t context; /* of the sampled object before the window; 0: not known */
	double scale;	  /* allocated objects that each object of the window stands for */
	uint64_t own;	  /* key of the sampled object; 0: not known, or it is in another window */
	uint32_t own_class; /* 0: not known, or it is in another window */
	uint32_t ncontents;
	uint32_t near; /* objects of the window with the sampled object's content */
	uint32_t pad;
	/* struct wire_window_content contents[ncontents] */
};

#endif
