/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jfr_types.h - the types of events in a recording of JDK Flight Recorder, and the event of
 * metadata that describes them to readers: names, labels, units.
 */
#ifndef OJX_JFR_TYPES_H
#define OJX_JFR_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

/* Types of values; the numbers of the first ones are those of the JDK. */
enum jfr_kind {
	JFR_BOOLEAN = 4,
	JFR_FLOAT = 6,
	JFR_DOUBLE = 7,
	JFR_INT = 10,
	JFR_LONG = 11,
	JFR_STRING = 20,
	JFR_CLASS,
	JFR_THREAD,
	JFR_CLASS_LOADER,
	JFR_SYMBOL,
	JFR_PACKAGE,
	JFR_METHOD,
	JFR_FRAME,
	JFR_FRAME_TYPE,
	JFR_STACK,
};

/* What readers show behind a number. */
enum jfr_unit {
	JFR_PLAIN,
	JFR_BYTES,
	JFR_SHARE,	 /* 0..1, shown in percent */
	JFR_NANOSECONDS, /* of a JFR_LONG only; `words` end in "_s", which is left out */
	JFR_TIMESTAMP,	 /* a point in time */
};

/* Texts of fields and types must outlive them. */
struct jfr_field {
	/* "saved_bytes": the field is savedBytes, with the label "Saved Bytes" */
	const char *words;
	const char *suffix; /* the same, behind it: "low"; "" */
	enum jfr_kind kind;
	enum jfr_unit unit;
	const char *help; /* NULL: the label says it all */
};

enum { JFR_WORDS = 3 };

struct jfr_type {
	struct jfr_type *next;
	uint32_t id;
	/* "jdk" and the words of its name: "ojx", "equality", "lines" is ojx.EqualityLines */
	const char *prefix, *words[JFR_WORDS];
	const char *category[2], *help;
	bool has_thread, has_stack; /* the fields that come first */
	struct jfr_field *fields;
	size_t n, room;
};

struct jfr_types {
	struct jfr_type *first, **end;
	uint32_t n;
};

void jfr_types_init(struct jfr_types *t);
void jfr_types_release(struct jfr_types *t);

/*
 * Adds a type that is like `like`; the function sets its id, its place and its fields. It belongs
 * to the types.
 */
struct jfr_type *jfr_types_add(struct jfr_types *t, const struct jfr_type *like);

/* Adds a field behind those of all events: time, thread, stack. */
void jfr_type_field(struct jfr_type *type, const struct jfr_field *field);

/* Adds the content of the event of metadata, from its strings on. */
void jfr_types_put(struct bytes *to, const struct jfr_types *t);

#endif
