/* SPDX-License-Identifier: Apache-2.0 */
/* metadata_private.h - what metadata.c, metadata_records.c and metadata_names.c share. */
#ifndef OJX_METADATA_PRIVATE_H
#define OJX_METADATA_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define METADATA_HEAD	64  /* bytes of a Method or ConstMethod that are read at once */
#define METADATA_SIZES	8   /* bytes from the code's size on: sizes, and the indexes of names */
#define METADATA_SYMBOL 16  /* most bytes from a Symbol's length to its text */
#define METADATA_POOL	128 /* most bytes of a ConstantPool without its slots */
#define METADATA_SPAN	256 /* most bytes of a Klass that are read at once */
#define METADATA_TEXT	256 /* bytes of a text that are hashed */
#define METADATA_LINES	64  /* bytes of line numbers that are hashed */
#define METADATA_SLACK	16  /* bytes that one entry of these may take */
#define METADATA_TAIL	32  /* bytes of a class's name that are compared */

/* Offsets, and sizes of records. */
struct metadata_places {
	size_t const_method, access;						 /* Method */
	size_t constants, const_words, const_flags, code_size, name, descriptor; /* ConstMethod */
	size_t const_size;
	size_t holder, length, pool_size;		/* ConstantPool */
	size_t class_name, super, loader, class_access; /* Klass */
	size_t symbol_length, symbol_body;
	size_t file;	    /* the index of the source file's name, */
	bool file_in_class; /* in JDK 11 of the class, later of the pool */
	uint32_t has_lines; /* bit in const_flags */
	bool code_known;    /* the numbers of HotSpot's own bytecodes are right (bytecodes.c) */
	uint32_t excludes;  /* see scopes.c */
};

extern struct metadata_places metadata_at;
extern bool metadata_on; /* methods have numbers */

/* [handler] The bytes of a Klass that hold its name and its loader: from where, how many. */
size_t metadata_class_first(void);
/* [handler] */
size_t metadata_class_span(void);

/* The records of one method. */
struct metadata_records {
	uintptr_t method, const_method, pool, klass;
	uintptr_t class_name, name, descriptor; /* Symbols */
	uintptr_t loader;			/* ClassLoaderData */
	unsigned char sizes[METADATA_SIZES];	/* of the ConstMethod */
	uint16_t code_size, access;
	uintptr_t lines, lines_end; /* bytes of the line numbers, and more; 0: none */
};

/* What must be as it was, for a Method to be the same method. */
struct metadata_proof {
	uintptr_t const_method, pool, klass, class_name, name;
	unsigned char sizes[METADATA_SIZES], tail[METADATA_TAIL];
	uint64_t length; /* two bytes; no padding, since proofs are compared as a whole */
};

struct metadata_known {
	struct metadata_proof proof;
	uintptr_t loader; /* ClassLoaderData */
};

/* A Symbol from its length on, and the length. */
struct metadata_symbol {
	unsigned char bytes[METADATA_SYMBOL + METADATA_TEXT];
	size_t first; /* bytes that the first piece has */
	uint16_t len;
};

enum { METADATA_CLASS, METADATA_NAME, METADATA_DESCRIPTOR, METADATA_SYMBOLS };

/* Beginnings of a method's texts and of its line numbers. */
struct metadata_texts {
	struct metadata_symbol symbol[METADATA_SYMBOLS];
	unsigned char lines[METADATA_LINES + METADATA_SLACK];
	size_t nlines;
};

/* [handler] Reads where they are. False if this is no Method. */
bool metadata_find(uintptr_t method, struct metadata_records *to);

/*
 * [handler] The same by what was known: by one call of the kernel, or in place. False if they are
 * no longer there.
 */
bool metadata_find_again(uintptr_t method, const struct metadata_known *k,
			 struct metadata_records *to);

/* [handler] Reads the texts, each up to METADATA_TEXT bytes. */
bool metadata_read_texts(const struct metadata_records *r, struct metadata_texts *t);

/* [handler] The beginning of a symbol's text. */
const unsigned char *metadata_text_in(const struct metadata_symbol *s);

/* [handler] The number, by what was read. */
uint64_t metadata_hash(const struct metadata_records *r, const struct metadata_texts *t);

/* [handler] Collects a proof of what was just read. */
bool metadata_prove(const struct metadata_records *r, const struct metadata_texts *t,
		    struct metadata_known *to);

/*
 * [handler] Whether the Method still is what the proof says: by one call of the kernel, or in place
 * if its class's loader stays (loaders.h), so that what was read once is never unmapped.
 */
bool metadata_proved(uintptr_t method, const struct metadata_known *k);

/* [handler] What was known when a Method got this number. False if that is not kept. */
bool metadata_remembered(uintptr_t method, uint64_t number, struct metadata_known *to);

/*
 * [handler] Copies the text of a Symbol. Returns its length; 0 if it has more than `room` bytes or
 * cannot be read.
 */
uint16_t metadata_symbol(uintptr_t symbol, char *to, size_t room);

/* [handler] The next number of a compressed stream, one to five bytes. */
uint32_t metadata_next(const unsigned char **p);

#endif
