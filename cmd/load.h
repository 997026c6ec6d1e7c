/* SPDX-License-Identifier: Apache-2.0 */
/*
 * load.h - recordings into models, for every command that reads them, with one wording for what can be
 * wrong with them.
 */
#ifndef OJX_LOAD_H
#define OJX_LOAD_H

#include <stdint.h>

#include "file/datafile.h"
#include "file/datafile_again.h"
#include "model/model.h"
#include "options.h"
#include "report/sources.h"
#include "report/window.h"

/*
 * Reads the recording `path` ("-": standard input), or the part of it in `window` (NULL: all), into an empty model. A
 * recording that was cut short is said to be, and what came before is taken. `end_ns`: how far it reaches. 0, or -1 after
 * saying why not; also where no thread is of the part.
 */
int load_model_window(const char *path, struct model *m, struct file_header *header,
		      uint64_t *end_ns, struct window *window);

/*
 * The same; where the recording is large, its evidence stays in the file, see model_defer: again->fd is the file, to be
 * closed by the caller, or else -1.
 */
int load_model_deferred(const char *path, struct model *m, struct file_header *header,
			uint64_t *end_ns, struct datafile_again *again);

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
