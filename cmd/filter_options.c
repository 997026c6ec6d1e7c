/* SPDX-License-Identifier: Apache-2.0 */
/* filter_options.c - see filter_options.h. */
#include "filter_options.h"

#include "report/filter.h"
#include "say.h"

void filter_say_ignored(const struct filter *f, const struct findings *findings)
{
	const char *which = f->class_glob && f->site_glob ? "--class and --site do"
			    : f->class_glob		  ? "--class does"
							  : "--site does";
	const char *about = findings_filter_ignores(f, findings);

	if (about)
		say("%s not select %s: only their code is known", which, about);
}

int filter_parse_command_line(const char *word, bool *full)
{
	static const char *const words[] = { "short", "full", NULL };
	int chosen = word ? options_choice("command-line", word, words) : 0;

	*full = chosen == 1;
	return chosen < 0 ? OPTIONS_ERROR : 0;
}
