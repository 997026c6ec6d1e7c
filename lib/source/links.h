/* SPDX-License-Identifier: Apache-2.0 */
/*
 * links.h - what links to source lines lead to: an editor, by the scheme of its addresses.
 *
 * A line has an address if a folder of the source path has its file; what is in an archive cannot
 * be opened. Each file is looked for once.
 */
#ifndef OJX_LINKS_H
#define OJX_LINKS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/style.h"
#include "source/sources.h"

struct links;

/*
 * `form` is a form of addresses: see links_form. Free with links_free; NULL is allowed. Sources and
 * form must outlive it.
 */
struct links *links_new(const struct sources *sources, const char *form);
void links_free(struct links *l);

/* For a style; NULL for NULL. */
struct style_links *links_style(struct links *l);

/*
 * The form of addresses of an editor, by its name; or the word itself if it is a form such as
 * "myed://{file}:{line}". It has a scheme and {file}, the full path with a '/' in front, may have
 * {line} and {host}, and nothing that a link cannot hold. NULL if it is none of these.
 */
const char *links_form(const char *editor);

#define LINKS_EDITOR "file" /* the editor if none is named */

/* Writes the names of editors: "file, idea"; with help one line each. */
void links_put_editors(FILE *out, bool with_help);

#endif
