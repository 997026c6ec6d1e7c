/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire_population.h - a part of wire.h: what sampled objects are compared with.
 *
 * From some sampled objects on, the agent reads a *window*: a stretch of the memory that new
 * objects lie in, as a collection finds it. A WIRE_WINDOW tells of the object that it begins with.
 * A WIRE_CONTENT tells in how many windows the content of such an object is found, that one
 * included; later ones replace earlier ones. Windows of one *block* of the run are compared with
 * each other, those of different blocks may be. A WIRE_POPULATION says what was walked in all.
 */
#ifndef OJX_WIRE_POPULATION_H
#define OJX_WIRE_POPULATION_H

#include <stdint.h>

#include "wire/wire_rec.h"

/* Types of records, as in enum wire_type. */
#define WIRE_WINDOW	44
#define WIRE_CONTENT	45
#define WIRE_POPULATION 46

#define WIRE_WINDOW_BYTES 16384u
#define WIRE_WINDOW_START 4096u /* bytes that the first object has at most */

enum wire_window_flags {
	WIRE_WINDOW_KEYED = 1 << 0, /* what the object holds is known */
	WIRE_WINDOW_WHOLE = 1 << 1, /* the window was not cut short */
	WIRE_WINDOW_GAPS = 1 << 2,  /* the VM fills gaps with objects of this class */
};

struct wire_window {
	struct wire_rec rec;
	uint32_t context;
	uint32_t array_length;
	uint64_t key;	/* of the content, with what it refers to; 0: not known */
	double weight;	/* objects that it stands for */
	double spacing; /* bytes allocated from one window to the next, all classes together */
	/* bytes to the next object of equal content in the window, as a share of it; 1: none */
	double alone;
	uint32_t ticket;
	uint32_t block;
	uint32_t flags;
	uint32_t pad;
};

struct wire_content {
	struct wire_rec rec;
	uint64_t key;
	uint32_t windows;
	uint32_t pad;
};

/* Sums since the start. */
struct wire_population {
	struct wire_rec rec;
	uint32_t class_id; /* 0: all objects */
	uint32_t windows;  /* in which there was one */
	uint64_t objects;
	uint64_t bytes;
};

#endif
