/* SPDX-License-Identifier: Apache-2.0 */
/* attacker.h - what the attacker has of a recording; attacker.c says what it does. */
#ifndef OJX_TEST_ATTACKER_H
#define OJX_TEST_ATTACKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/secret.h"
#include "wire/wire.h"

enum { IDS = 1 << 16 };

/* The kinds of hashes. */
enum kind { CONTENT, DEEP, FIXED, VALUE, WINDOW, SLOT, KINDS };

struct class
{
	char *signature;
	uint64_t salt;
	uint32_t element_size, nfields;
	uint16_t field_size[WIRE_SLOTS];
	bool reference[WIRE_SLOTS];
};

/* A hash, and of what it is. */
struct hash {
	uint64_t hash;
	uint32_t position, array_length;
	uint16_t class, nslots;
	uint8_t kind;
	uint32_t zeros;	       /* the same */
	const uint32_t *slots; /* CONTENT of a snapshot */
};

struct recording {
	struct class classes[IDS];
	uint16_t class_of[IDS]; /* of contexts */
	struct hash *list;
	size_t n, room;
};

/* Ends if there is no memory. */
void *need(void *p);

/*
 * Hashes all ints below `ints` as the content of objects and arrays that hold one, and prints what
 * it finds. NULL: without a key.
 */
void guess_ints(const struct recording *r, const struct wire_secret *key, uint64_t ints);

#endif
