/* SPDX-License-Identifier: Apache-2.0 */
/* github_command.c - see github_command.h. */
#include "render/github_command.h"

#include <stdlib.h>

#include "base/escape.h"
#include "render/source_path.h"

void github_command(FILE *out, const char *command, const char *path, int line, const char *title,
		    const char *message)
{
	fprintf(out, "::%s ", command);
	if (path) {
		fputs("file=", out);
		escape_github_property(out, path);
		if (line > 0)
			fprintf(out, ",line=%d", line);
		putc(',', out);
	}
	fputs("title=", out);
	escape_github_property(out, "ojx: ");
	escape_github_property(out, title);
	fputs("::", out);
	escape_github_message(out, message);
	putc('\n', out);
}

int github_check(const struct check *check, void *stream)
{
	const struct checks_stream *to = stream;
	const struct row *row = check->hit.row;
	const struct model_frame *frame =
		row && row->line < row->stack.n ? &row->stack.frames[row->line] : NULL;
	char *path = NULL;

	if (!check->reason)
		return 0;
	if (source_path_of(&path, to->sources, frame) < 0)
		return -1;
	github_command(to->out, "error", path, frame ? frame->line : 0, check->name, check->reason);
	free(path);
	return 0;
}
