/* SPDX-License-Identifier: Apache-2.0 */
/* output.c - see output.h. */
#include "output.h"

#include <errno.h>
#include <string.h>

#include "base/outfile.h"
#include "render/renderers.h"
#include "say.h"

bool output_is_file(const char *path)
{
	return path && strcmp(path, "-") != 0;
}

/* `out`: what the reader sees, through a pager if `paged`. Free the links with links_free. */
static struct links *open_style(struct style *style, const struct output *o, FILE *out, bool paged)
{
	struct links *links = o->links ? link_options_open(o->links, out, paged, o->sources) : NULL;

	*style = terminal_style(out, o->ink);
	style->links = links_style(links);
	return links;
}

static int write_file(const struct output *o, output_draw *draw, const void *what)
{
	struct outfile file;
	struct style style;

	if (outfile_open(&file, o->path, o->secret) < 0)
		return say_error("cannot create '%s': %s", o->path, strerror(errno));
	struct links *links = open_style(&style, o, file.out, false);
	int result = draw(file.out, &style, what);
	int error = errno;
	links_free(links);
	if (outfile_close(&file, result == 0) < 0 && result == 0) {
		result = -1;
		error = errno;
	}
	errno = error;
	return result < 0 ? say_unwritten(o->path) : 0;
}

static int write_stdout(const struct output *o, output_draw *draw, const void *what)
{
	struct style style;
	struct links *links = open_style(&style, o, stdout, o->paged);
	struct pager pager;

	pager_start(&pager, o->paged);
	int result = pager_close(&pager, draw(pager.out, &style, what));
	links_free(links);
	return result;
}

int output_write(const struct output *o, output_draw *draw, const void *what)
{
	return output_is_file(o->path) ? write_file(o, draw, what) : write_stdout(o, draw, what);
}

const char *output_format(const char *path, const char *const *formats, const char *command)
{
	const struct renderer *as = renderer_of_file(path);
	char names[128] = "";
	size_t len = 0;

	for (int i = 0; formats[i]; i++) {
		if (as && strcmp(as->name, formats[i]) == 0)
			return formats[i];
		if (len < sizeof names)
			len += (size_t)snprintf(names + len, sizeof names - len, "%s%s",
						i ? ", " : "", formats[i]);
	}
	say("-o '%s': 'ojx %s' has no such format: choose one by --format (%s)", path, command,
	    names);
	return NULL;
}
