/* SPDX-License-Identifier: Apache-2.0 */
/*
 * export.h - a report as other profilers' formats see it: stacks, and numbers that belong to each.
 *
 * A row gives one sample for its allocations, and one for each stack on which its objects were
 * used. All exports have the same stacks: outermost frame first, the class of the objects last, as
 * async-profiler has it, so that a flame graph ends in classes.
 *
 * Findings about two places are one stack as well, the second below the first and a frame between
 * them that says what it is: so did the profilers for native code that first looked for pairs of
 * accesses, and flame graphs add up by the first place.
 */
#ifndef OJX_EXPORT_H
#define OJX_EXPORT_H

#include <stdint.h>
#include <stdio.h>

#include "base/numbering.h"
#include "render/render.h"

enum export_kind {
	EXPORT_JVM,	/* whose stack it is, where there are several; number: pid */
	EXPORT_CUT,	/* outer frames were not recorded */
	EXPORT_UNKNOWN, /* no frame was */
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
};

/* Texts are NULL where they are not known or the kind has none. They belong to the model. */
struct export_frame {
	enum export_kind kind;
	int number;
	const char *class_name, *method, *file;
};

struct export_sample {
	enum export_source source;
	const struct row *row;		     /* of allocations and their accesses; else NULL */
	const struct replica_access *access; /* of accesses */
	const struct finding *finding;	     /* of findings, ... */
	const struct finding_row *found;     /* ... the row, ... */
	const struct finding_path *path;     /* ... and from where its objects are accessed, or NULL
					      */
	const struct export_frame *frames;
	size_t n; /* at least one */
};

/* Takes a sample, which is valid during the call. 0, or -1 to stop. */
typedef int export_fn(const struct export_sample *sample, void *arg);

/* Hands out the samples of these sources: row by row of those that are shown its allocations and
 * its accesses, then findings. 0, or -1 with errno if out of memory or
 * `fn` stopped. */
int export_samples(const struct report *r, unsigned sources, export_fn *fn, void *arg);

/* Writes "com.acme.Foo.bar", "com.acme.Foo[]" or "[JVM 4711]": valid UTF-8 without control
 * characters. */
void export_put_name(FILE *out, const struct export_frame *f);

/* Numbers frames by all that is known of them; see numbering_of. */
int export_number(struct numbering *t, const struct export_frame *f, uint32_t *number,
		  bool *is_new);

/* Writes the command line of the recording, its arguments separated by blanks; the same. */
void export_put_command(FILE *out, const struct report *r);

#endif
