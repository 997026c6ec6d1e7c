/* SPDX-License-Identifier: Apache-2.0 */
/* common_options.c - see common_options.h. */
#include "common_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memtext.h"
#include "cmd.h"
#include "compare/condition.h"
#include "model/labels.h"
#include "output.h"
#include "report/filter.h"
#include "say.h"

/* Reports whether a condition holds. */
static bool tell(const struct condition *c, const struct condition_hit *hit)
{
	const struct style plain = { .utf8 = true };
	struct memtext gathered;

	if (hit->n == 0)
		return false;
	condition_put_hit(memtext_begin(&gathered), c, hit, &plain);
	char *text = memtext_end(&gathered);
	say("%s", text);
	free(text);
	return true;
}

size_t fail_report(const struct conditions *conditions, const struct condition_facts *facts)
{
	size_t nhits = 0;

	for (size_t i = 0; i < conditions->n; i++) {
		const struct condition *c = &conditions->item[i];
		struct condition_hit hit = condition_of_report(c, facts);
		nhits += tell(c, &hit);
	}
	return nhits;
}

size_t fail_diff(const struct conditions *conditions, const struct diff *d, uint64_t min_pairs)
{
	size_t nhits = 0;

	for (size_t i = 0; i < conditions->n; i++) {
		const struct condition *c = &conditions->item[i];
		struct condition_hit hit = condition_of_diff(c, d, min_pairs);
		nhits += tell(c, &hit);
	}
	return nhits;
}

int simple_parse(const struct simple_command *as, int argc, char **argv, struct simple_output *to)
{
	static const char *const formats[] = { "text", "json", NULL };
	const char *format = formats[0], *color = terminal_colors[COLOR_AUTO];
	const struct option_row rows[] = {
		OPT_STRING(0, "format", "FORMAT", &format, "text (default) or json"),
		OPT_STRING(0, "color", "WHEN", &color, "auto (default), always or never"),
		as->own[0],
		as->own[1],
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

static int parse_selection(struct common_options *c)
{
	c->selection = (struct selection)SELECTION_INIT;
	c->has_selection = c->time || c->thread;
	c->selection.thread_glob = c->thread;
	if (!c->time || selection_parse(&c->selection, c->time))
		return 0;
	return say_error("--time: '%s' is not FROM,TO (such as 10s,20s; either may be missing)",
			 c->time);
}

static int parse_conditions(struct common_options *c, const struct analysis *const *found,
			    enum condition_use use)
{
	char error[CONDITION_ERROR];

	c->conditions.n = 0;
	for (size_t i = 0; i < c->fail_if.n; i++)
		if (conditions_parse(&c->conditions, found, c->fail_if.item[i], use, error) < 0)
			return say_error("--fail-if: %s", error);
	return 0;
}

static int check_labels(struct common_options *c)
{
	for (size_t i = 0; i < c->label.n; i++)
		if (!label_name_ok(c->label.item[i], strcspn(c->label.item[i], "=")) ||
		    !strchr(c->label.item[i], '='))
			return say_error("--label: '%s' is not NAME=VALUE", c->label.item[i]);
	c->filter.labels = c->label.item;
	c->filter.nlabels = c->label.n;
	return 0;
}

int common_options_check(struct common_options *c, const struct analysis *const *found,
			 enum condition_use use)
{
	static const char *const extents[] = { "short", "full", NULL };
	int ink = options_choice("color", c->color, terminal_colors);

	if (ink < 0)
		return -1;
	int extent = c->command_line ? options_choice("command-line", c->command_line, extents) : 0;
	if (extent < 0 || parse_selection(c) < 0 || check_labels(c) < 0)
		return -1;
	c->ink = (enum terminal_color)ink;
	c->full = extent == 1;
	return parse_conditions(c, found, use);
}

void common_options_set_lines(const struct common_options *c, struct model *m)
{
	model_set_transparent(m, c->transparent.item, c->transparent.n);
	if (c->own.n > 0)
		model_set_own(m, c->own.item, c->own.n);
}

struct output common_options_output(const struct common_options *c, bool text)
{
	return (struct output){
		.path = c->output, .secret = c->full, .paged = text && !c->no_pager, .ink = c->ink
	};
}
