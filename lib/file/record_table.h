/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record_table.h - what the records of a recording consist of: a row for each type, and in it a row
 * for each field. Kinds, offsets and widths come from the structs of wire.h and wire_file.h.
 *
 * `ojx dump` prints records by this table, and test/make_data reads what it prints. A new type of
 * record is a row; a test fails if a byte of a struct is in no row.
 */
#ifndef OJX_RECORD_TABLE_H
#define OJX_RECORD_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/wire_file.h"

enum record_kind {
	RECORD_UINT,
	RECORD_INT,
	RECORD_REAL,
	RECORD_TEXT,  /* ends with a NUL, or at its width */
	RECORD_COUNT, /* of a part; it follows from the part, so it is not printed */
	RECORD_PAD,
};

/* A field of a struct: `n` values of `width` bytes. */
struct record_field {
	const char *name; /* NULL ends a table */
	enum record_kind kind;
	uint16_t offset, width, n;
};

/* What follows a struct: texts, numbers, or other structs. */
struct record_part {
	const char *name;	   /* NULL ends a table */
	struct record_field count; /* the field that tells how many there are */
	uint32_t flag;		   /* > 0: the field has flags; there is one if this one is set */
	/* elements: structs of this layout, else numbers of this width, else bytes of a text */
	const struct record_layout *of;
	uint16_t width;
	bool pad; /* padded to WIRE_ALIGN behind it */
};

struct record_layout {
	uint16_t size; /* of the struct */
	const struct record_field *fields;
	const struct record_part *parts; /* in their order; NULL: none */
};

struct record_type {
	uint16_t type; /* wire_type or file_type */
	const char *name;
	const char *help;
	struct record_layout layout;
};

enum { RECORD_TYPES_MAX = 64 };
extern const struct record_type record_types[];
extern const size_t record_ntypes; /* at most RECORD_TYPES_MAX */

/* NULL: none. */
const struct record_type *record_find_type(uint16_t type);
const struct record_type *record_find_name(const char *name, size_t len);

/* The value of a field that counts; and of the part, the number of elements. */
uint64_t record_uint(const unsigned char *at, uint16_t width);
uint64_t record_count(const struct record_part *part, const unsigned char *base);

/* Bytes of the struct and its parts, of which `left` bytes exist; 0: they are not all there. */
size_t record_bytes(const struct record_layout *l, const unsigned char *base, size_t left);

/* The row of a whole record, if the record has exactly the length that the row gives it. */
const struct record_type *record_fits(const struct wire_rec *rec, uint32_t len);

#endif
