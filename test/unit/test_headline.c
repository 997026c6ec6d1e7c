/* SPDX-License-Identifier: Apache-2.0 */
/* test_headline.c - the first sentence of a report, and the collections that its fixes avoid. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memtext.h"
#include "model_fixture.h"
#include "render/render.h"
#include "render/render_fix.h"

#define MS UINT64_C(1000000)

struct jvm {
	const char *version, *gc; /* NULL: there is no such JVM */
	uint32_t flags;
	uint64_t collections, pauses, paused_ns, wall_ns;
};

static const char *const shop[] = { "java", "-Xmx1g", "com.acme.Shop", "secret", NULL };
static const char *const jar[] = { "/usr/bin/java", "-jar", "/srv/shop.jar", NULL };
static const char *const maven[] = { "/opt/mvn", "test", NULL };
static const char *const file[] = { "java", "@options", NULL };

static const struct jvm g1 = { "17.0.15+6", "G1",      WIRE_JVM_COLLECTIONS, 214, 230,
			       310 * MS,    10000 * MS };
static const struct jvm z = { "25.0.1+8-LTS", "Z", 0, 0, 62, 10 * MS, 10000 * MS };
static const struct jvm idle = { "25", "G1", WIRE_JVM_COLLECTIONS, 0, 0, 0, 10000 * MS };
static const struct jvm one = { "25-ea", "Serial", WIRE_JVM_COLLECTIONS, 1, 1, MS, 10000 * MS };
static const struct jvm marked = { "17", "G1", WIRE_JVM_COLLECTIONS, 0, 2, 50 * MS, 10000 * MS };
static const struct jvm epsilon = { "17", "Epsilon", 0, 0, 0, 0, 10000 * MS };
static const struct jvm unmeasured = { "17", "G1", WIRE_JVM_COLLECTIONS, 0, 0, 0, 0 };
static const struct jvm unknown = { "", "", 0, 0, 0, 0, 0 };

static const struct {
	const char *const *command; /* NULL: not recorded */
	const struct jvm *jvm[3];
	const char *text; /* behind the bytes and the time */
} rows[] = {
	{ shop, { &g1 }, "com.acme.Shop (JDK 17, G1): 214 collections, pauses 3.1 % of the time" },
	{ jar, { &z }, "shop.jar (JDK 25, Z): 62 pauses, 0.1 % of the time" },
	{ shop, { &idle }, "com.acme.Shop (JDK 25, G1): no collection" },
	{ maven, { &one }, "mvn (JDK 25, Serial): 1 collection, pauses <0.1 % of the time" },
	/* pauses that only mark are none */
	{ shop,
	  { &marked },
	  "com.acme.Shop (JDK 17, G1): no collection, pauses 0.5 % of the time" },
	{ shop, { &epsilon }, "com.acme.Shop (JDK 17, Epsilon): no pause" },
	{ shop, { &unmeasured }, "com.acme.Shop (JDK 17, G1)" },
	{ file, { &unknown }, "process 101" },
	{ NULL, { &unknown }, "process 101" },
	{ shop, { NULL }, "com.acme.Shop" },
	/* the pauses are those of one JVM on average */
	{ maven, { &g1, &g1 }, "2 JVMs (JDK 17, G1): 428 collections, pauses 3.1 % of the time" },
	{ maven, { &g1, &idle }, "2 JVMs (G1): 214 collections, pauses 1.6 % of the time" },
	{ maven, { &idle, &z }, "2 JVMs (JDK 25): 62 pauses, <0.1 % of the time" },
	{ maven, { &g1, &unmeasured, &z }, "3 JVMs: 292 pauses, 1.6 % of the time" },
};

static void add_jvm(struct fixture *f, uint32_t number, const struct jvm *jvm)
{
	build_jvm(&f->b, 100 + (int32_t)number, 0, "OpenJDK 64-Bit Server VM", jvm->version,
		  jvm->gc)
		->flags = jvm->flags;
	build_status(&f->b, &(struct file_status){ .collections = jvm->collections,
						   .epochs = jvm->pauses,
						   .paused_ns = jvm->paused_ns,
						   .wall_ns = jvm->wall_ns });
	feed(f, number);
}

/* Allocated. */
static char *headline(struct fixture *f, const struct recording *narrowed)
{
	const struct style style = { .utf8 = true };
	const struct file_header header = { .start_unix_ns = 1 };
	struct recording recording;
	struct memtext text;

	recording_collect(&recording, f->m, &header, 39000000000u);
	recording.is_part = narrowed->is_part;
	recording.thread_glob = narrowed->thread_glob;
	const struct report report = { .recording = &recording };
	assert_non_null(memtext_begin(&text));
	render_headline(text.in, &report, &style);
	char *result = memtext_end(&text);
	assert_non_null(result);
	return result;
}

