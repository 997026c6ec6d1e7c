/* SPDX-License-Identifier: Apache-2.0 */
/*
 * export.h - a report as stacks with numbers, for the formats of other profilers.
 *
 * A row gives one sample for its allocations, and one for each stack on which its objects were
 * used. All exports have the same stacks: outermost frame first and the class of the objects last,
 * as in async-profiler, so that a flame graph ends in classes.
 *
 * A finding about two places is one stack, too: the second place below the first, with a frame
 * between them that names the relation. The first native profilers that looked for pairs of
 * accesses did the same. Flame graphs then add up by the first place.
 */
#ifndef OJX_EXPORT_H
#define OJX_EXPORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/idmap.h"
#include "model/model.h"
#include "render/render.h"
#include "source/sources.h"

enum export_kind {
	EXPORT_JVM,	/* the JVM, if there are several; number: pid */
	EXPORT_CUT,	/* outer frames were not recorded */
	EXPORT_UNREAD,	/* of an object that was only counted: no callers were read */
	EXPORT_UNKNOWN, /* no frame was recorded */
	EXPORT_FOLDED,	/* the inner frames repeat; number: how many of them */
	EXPORT_METHOD,	/* number: line, 0: unknown */
	EXPORT_CLASS,	/* of the objects */
	EXPORT_NOTE,	/* what the frames below are; class_name: "[accessed at]" */
};

/* What samples are of; bits. */
enum export_source {
	EXPORT_ALLOCATIONS = 1 << 0, /* a row */
	EXPORT_ACCESSES = 1 << 1,    /* a row's objects, where they were used */
	EXPORT_FINDINGS = 1 << 2,    /* a row of a finding, at each of its paths */
	EXPORT_FIXES = 1 << 3,	     /* what a fix avoids of a context */
};

/* Texts are NULL if they are unknown or the kind has none. They belong to the model. */
struct export_frame {
	enum export_kind kind;
	int number;
	const char *class_name, *method, *file;
};

struct export_sample {
	enum export_source source;
	uint32_t jvm;
	const struct row *row;		     /* of allocations and their accesses; else NULL */
	const struct replica_access *access; /* of accesses */
	const struct finding *finding;	     /* of findings, ... */
	const struct finding_row *found;     /* ... the row, ... */
	const struct finding_path *path;     /* ... and from where its objects are accessed, or NULL
					      */
	double avoided;			     /* of fixes: bytes */
	const struct export_frame *frames;
	size_t n; /* at least one */
};

/*
 * Whether formats for programs and builds have fix i of the report: it is one of the first, or a
 * large line without a fix.
 */
bool export_has_fix(const struct report *r, size_t i);

/* Receives a sample, which is valid during the call. */
typedef void export_fn(const struct export_sample *sample, void *arg);

/*
 * Passes on the samples of these sources: for each shown row its allocations and its accesses, then
 * findings, then fixes.
 */
void export_samples(const struct report *r, unsigned sources, export_fn *fn, void *arg);

/* Writes "com.acme.Foo.bar", "com.acme.Foo[]" or "[JVM 4711]": valid UTF-8 without control
 * characters. */
void export_put_name(FILE *out, const struct export_frame *f);

/*
 * Numbers of frames. Nearly every frame has the same texts, at the same addresses, as an earlier
 * one. So frames are first looked up by these addresses, which is faster than by the texts. All
 * zero: none. Release with export_numbers_release.
 */
struct export_numbers {
	struct hash_numbers by_text, by_address;
	uint32_t *number; /* by the number of the addresses */
	uint32_t room;
};

/* Numbers frames by all that is known of them; see hash_numbers_of. */
uint32_t export_number(struct export_numbers *t, const struct export_frame *f, bool *is_new);
void export_numbers_release(struct export_numbers *t);

/*
 * Writes what is shown of the command line of the recording in the same way, arguments separated by
 * blanks.
 */
void export_put_command(FILE *out, const struct report *r);

/*
 * ---- what a format writes for each frame of a model, made once. A hundred thousand stacks
 * have millions of frames, and a few thousand different ones.
 */

struct frame_texts {
	struct frame_texts_jvm {
		char *bytes;
		size_t *start; /* in `bytes`, of each frame; and the end of the last */
	} * jvm;
	size_t njvms;
};

/* Writes a frame as it stands in a stack. */
typedef void frame_text_fn(FILE *out, const struct model_frame *frame);

/* Makes the texts of all frames. */
void frame_texts_make(struct frame_texts *t, const struct model *m, frame_text_fn *put);
void frame_texts_release(struct frame_texts *t);

/* The text of a frame, by its number in that JVM; *len receives its length. Any thread may ask. */
const char *frame_texts_at(const struct frame_texts *t, uint32_t jvm, uint32_t number, size_t *len);

/* ---- which file a frame is in, as a path of the program's sources. */

/*
 * The path of the frame's file, with '/', which the caller frees. If a folder of
 * `sources` (may be NULL) has the file, it is that folder as the user named it, without "./" in
 * front, and the name below it. Otherwise it is package and file name, "com/acme/Shop.java". NULL
 * if the frame is NULL, tells no file, or tells a name with a directory.
 */
char *source_path_of(const struct sources *sources, const struct model_frame *frame);

/* ---- cells of a table by RFC 4180, without the commas between them. */

/*
 * Writes the `n` innermost frames as one text, innermost first:
 * "com.acme.Shop.load(Shop.java:12);...".
 */
void csv_put_stack(FILE *out, const struct callstack *stack, size_t n);

#endif
