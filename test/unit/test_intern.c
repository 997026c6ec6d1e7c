/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_intern.c - numbering of strings, frames and stacks, and the page with the data they are
 * packed into.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#include "model/intern.h"
#include "render/html/html_page.h"
#include "report_fixture.h"

static void test_texts(void **state)
{
	(void)state;
	struct intern t;
	char same[] = "one";
	uint32_t a, b, c;

	intern_init(&t);
	a = intern_text(&t, "one");
	b = intern_text(&t, "two");
	c = intern_text(&t, same);
	assert_int_equal(a, 0);
	assert_int_equal(b, 1);
	assert_int_equal(c, 0);
	assert_int_equal(t.ntexts, 2);
	intern_release(&t);
}

static uint32_t node_of(struct intern *t, struct model_frame *frames, size_t n)
{
	struct callstack stack = { .frames = frames, .n = n };

	return intern_stack(t, &stack);
}

static void test_stacks(void **state)
{
	(void)state;
	struct intern t;
	struct model_frame f[] = {
		{ .class_name = "A", .method = "in", .file = "A.java", .line = 3 },
		{ .class_name = "A", .method = "mid", .line = 2 },
		{ .folded = 4 },
		{ .class_name = "A", .method = "main", .file = "A.java", .line = 1 },
	};
	struct model_frame other[] = { f[1], f[0], f[3] };

	intern_init(&t);
	uint32_t whole = node_of(&t, f, 4);
	assert_int_equal(whole, 3);
	assert_int_equal(node_of(&t, f, 4), whole);
	assert_int_equal(node_of(&t, f + 1, 3), 2); /* the caller of the innermost frame */
	assert_int_equal(node_of(&t, f, 0), INTERN_NONE);
	assert_int_equal(node_of(&t, other, 3), 5); /* one node is shared, two are new */
	assert_int_equal(t.nodes.n, 6);
	assert_int_equal(t.frames.n, 4);
	for (size_t i = 0; i < t.nodes.n; i++)
		assert_true(t.nodes.column[NODE_PARENT][i] == INTERN_NONE ||
			    t.nodes.column[NODE_PARENT][i] < i);
	uint32_t folded = t.nodes.column[NODE_FRAME][1];
	assert_int_equal(t.frames.column[FRAME_CLASS][folded], INTERN_NONE);
	assert_int_equal(t.frames.column[FRAME_LINE][folded], 4);
	f[0].line = 4; /* another line is another frame */
	assert_int_equal(node_of(&t, f, 4), 6);
	intern_release(&t);
}

/* A line whose callers were not read is not called from nowhere. */
static void test_unread(void **state)
{
	(void)state;
	struct intern t;
	struct model_frame f[] = { { .class_name = "A", .method = "load" } };
	struct callstack unread = { .frames = f,
				    .n = 1,
				    .flags = WIRE_STACK_CUT | WIRE_STACK_COUNTED };
	uint32_t node;

	intern_init(&t);
	node = intern_stack(&t, &unread);
	assert_int_not_equal(node_of(&t, f, 1), node);
	assert_int_equal(t.nodes.column[NODE_LINE][node], 0);
	uint32_t root = t.nodes.column[NODE_PARENT][node];
	uint32_t method = t.frames.column[FRAME_METHOD][t.nodes.column[NODE_FRAME][root]];
	assert_string_equal(t.text[method], "[callers not read]");
	assert_int_equal(t.nodes.column[NODE_PARENT][root], INTERN_NONE);
	intern_release(&t);
}

/* The line of each stack is that of callstack_line; equal texts of other code are other frames. */
static void test_lines(void **state)
{
	(void)state;
	struct intern t;
	struct model_frame f[] = {
		{ .class_name = "java.util.List", .method = "of", .platform = true },
		{ .folded = 1, .platform = true },
		{ .class_name = "A", .method = "load" },
		{ .class_name = "java.lang.Thread", .method = "run", .platform = true },
	};

	intern_init(&t);
	uint32_t node = node_of(&t, f, 4);
	assert_int_equal(t.nodes.column[NODE_LINE][node], 2);
	for (size_t i = 1; i < 3; i++) {
		node = t.nodes.column[NODE_PARENT][node];
		assert_int_equal(t.nodes.column[NODE_LINE][node], 2 - i);
	}
	node = t.nodes.column[NODE_PARENT][node];
	assert_int_equal(t.nodes.column[NODE_LINE][node], INTERN_NONE);
	f[2].platform = true;
	node = node_of(&t, f, 4);
	assert_int_equal(t.nodes.column[NODE_LINE][node], INTERN_NONE);
	assert_int_equal(t.frames.n, 5);
	intern_release(&t);
}

