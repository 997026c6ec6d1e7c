/* SPDX-License-Identifier: Apache-2.0 */
/* test_recording.c - what a report says of a recording as a whole, below its sum. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memtext.h"
#include "builder.h"
#include "report_fixture.h"

/* Fills in the facts anew after the builder's records, and renders. */
static char *rendered(struct report_fixture *f, struct builder *b,
		      int (*render)(FILE *out, const struct report *r))
{
	const struct total total = { .bytes = 1e6, .saved = 1e5, .range = { 5e4, 2e5 } };
	const struct file_header header = { .start_unix_ns = 1 };
	struct memtext text;

	assert_int_equal(builder_feed(b, f->model, 1), 0);
	builder_release(b);
	recording_collect(&f->recording, f->model, &header, 99);
	f->report.total = &total;
	f->report.lines = &f->rows;
	assert_non_null(memtext_begin(&text));
	assert_int_equal(render(text.in, &f->report), 0);
	f->report.total = NULL;
	char *result = memtext_end(&text);
	assert_non_null(result);
	return result;
}

static void assert_told(struct builder *b, bool told)
{
	static const char sentence[] = "The stacks of virtual threads (jdk.internal.vm.StackChunk)";
	struct report_fixture f;

	report_fixture_init(&f);
	char *markdown = rendered(&f, b, render_markdown);
	assert_int_equal(strstr(markdown, sentence) != NULL, told);
	/* the text of a heap dump leaves out classes without copies */
	assert_int_equal(strstr(markdown, "ojx heap --format=csv -p PID") != NULL, told);
	char *json = rendered(&f, b, render_json);
	assert_non_null(strstr(json, told ? "\"without_virtual_stacks\":true"
					  : "\"without_virtual_stacks\":false"));
	free(markdown);
	free(json);
	report_fixture_release(&f);
}

/* The JVM reports none of their stacks, so no sum has them. */
static void virtual_threads(void **state)
{
	struct builder b = BUILDER_INIT;

	(void)state;
	build_thread(&b, 1, "main");
	build_site(&b, 100, "Lcom/acme/VirtualThread;", "Lcom/acme/Shop;", "serve", 10);
	assert_told(&b, false);
	build_thread(&b, 1, "main");
	build_thread(&b, 255, WIRE_VIRTUAL_THREADS); /* one made the sampled objects */
	assert_told(&b, true);
	build_site(&b, 100, "Ljava/lang/VirtualThread;", "Lcom/acme/Shop;", "serve", 10);
	assert_told(&b, true); /* one was sampled as an object */
}

int unit_recording(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(virtual_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
