/* SPDX-License-Identifier: Apache-2.0 */
/* simple.c - see simple.h. */
#include "simple.h"

#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "say.h"
#include "terminal.h"

int simple_parse(const struct simple_command *as, int argc, char **argv, struct simple_output *to)
{
	static const char *const formats[] = { "text", "json", NULL };
	const char *format = formats[0], *color = terminal_colors[COLOR_AUTO];
	const struct option_row rows[] = {
		OPT_STRING(0, "format", "FORMAT", &format, "text (default) or json"),
		OPT_STRING(0, "color", "WHEN", &color, "auto (default), always or never"),
		as->own,
		OPT_END,
	};
	const struct option_command command = { as->name,  as->synopsis, as->about, rows,
						as->notes, true,	 NULL };
	int first = options_parse(&command, argc, argv);

	if (first == OPTIONS_HELP)
		return 0;
	to->operand =
		as->operand && first >= 0 && first < argc && strcmp(argv[first], as->operand) == 0;
	if (first >= 0 && first + to->operand < argc) {
		say("'%s' is more than 'ojx %s' takes", argv[first + to->operand], as->name);
		first = OPTIONS_ERROR;
	}
	int output = first < 0 ? -1 : options_choice("format", format, formats);
	int ink = output < 0 ? -1 : options_choice("color", color, terminal_colors);
	if (ink < 0)
		return EXIT_USAGE;
	to->json = output == 1;
	to->style = terminal_style(stdout, (enum terminal_color)ink);
	return -1;
}