/* More than the initial capacity of the tables. */
static void test_many(void **state)
{
	(void)state;
	struct intern t;

	intern_init(&t);
	for (int i = 1; i <= 5000; i++) {
		struct model_frame f = { .class_name = "A", .method = "m", .line = i };
		assert_int_equal(node_of(&t, &f, 1), i - 1);
	}
	for (int i = 5000; i > 0; i--) {
		struct model_frame f = { .class_name = "A", .method = "m", .line = i };
		assert_int_equal(node_of(&t, &f, 1), i - 1);
	}
	intern_release(&t);
}

/* ---- the page ---------------------------------------------------------------------------- */

/* What stands for others is there, in order, and nothing ends an element before its end. */
static void check_page(const struct html_page *p)
{
	const char *head = strstr(p->html, "<!--HEAD-->");
	const char *data = strstr(p->html, "<!--DATA-->");
	const char *script = strstr(p->html, "<!--SCRIPT-->");

	assert_non_null(head);
	assert_non_null(data);
	assert_non_null(script);
	assert_true(head < data && data < script);
	for (size_t i = 0; p->styles[i]; i++) {
		assert_null(strstr(p->styles[i], "</"));
		assert_memory_equal(p->styles[i], "/* SPDX", 7);
	}
	assert_memory_equal(p->first, "// SPDX", 7);
	for (size_t i = 0; p->scripts[i]; i++) {
		assert_memory_equal(p->scripts[i], "// SPDX", 7);
		assert_null(strstr(p->scripts[i], "</script"));
		assert_null(strstr(p->scripts[i], "innerHTML"));
	}
}

static void test_parts(void **state)
{
	(void)state;
	check_page(&html_report);
	check_page(&html_diff);
}

/* The JSON in the script element with the id "data". */
static cJSON *data_of(const char *page)
{
	static const char begin[] = "<script type=\"application/json\" id=\"data\">";
	const char *at = strstr(page, begin);

	assert_non_null(at);
	cJSON *root = cJSON_Parse(at + strlen(begin));
	assert_non_null(root);
	return root;
}

static void test_page(void **state)
{
	(void)state;
	struct report_fixture f;
	char *page = NULL;
	size_t len;

	report_fixture_init(&f);
	FILE *out = open_memstream(&page, &len);
	assert_non_null(out);
	assert_int_equal(render_html(out, &f.report), 0);
	fclose(out);
	cJSON *root = data_of(page);
	const cJSON *contexts = cJSON_GetObjectItem(root, "contexts");
	for (const cJSON *c = contexts->child; c; c = c->next)
		if (strcmp(c->string, "parts") != 0 && cJSON_GetArraySize(c) != FIXTURE_ROWS)
			fail_msg("%s: %d values", c->string, cJSON_GetArraySize(c));
	const cJSON *theta = cJSON_GetObjectItem(contexts, "theta");
	assert_float_equal(theta->child->valuedouble, 307.0 / 312, 1e-6);
	const cJSON *group = cJSON_GetObjectItem(contexts, "group");
	assert_true(cJSON_IsNull(cJSON_GetArrayItem(group, 2))); /* not measured */
	const cJSON *strings = cJSON_GetObjectItem(root, "strings");
	const cJSON *classes = cJSON_GetObjectItem(contexts, "class");
	assert_string_equal(cJSON_GetArrayItem(strings, classes->child->valueint)->valuestring,
			    "com.acme.Point");
	const cJSON *nodes = cJSON_GetObjectItem(root, "nodes");
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(nodes, "parent")),
			 cJSON_GetArraySize(cJSON_GetObjectItem(nodes, "frame")));
	cJSON_Delete(root);
	free(page);
	report_fixture_release(&f);
}

int unit_intern(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts), cmocka_unit_test(test_stacks),
		cmocka_unit_test(test_lines), cmocka_unit_test(test_unread),
		cmocka_unit_test(test_many),  cmocka_unit_test(test_parts),
		cmocka_unit_test(test_page),
	};

	return cmocka_run_group_tests_name("intern", tests, NULL, NULL);
}
