/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sources.h - the source files of a program, found by what a stack frame knows of them.
 *
 * A source path names folders, at any height above the packages, and zip archives, such as a
 * library's -sources.jar or a JDK's src.zip. A frame knows its class and the bare name of the file.
 * That name, and the package that the file itself declares, decide; so neither modules in a src.zip
 * nor src/main/java nor Kotlin's shortened folders need to be known here, and a file name in a
 * recording cannot lead out of the source path.
 */
#ifndef OJX_SOURCES_H
#define OJX_SOURCES_H

#include <stddef.h>

struct sources;

/* Where a text was found. The strings belong to the sources. */
struct source_place {
	const char *origin; /* element of the source path: "/usr/lib/jvm/x/lib/src.zip" */
	const char *name;   /* below it: "java.base/java/util/List.java" */
};

/* No element at first; NULL where memory lacks. Free with sources_free; NULL is allowed. */
struct sources *sources_new(void);
void sources_free(struct sources *s);

/*
 * Adds the elements of "a:b:c", behind those there are; empty ones are skipped. 0, or -1 with errno
 * and the element in *bad, which belongs to the sources; EINVAL for what is neither folder nor
 * archive.
 */
int sources_add(struct sources *s, const char *path, const char **bad);

/* How many elements there are, and their paths, 0..sources_count-1, which belong to the sources. */
size_t sources_count(const struct sources *s);
const char *sources_element(const struct sources *s, size_t i);

/*
 * The text of the file that a class of this Java name comes from: NUL-terminated, of *len bytes,
 * allocated. NULL with ENOENT where the source path has none, or another errno. Files of
 * more than 8 MiB are not read. `where` is set where a text is returned.
 */
char *sources_read(const struct sources *s, const char *class_name, const char *file, size_t *len,
		   struct source_place *where);

#endif
