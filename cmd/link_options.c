/* SPDX-License-Identifier: Apache-2.0 */
/* link_options.c - see link_options.h. */
#include "link_options.h"

#include <string.h>

#include "say.h"

#define EDITOR_HELP                                                                       \
	"what links to source lines open: an address such as 'myed://{file}:{line}', or " \
	"(default " LINKS_EDITOR "):"

char *link_options_help(void)
{
	return options_list(EDITOR_HELP, links_put_editors, true);
}

int link_options_check(struct link_options *l)
{
	int when = options_choice("hyperlink", l->hyperlink, terminal_colors);

	if (when < 0)
		return -1;
	l->when = (enum terminal_color)when;
	l->form = links_form(l->editor);
	if (l->form)
		return 0;
	if (!strchr(l->editor, ':'))
		return options_say_unknown("editor", l->editor, links_put_editors);
	return say_error("--editor: '%s' is not an address with {file}, and perhaps {line} and "
			 "{host}, such as 'myed://{file}:{line}'",
			 l->editor);
}

struct links *link_options_open(const struct link_options *l, FILE *out, bool paged,
				const struct sources *sources)
{
	if (sources_count(sources) == 0 || l->when == COLOR_NEVER)
		return NULL;
	if (l->when == COLOR_AUTO && !terminal_shows_links(out, paged))
		return NULL;
	return links_new(sources, l->form);
}
