/* SPDX-License-Identifier: Apache-2.0 */
/*
 * follow_private.h - the table of followed objects, for those who fill it (follow.c) and those who
 * search it (follow_find.c).
 *
 * An entry belongs to whoever moves it from FREE or FOLLOWED to BUSY. Handlers read its
 * follow_place. Writers keep this invariant: an address with the current epoch is valid. They clear
 * the address first and set it last.
 */
#ifndef OJX_FOLLOW_PRIVATE_H
#define OJX_FOLLOW_PRIVATE_H

#include "heap/follow.h"

#define FOLLOW_ENTRIES 16384u
#define FOLLOW_BLOCK   64u /* entries that share bounds; a search skips most blocks */

enum follow_state { FOLLOW_FREE, FOLLOW_BUSY, FOLLOW_FOLLOWED };

struct follow_place {
	_Atomic uintptr_t at; /* 0: dead, or unknown */
	_Atomic uint64_t epoch;
	uint64_t size;
};

struct follow_entry {
	_Atomic uint32_t state, hits;
	uint32_t context, class_id, array_length, ticket;
	double first;		/* weight as sampled */
	_Atomic double weight;	/* as kept */
	jweak handle;		/* NULL: followed until its epoch ends */
	uint64_t held;		/* bytes that the handle may keep alive, see weak_limit */
	_Atomic uint32_t claim; /* even: its use is free; odd: claimed */
	uint64_t born;		/* epoch */
	int32_t owner;		/* tid of the allocating thread */
	uint16_t thread;	/* number of the allocating thread */
	bool small;		/* below --min-size: followed only for its use */
};

struct follow_block {
	_Atomic uintptr_t low, high;
};

struct follow_table {
	struct follow_place *places;
	struct follow_entry *entries; /* NULL: nothing is followed */
	struct follow_block blocks[FOLLOW_ENTRIES / FOLLOW_BLOCK];
	_Atomic uint32_t used;	   /* all entries ever used are below it */
	_Atomic uint64_t complete; /* epoch in which all places are known */
};

extern struct follow_table follow_table;

/* [handler][pause] An address without the bits by which some collectors mark it. */
uintptr_t follow_plain(uintptr_t address);

#endif
