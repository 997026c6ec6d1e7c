/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dump.h - heap dumps made in memory, for tests: HPROF with identifiers of 4 or 8 bytes. If out of
 * memory, the test ends.
 */
#ifndef OJX_TEST_DUMP_H
#define OJX_TEST_DUMP_H

#include <stddef.h>
#include <stdint.h>

struct dump {
	unsigned char *data;
	size_t len, cap;
	unsigned id;	 /* bytes of an identifier */
	size_t segment;	 /* where the length of the open one is */
	uint64_t loader; /* of the classes that follow; 0: the boot loader */
};

struct dump_field {
	const char *name;
	unsigned char type; /* hprof_type */
};

void dump_begin(struct dump *d, const char *version, unsigned id);
/* Names a class; its name's identifier and those of its fields are made of their texts. */
void dump_name(struct dump *d, uint64_t class, const char *name);
/* Begins and ends a record of heap dump parts: tag 0x0c, or 0x1c for a segment. */
void dump_open(struct dump *d, unsigned char tag);
void dump_close(struct dump *d);
/* Parts. Fields end with name NULL; their names are strings that dump_string made. */
void dump_class(struct dump *d, uint64_t id, uint64_t super, const struct dump_field *fields,
		const char *static_name, uint64_t static_value);
void dump_instance(struct dump *d, uint64_t id, uint64_t class, const void *body, uint32_t n);
void dump_objects(struct dump *d, uint64_t id, uint64_t class, const uint64_t *elements,
		  uint32_t n);
void dump_primitives(struct dump *d, uint64_t id, unsigned char type, const void *body, uint32_t n,
		     unsigned width);
void dump_root(struct dump *d, unsigned char tag, uint64_t id, unsigned more);
void dump_string(struct dump *d, const char *text);
/* The end of a dump in segments. */
void dump_end(struct dump *d);
/* The same dump, with segments of `bytes` bytes, whose borders are anywhere. */
void dump_cut_segments(struct dump *to, const struct dump *from, uint32_t bytes);
void dump_release(struct dump *d);

/* Appends numbers as they are in a dump, to the dump or to `to`; returns what follows. */
void dump_put(struct dump *d, uint64_t value, unsigned bytes);
unsigned char *dump_number(unsigned char *to, uint64_t value, unsigned bytes);

/*
 * A dump of all sorts of records, with `copies` + 1 equal objects of each class: arrays of all
 * types, an object with fields of all types, a ring of two links; and one that differs.
 */
void dump_sample(struct dump *d, unsigned id, unsigned copies);

#endif
