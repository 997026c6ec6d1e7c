/* SPDX-License-Identifier: Apache-2.0 */
/* test_callers.c - stacks of which a part is missing, and the callers of a line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report_fixture.h"

static int setup_report(void **state)
{
	struct report_fixture *f = malloc(sizeof *f);

	assert_non_null(f);
	report_fixture_init(f);
	*state = f;
	return 0;
}

static int teardown_report(void **state)
{
	report_fixture_release(*state);
	free(*state);
	return 0;
}

/* Each reason why frames are missing has its own words. */
static void test_stack_missing(void **state)
{
	static const struct {
		unsigned flags;
		const char *words;
	} reasons[] = {
		{ WIRE_STACK_CUT, "… cut here: deeper than 'ojx record --max-stack'\n" },
		{ WIRE_STACK_CUT | WIRE_STACK_COUNTED,
		  "… only counted: its callers were not read\n" },
		{ WIRE_STACK_CUT | WIRE_STACK_SHORT,
		  "… cut here: the program has very many stacks\n" },
	};
	struct report_fixture *f = *state;
	const struct style style = { .utf8 = true };

	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
		rows_at(&f->rows, 1)->row.stack[0].flags = reasons[i].flags;
		char *text = report_fixture_text(f, &style);
		for (size_t k = 0; k < sizeof reasons / sizeof *reasons; k++)
			assert_int_equal(strstr(text, reasons[k].words) != NULL, i == k);
		free(text);
	}
}

int unit_callers(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_stack_missing, setup_report, teardown_report),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
