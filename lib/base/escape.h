/* SPDX-License-Identifier: Apache-2.0 */
/*
 * escape.h - texts from outside as parts of formats that have signs of their own. Invalid UTF-8 and
 * control characters become U+FFFD, except for tab, LF and CR where a format has a form for them.
 * NULL gives "?".
 */
#ifndef OJX_ESCAPE_H
#define OJX_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

/* Content of an element of XML or HTML, as its lines are; an attribute in double quotes. */
void escape_xml(FILE *out, const char *text);
void escape_xml_attribute(FILE *out, const char *text);

/*
 * Markdown as GitHub and GitLab read it: none of the text is markup, a table's bar, or HTML. What
 * ends a line becomes a blank.
 */
void escape_markdown(FILE *out, const char *text);
/* The same as code, where that can hold it. */
void escape_markdown_code(FILE *out, const char *text);

/* A message of a workflow command of GitHub, "::warning::MESSAGE", or a value of its properties. */
void escape_github_message(FILE *out, const char *text);
void escape_github_property(FILE *out, const char *text);

/* A path as a part of a URI: "/a%20b/C.java". */
void escape_path(FILE *out, const char *path);
/* A path as a URI, "a%20b/C.java"; one that begins with '/' gets "file://" in front. */
void escape_uri(FILE *out, const char *path);

#endif
