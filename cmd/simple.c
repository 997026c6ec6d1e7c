/* SPDX-License-Identifier: Apache-2.0 */
/* simple.c - see simple.h. */
#include "simple.h"

#include <stdio.h>

#include "cmd.h"
#include "options.h"
#include "say.h"
#include "terminal.h"

int simple_parse(const char *name, const char *about, const char *notes, int argc, char **argv,
		 struct simple_output *to)
{
	static const char *const formats[] = { "text", "json", NULL };
	const char *format = formats[0], *color = terminal_colors[COLOR_AUTO];
	const struct option_row rows[] = {
		OPT_STRING(0, "format", "FORMAT", &format, "text (default) or json"),
		OPT_STRING(0, "color", "WHEN", &color, "auto (default), always or never"),
		OPT_END,
	};
	const struct option_command command = { name, "[OPTION]...", about, rows, notes, false };
	int first = options_parse(&command, argc, argv);

	if (first == OPTIONS_HELP)
		return 0;
	if (first >= 0 && first < argc) {
		say("'%s' is more than 'ojx %s' takes", argv[first], name);
		first = OPTIONS_ERROR;
	}
	int as = first < 0 ? -1 : options_choice("format", format, formats);
	int ink = as < 0 ? -1 : options_choice("color", color, terminal_colors);
	if (ink < 0)
		return EXIT_USAGE;
	to->json = as == 1;
	to->style = terminal_style(stdout, (enum terminal_color)ink);
	return -1;
}
