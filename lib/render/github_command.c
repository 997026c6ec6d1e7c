/* SPDX-License-Identifier: Apache-2.0 */
/* github_command.c - see github_command.h. */
#include "render/github_command.h"

#include "base/escape.h"

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
