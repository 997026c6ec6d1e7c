/* SPDX-License-Identifier: Apache-2.0 */
/* common_options.c - see common_options.h. */
#include "common_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memtext.h"
#include "cmd.h"
#include "output.h"
#include "report/condition.h"
#include "report/filter.h"
#include "say.h"

int fail_parse(struct conditions *conditions, const struct analysis *const *analyses,
	       const char *option, const struct option_list *texts, enum condition_use use)
{
	char error[CONDITION_ERROR];

	conditions->n = 0;
	for (size_t i = 0; i < texts->n; i++)
		if (conditions_parse(conditions, analyses, texts->item[i], use, error) < 0)
			return say_error("--%s: %s", option, error);
	return 0;
}

/* Reports whether a condition holds. */
static bool tell(const struct condition *c, const struct condition_hit *hit, const struct style *s)
{
	struct memtext gathered;

	if (hit->n == 0)
		return false;
	FILE *out = memtext_begin(&gathered);
	if (out)
		condition_put_hit(out, c, hit, s);
	char *text = memtext_end(&gathered);
	if (text)
		say("%s", text);
	else
		say("'%.*s' holds", (int)c->len, c->text);
	free(text);
	return true;
}

size_t fail_report(const struct conditions *conditions, const struct rows *rows,
		   const struct findings *findings, const struct cell_context *ctx)
{
	size_t held = 0;

	for (size_t i = 0; i < conditions->n; i++) {
		const struct condition *c = &conditions->item[i];
		struct condition_hit hit = condition_of_report(c, rows, findings, ctx);
		held += tell(c, &hit, ctx->style);
	}
	return held;
}

size_t fail_diff(const struct conditions *conditions, const struct diff *d,
		 const struct cell_context *ctx)
{
	size_t held = 0;

	for (size_t i = 0; i < conditions->n; i++) {
		const struct condition *c = &conditions->item[i];
		struct condition_hit hit = condition_of_diff(c, d, ctx);
		held += tell(c, &hit, ctx->style);
	}
	return held;
}

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

void simple_begin_json(struct json_text *j, const char *name)
{
	*j = (struct json_text){ .out = stdout, .html = true };
	json_text_open(j, NULL, '{');
	json_text_open(j, name, '[');
}

void simple_end_array(struct json_text *j)
{
	json_text_break(j);
	json_text_close(j, ']');
}

int simple_end_json(struct json_text *j)
{
	json_text_close(j, '}');
	return json_text_end(j) < 0 ? say_error("cannot write: %s", strerror(errno)) : 0;
}

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
