/* SPDX-License-Identifier: Apache-2.0 */
/* accept.h - --accept and --write-accepted: a file of findings (fix/accepted.h). */
#ifndef OJX_ACCEPT_H
#define OJX_ACCEPT_H

#include <stdbool.h>

#include "fix/accepted.h"

struct accept_options {
	const char *accept, *write_accepted; /* files; NULL: none */
	struct accepted *accepted;	     /* NULL: none; it belongs to who parsed */
};

/* `more` is what else a reader must know of --accept. */
#define OPT_ACCEPT(o, more)                                                                        \
	OPT_STRING(0, "accept", "FILE", &(o)->accept,                                              \
		   "leave out the findings whose keys FILE has, one a line, and count them" more), \
		OPT_STRING(                                                                        \
			0, "write-accepted", "FILE", &(o)->write_accepted,                         \
			"write the keys of all findings to FILE, which must not exist, for --accept")

/*
 * Reads what --accept names, and looks at where --write-accepted writes. 0, or -1 after an error
 * message. Release with accept_forget in either case.
 */
int accept_read(struct accept_options *o);
void accept_forget(struct accept_options *o);

/* Writes what --write-accepted asks for. 0, or -1 after an error message. */
int accept_write(const struct accept_options *o, const struct fixes *fixes,
		 const struct others *others);

/*
 * Says which of the accepted findings are not there any more; nothing if only a part of all was
 * looked at, since that lacks findings for other reasons.
 */
void accept_say_stale(const struct accept_options *o, bool whole);

#endif
