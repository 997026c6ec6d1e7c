/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sources.h - finds the source files of a program for stack frames.
 *
 * A source path names directories, at any level above the packages, and zip archives, such as a
 * library's -sources.jar or a JDK's src.zip. A frame has its class and the name of the file without
 * directories. This name and the package that the file declares decide. So modules in a src.zip,
 * src/main/java, and Kotlin's shortened directories need no special treatment, and a file name in a
 * recording cannot lead out of the source path.
 */
#ifndef OJX_SOURCES_H
#define OJX_SOURCES_H

#include <stdbool.h>
#include <stddef.h>

struct sources;

/* Where a text was found. The sources own the strings. */
struct source_place {
	const char *origin; /* the element of the source path: "/usr/lib/jvm/x/lib/src.zip" */
	const char *name;   /* relative to it: "java.base/java/util/List.java" */
	bool packed;	    /* the element is an archive */
};

/* Without elements. Free with sources_free; NULL is allowed. */
struct sources *sources_new(void);
void sources_free(struct sources *s);

/*
 * Appends the elements of "a:b:c"; skips empty ones. 0, or -1 with errno and the element in *bad,
 * which the sources own; EINVAL if it is neither a directory nor an archive.
 */
int sources_add(struct sources *s, const char *path, const char **bad);

/* The number of elements, and their paths, 0..sources_count-1, which the sources own. */
size_t sources_count(const struct sources *s);
const char *sources_element(const struct sources *s, size_t i);

/* Leaves an element out: nothing of it is found any more. */
void sources_leave_out(struct sources *s, size_t i);

/*
 * The text of the file of a class with this Java name: NUL-terminated, *len bytes, allocated. NULL
 * with ENOENT if the source path has none, or with another errno. Files of more than 8 MiB are not
 * read. `where` is set if a text is returned.
 */
char *sources_read(const struct sources *s, const char *class_name, const char *file, size_t *len,
		   struct source_place *where);

/* ---- the version of a JDK, as its file `release` says. */

enum { JDK_VERSION_MAX = 64 };

/*
 * The version of the JDK that a src.zip is part of, "17.0.15": the file `release` lies beside it or
 * one directory above. False if there is none, or the archive has another name.
 */
bool jdk_release_version(const char *archive, char version[JDK_VERSION_MAX]);

/* Whether a JVM that calls itself "17.0.15+6-Debian" is of that version. */
bool jdk_release_is_of(const char *version, const char *vm_version);

#endif
