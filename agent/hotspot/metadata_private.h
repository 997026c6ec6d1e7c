/* SPDX-License-Identifier: Apache-2.0 */
/* metadata_private.h - what metadata.c and metadata_names.c share. */
#ifndef OJX_METADATA_PRIVATE_H
#define OJX_METADATA_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define METADATA_HEAD	64  /* bytes of a Method or ConstMethod that are read at once */
#define METADATA_SIZES	8   /* bytes from the code's size on: sizes, and the indexes of names */
#define METADATA_SYMBOL 16  /* most bytes from a Symbol's length to its text */
#define METADATA_POOL	128 /* most bytes of a ConstantPool without its slots */

/* Offsets, and sizes of records. */
struct metadata_places {
	size_t const_method, access;						 /* Method */
	size_t constants, const_words, const_flags, code_size, name, descriptor; /* ConstMethod */
	size_t const_size;
	size_t holder, length, pool_size;		/* ConstantPool */
	size_t class_name, super, loader, class_access; /* Klass */
	size_t loader_handle;				/* ClassLoaderData */
	size_t symbol_length, symbol_body;
	size_t file;	    /* the index of the source file's name, */
	bool file_in_class; /* in JDK 11 of the class, later of the pool */
	uint32_t has_lines; /* bit in const_flags */
	uint32_t excludes;  /* see scopes.c */
};

extern struct metadata_places metadata_at;
extern bool metadata_on; /* methods have numbers */

/* The records of one method. */
struct metadata_records {
	uintptr_t method, const_method, pool, klass;
	uintptr_t class_name, name, descriptor; /* Symbols */
	uintptr_t loader;			/* ClassLoaderData */
	unsigned char sizes[METADATA_SIZES];	/* of the ConstMethod */
	uint16_t code_size, access;
	uintptr_t lines, lines_end; /* bytes of the line numbers, and more; 0: none */
};

/* [handler] Reads where they are. False if this is no Method. */
bool metadata_find(uintptr_t method, struct metadata_records *to);

/* [handler] Computes the number anew. 0 if the records cannot be read. */
uint64_t metadata_compute(const struct metadata_records *r);

/*
 * [handler] Copies the text of a Symbol. Returns its length; 0 if it has more than `room` bytes or
 * cannot be read.
 */
uint16_t metadata_symbol(uintptr_t symbol, char *to, size_t room);

/* [handler] The next number of a compressed stream, one to five bytes. */
uint32_t metadata_next(const unsigned char **p);

#endif