static void assert_says(struct fixture *f, const struct recording *narrowed, const char *before,
			const char *behind)
{
	char *text = headline(f, narrowed), want[200];

	snprintf(want, sizeof want, "%s%s", before, behind);
	assert_string_equal(text, want);
	free(text);
}

static void test_rows(void **state)
{
	const struct recording whole = { .is_part = false };

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		void *of_row;
		assert_int_equal(setup(&of_row), 0);
		struct fixture *f = of_row;
		if (rows[i].command) {
			build_command(&f->b, rows[i].command);
			feed(f, 0);
		}
		for (uint32_t k = 0; k < 3 && rows[i].jvm[k]; k++)
			add_jvm(f, k + 1, rows[i].jvm[k]);
		assert_says(f, &whole, "39.0 s of ", rows[i].text);
		/* of two contexts, whatever rows a report has */
		build_site(&f->b, 1, "Lcom/acme/Point;", "Lcom/acme/Shop;", "run", 12);
		build_count(&f->b, 1, 0, 32, 10, 1 << 15);
		build_site(&f->b, 2, "Lcom/acme/Order;", "Lcom/acme/Shop;", "run", 13);
		build_count(&f->b, 2, 0, 64, 10, 1 << 15);
		feed(f, 1);
		assert_says(f, &whole, "3.0 MB allocated in 39.0 s by ", rows[i].text);
		teardown(&of_row);
	}
}

/* A part of a recording: how much of the pauses it has is not known. */
static void test_parts(void **state)
{
	const struct recording part = { .is_part = true }, threads = { .thread_glob = "worker*" };
	struct fixture *f = *state;

	build_command(&f->b, shop);
	feed(f, 0);
	add_jvm(f, 1, &g1);
	assert_says(f, &part, "39.0 s of ", "com.acme.Shop (JDK 17, G1)");
	assert_says(f, &threads, "39.0 s of threads 'worker*' of ", rows[0].text);
}

static void test_nothing(void **state)
{
	const struct recording whole = { .is_part = false };

	assert_says(*state, &whole, "39.0 s of ", "an unknown program");
}

/* ---- collections --------------------------------------------------------------------------- */

static void assert_fewer(struct fixture *f, const char *thread_glob, const char *want)
{
	const struct file_header header = { .start_unix_ns = 1 };
	struct model_context of[] = { { .jvm = 1 }, { .jvm = 2 } };
	struct model_context *contexts[] = { &of[0], &of[1] };
	static const struct row row;
	static struct advice advice;
	struct fix_part part[] = {
		{ .row = &row, .advice = &advice, .contexts = &contexts[0], .ncontexts = 1 },
		{ .row = &row, .advice = &advice, .contexts = &contexts[1], .ncontexts = 1 },
	};
	struct fix fix[] = {
		{ .pid = 101, .expected = 2 << 20, .part = &part[0], .nparts = 1 },
		{ .pid = 102, .expected = 1, .part = &part[1], .nparts = 1 },
	};
	/* the report selects half of what the first JVM allocates */
	const struct fixes fixes = { .fix = fix, .n = 2, .gains = 2, .bytes = 2 << 20 };
	struct recording recording;
	struct memtext text;

	recording_collect(&recording, f->m, &header, 39000000000u);
	recording.thread_glob = thread_glob;
	const struct report report = { .recording = &recording, .fixes = &fixes };
	fixes_put_sum(memtext_begin(&text), &report, 1);
	char *sum = memtext_end(&text);
	const char *fewer = strstr(sum, ", about ");
	if (want)
		assert_memory_equal(fewer, want, strlen(want));
	else
		assert_null(fewer);
	free(sum);
}

/* Of the JVM of the fix, by its share of all that this JVM allocates. */
static void test_fewer(void **state)
{
	struct fixture *f = *state;

	for (uint32_t jvm = 1; jvm <= 2; jvm++) {
		add_jvm(f, jvm, &g1);
		build_site(&f->b, 1, "Lcom/acme/Point;", "Lcom/acme/Shop;", "run", 12);
		build_count(&f->b, 1, 0, 32, 10, 1 << 17);
		feed(f, jvm);
	}
	assert_fewer(f, NULL, ", about 107 fewer collections; all");
	assert_fewer(f, "worker*", NULL);
}

int unit_headline(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		TEST(test_parts),
		TEST(test_nothing),
		TEST(test_fewer),
	};

	return cmocka_run_group_tests_name("headline", tests, NULL, NULL);
}
