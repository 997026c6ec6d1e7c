/* SPDX-License-Identifier: Apache-2.0 */
/* accept.c - see accept.h. */
#include "accept.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/xmalloc.h"
#include "output.h"
#include "say.h"

int accept_read(struct accept_options *o)
{
	char error[ACCEPTED_ERROR];
	struct stat file;

	if (o->write_accepted && stat(o->write_accepted, &file) == 0 && S_ISREG(file.st_mode))
		return say_error(
			"--write-accepted: '%s' exists already, perhaps with reasons: name "
			"a new file",
			o->write_accepted);
	if (!o->accept)
		return 0;
	o->accepted = xcalloc(1, sizeof *o->accepted);
	if (accepted_read(o->accepted, o->accept, error) < 0)
		return say_error("--accept '%s': %s", o->accept, error);
	return 0;
}

void accept_forget(struct accept_options *o)
{
	if (o->accepted)
		accepted_release(o->accepted);
	free(o->accepted);
	o->accepted = NULL;
}

struct accepting {
	const struct fixes *fixes;
	const struct others *others;
	const struct accepted *accepted;
};

static int draw_accepted(FILE *out, const struct style *style, const void *what)
{
	const struct accepting *a = what;

	(void)style;
	accepted_write(out, a->fixes, a->others, a->accepted);
	return ferror(out) ? -1 : 0;
}

int accept_write(const struct accept_options *o, const struct fixes *fixes,
		 const struct others *others)
{
	const struct accepting accepting = { fixes, others, o->accepted };
	const struct output output = { .path = o->write_accepted };

	return o->write_accepted ? output_write(&output, draw_accepted, &accepting) : 0;
}

void accept_say_stale(const struct accept_options *o, bool whole)
{
	const struct accepted_key *first = NULL;
	size_t n = o->accepted && whole ? accepted_stale(o->accepted, &first) : 0;

	if (n == 1)
		say("'%s' line %zu: '%s' is not found any more", o->accept, first->line,
		    first->text);
	else if (n > 1)
		say("'%s': %zu of %zu findings are not found any more, first line %zu, '%s'",
		    o->accept, n, o->accepted->n, first->line, first->text);
}
