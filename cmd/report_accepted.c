/* SPDX-License-Identifier: Apache-2.0 */
/* report_accepted.c - --accept and --write-accepted: a file of findings (fix/accepted.h). */
#include <stdlib.h>
#include <sys/stat.h>

#include "base/xmalloc.h"
#include "report.h"
#include "say.h"

int report_read_accepted(struct report_options *o)
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

void report_forget_accepted(struct report_options *o)
{
	if (o->accepted)
		accepted_release(o->accepted);
	free(o->accepted);
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

int report_write_accepted(const struct report_options *o, const struct fixes *fixes,
			  const struct others *others)
{
	const struct accepting accepting = { fixes, others, o->accepted };
	const struct output output = { .path = o->write_accepted };

	return o->write_accepted ? output_write(&output, draw_accepted, &accepting) : 0;
}

/* A part of a recording lacks findings for other reasons. */
void report_say_stale(const struct report_options *o)
{
	const struct accepted_key *first = NULL;
	size_t n = o->accepted && filter_is_empty(&o->common.filter) && !o->common.has_selection
			   ? accepted_stale(o->accepted, &first)
			   : 0;

	if (n == 1)
		say("'%s' line %zu: '%s' is not found any more", o->accept, first->line,
		    first->text);
	else if (n > 1)
		say("'%s': %zu of %zu findings are not found any more, first line %zu, '%s'",
		    o->accept, n, o->accepted->n, first->line, first->text);
}
