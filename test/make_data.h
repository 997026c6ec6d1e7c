/* SPDX-License-Identifier: Apache-2.0 */
/* make_data.h - shared by the parts of make_data.c. */
#ifndef OJX_MAKE_DATA_H
#define OJX_MAKE_DATA_H

#include <stdio.h>

#include "builder.h"
#include "file/datafile.h"

/* Adds the definition of a method; it has one line, which follows from its id. */
void data_method(struct builder *b, uint64_t id, const char *class_name, const char *name,
		 const char *file);
/* Adds a JVM of which `sampled` objects were sampled. `note` may be NULL. */
void data_jvm(struct builder *b, int32_t pid, uint64_t sampled, const char *note);
/* Writes all records as those of a JVM, and releases the builder. 0, or -1. */
int data_write(struct datafile_writer *w, uint32_t jvm, struct builder *b);

/* See make_data.c. 0, or -1. */
int data_write_unkeyed(struct datafile_writer *w);

/* See make_data_text.c: writes a file. 0, or -1 with errno; a wrong line ends the program. */
int data_write_text(FILE *in, const char *path);

/* The large kinds. */
int data_write_many(struct datafile_writer *w);
int data_write_day(struct datafile_writer *w);
int data_write_pairs(struct datafile_writer *w);

#endif
