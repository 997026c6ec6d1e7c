/* SPDX-License-Identifier: Apache-2.0 */
/*
 * load.h - recordings into models, for every command that reads them, with one wording for what can
 * be wrong with them.
 */
#ifndef OJX_LOAD_H
#define OJX_LOAD_H

#include <stdint.h>

#include "file/datafile.h"
#include "model/model.h"
#include "options.h"
#include "report/recording.h"
#include "report/sources.h"
#include "report/window.h"

/* A recording that is read. */
struct loaded {
	struct model *model;
	struct recording recording; /* but for its pairs, which are the rows' */
	const char *nothing; /* why it, or the part of it, has nothing to show; NULL: it has */
};

/*
 * Reads the recording `path` ("-": standard input), or the part of it in `window` (NULL: all). A
 * recording that was cut short is said to be, and what came before is taken. 0, or -1 after saying
 * why not; also where no thread is of the part. The model is to be freed in any case.
 */
int load_recording(struct loaded *l, const char *path, struct window *window);

/* Says why there is nothing to show, after what the JVMs had to say. -1. */
int load_say_nothing(const struct loaded *l, const char *path);

/*
 * What --time and --thread say (NULL: nothing) becomes a window, and *is_given whether there is
 * one. 0, or -1 after saying what is wrong.
 */
int load_parse_window(struct window *window, bool *is_given, const char *time, const char *thread);

/* Opens what --source-path names, which may be nothing. Free with sources_free. NULL after saying
 * why not. */
struct sources *load_sources(const struct option_list *paths);

#endif
