/* SPDX-License-Identifier: Apache-2.0 */
/* load.h - reads recordings into models, with the same error messages in every command. */
#ifndef OJX_LOAD_H
#define OJX_LOAD_H

#include <stdint.h>

#include "common_options.h"
#include "file/datafile.h"
#include "inputs.h"
#include "merge/merge.h"
#include "model/model.h"
#include "options.h"
#include "report/recording.h"
#include "report/selection.h"
#include "source/sources.h"

/* A recording that was read. */
struct loaded {
	struct model *model;
	struct recording recording; /* complete except for its pairs, which come from the rows */
	/* the reason why it, or the part of it, has nothing to show; NULL: it has */
	const char *nothing;
};

/*
 * Reads the recording `path` ("-": standard input), or its part in `selection` (NULL: all). If the
 * recording was cut short, reports that and uses what is there. 0, or -1 after an error message;
 * also if no thread matches. The caller frees the model in any case.
 */
int load_recording(struct loaded *l, const char *path, struct selection *selection);

/*
 * The same of all inputs. Several are pooled: of these a part cannot be shown, so with a selection
 * they are an error.
 */
int load_inputs(struct loaded *l, const struct inputs *in, const struct common_options *o);

/* ---- load_many.c: several recordings. The JVMs that the filter takes by their labels. */

/* Adds all inputs to a merge. 0, or -1 after a message. */
int load_merge(struct merge *m, const struct inputs *in, const struct filter *filter);

/* Pools them into a model. 0, or -1 after a message. The caller frees the model in any case. */
int load_pooled(struct loaded *l, const struct inputs *in, const struct filter *filter,
		struct file_header *header);

/* ---- load_say.c */

/* Reports why a recording cannot be read, with the errno of DATAFILE_ERRNO. Returns -1. */
int load_say_unreadable(const char *path, enum datafile_result result, int error);

/*
 * Reports that a recording was read before, or that some of those in it were; the latter returns
 * -1.
 */
void load_say_again(const char *path);
int load_say_overlaps(const char *path);

/* Reports why there is nothing to show, after the notes of the JVMs. Returns -1. */
int load_say_nothing(const struct loaded *l, const char *path);

/*
 * Opens what --source-path names, which may be nothing. Free with sources_free. NULL after an error
 * message.
 */
struct sources *load_sources(const struct option_list *paths);

/* Shows a recording that was read. */
typedef int load_use(struct loaded *l, const struct sources *sources, void *arg);

/*
 * Reads the recordings and the sources as they were asked for, and returns what `use`
 * returns, or -1 after an error message. Sources of another JDK than that of each JVM of the
 * recording are left out. Shows the progress, unless `use` stops that.
 */
int load_and_use(struct common_options *o, const struct inputs *in, load_use *use, void *arg);

#endif
