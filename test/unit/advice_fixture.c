/* SPDX-License-Identifier: Apache-2.0 */
/* advice_fixture.c - see advice_fixture.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "advice_fixture.h"
#include "model/platform.h"

/* As in a recording: javac is a program, which its own loader loads. */
static enum model_home home_of(const char *class_name)
{
	return strncmp(class_name, "com.sun.tools.", 14) == 0 ? MODEL_HOME_PROGRAM
							      : MODEL_HOME_UNKNOWN;
}

void advice_row(struct advice_fixture *f, const struct advice_made *made)
{
	bool array = strchr(made->class_name, '[');
	size_t n = 0;

	memset(f, 0, sizeof *f);
	objects_init(&f->objects, array ? 0 : FIELDS, 1);
	f->objects.class.name = made->class_name;
	for (; n < 5 && made->frames[n]; n++) {
		char *dot = strrchr(strcpy(f->names[n], made->frames[n]), '.');
		*dot = '\0';
		f->frames[n] = (struct model_frame){ .class_name = f->names[n],
						     .method = dot + 1,
						     .line = 10 * (int)(n + 1),
						     .platform = platform_class(
							     f->names[n], home_of(f->names[n])) };
	}
	f->context = &f->objects.context;
	f->row.class = &f->objects.class;
	f->row.contexts = &f->context;
	f->row.ncontexts = 1;
	f->row.row.stack[0] = (struct callstack){ .frames = f->frames, .n = n };
	f->row.common = n;
	f->row.line = callstack_line(&f->row.row.stack[0]);
	f->row.replica.details = &f->details;
	f->row.replica.own.verdict = made->verdict;
	f->row.replica.own.saved_bytes =
		made->verdict == VERDICT_ALIKE || made->verdict == VERDICT_UNKNOWN ? 0 : 1;
}

char *advice_say(struct advice_fixture *f, char rule[32])
{
	const struct style style = { .utf8 = true };
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	const struct advice *advice = row_advice(&f->row);
	strcpy(rule, advice ? advice->rule->name : "");
	if (advice) {
		advice_put(out, &style, &f->row, advice->rule->problem);
		fputs(" | ", out);
		advice_put(out, &style, &f->row, advice->rule->fix);
	}
	fclose(out);
	row_forget_advice(&f->row);
	return text;
}

void assert_rule(const struct advice_made *made, const char *rule, const char *problem)
{
	struct advice_fixture f;
	char found[32];

	advice_row(&f, made);
	if (strstr(made->class_name, "Exception")) /* its fields are not known */
		f.objects.class.nfields = 0;
	char *text = advice_say(&f, found);
	assert_string_equal(found, rule);
	if (!strstr(text, problem))
		fail_msg("'%s' is not in '%s'", problem, text);
	if (strchr(text, '{') || strchr(text, '?'))
		fail_msg("a word is missing in '%s'", text);
	free(text);
	objects_release(&f.objects);
}

void assert_found(struct advice_fixture *f, const char *rule, const char *problem)
{
	char found[32];
	char *text = advice_say(f, found);

	assert_string_equal(found, rule);
	if (!strstr(text, problem))
		fail_msg("'%s' is not in '%s'", problem, text);
	free(text);
	objects_release(&f->objects);
}
