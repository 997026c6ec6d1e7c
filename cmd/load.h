/* SPDX-License-Identifier: Apache-2.0 */
/*
 * load.h - recordings into models, for every command that reads them, with one wording for what can be
 * wrong with them.
 */
#ifndef OJX_LOAD_H
#define OJX_LOAD_H

#include <stdint.h>

#include "datafile.h"
#include "model.h"
#include "options.h"
#include "sources.h"
#include "window.h"

/*
 * Reads the recording `path` ("-": standard input), or the part of it in `window` (NULL: all), into an empty model. A
 * recording that was cut short is said to be, and what came before is taken. `end_ns`: how far it reaches. 0, or -1 after
 * saying why not; also where no thread is of the part.
 */
int load_model_window(const char *path, struct model *m, struct file_header *header,
		      uint64_t *end_ns, struct window *window);

/* Why the recording that was read last, or the part of it (NULL: all), has nothing to show; NULL where it has. */
const char *load_nothing(const struct model *m, const struct window *part);

/*
 * What --time and --thread say (NULL: nothing) becomes a window, and *is_given whether there is one. 0, or -1 after saying
 * what is wrong.
 */
int load_parse_window(struct window *window, bool *is_given, const char *time, const char *thread);

/* Says what the JVMs had to say, which may be the reason. */
void load_say_notes(const struct model *m);

/* Opens what --source-path names, which may be nothing. Free with sources_free. NULL after saying why not. */
struct sources *load_sources(const struct option_list *paths);

#endif
