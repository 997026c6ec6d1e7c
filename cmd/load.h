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

/*
 * Reads the recording `path` ("-": standard input) into an empty model. A recording that was cut short is said
 * to be, and what came before is taken. `end_ns`: how far it reaches. 0, or -1 after saying why not.
 */
int load_model(const char *path, struct model *m, struct file_header *header, uint64_t *end_ns);

/* Why the recording has nothing to show, or NULL where it has. */
const char *load_nothing(const struct model *m);

/* Says what the JVMs had to say, which may be the reason. */
void load_say_notes(const struct model *m);

#endif
