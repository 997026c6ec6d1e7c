/* SPDX-License-Identifier: Apache-2.0 */
/* fix_fixture.h - known allocations, and what is found of them; include it after cmocka.h. */
#ifndef OJX_TEST_FIX_FIXTURE_H
#define OJX_TEST_FIX_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include "analyse/analyses.h"
#include "builder.h"
#include "fix/fix.h"

enum { FRAMES = 6, SIZE = 24 };

struct fixture {
	struct model *model;
	struct builder b;
	struct rows lines;
	struct fixes fixes;
	uint32_t contexts, length; /* of arrays that are allocated */
	uint64_t methods;
	uint64_t samples; /* of each context */
};

static inline int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	assert_non_null(f);
	f->model = model_new(analyses);
	assert_non_null(f->model);
	f->length = 1;
	f->samples = 100;
	build_jvm(&f->b, 4711, 0, "", "", "");
	*state = f;
	return 0;
}

static inline int teardown(void **state)
{
	struct fixture *f = *state;

	fixes_release(&f->fixes);
	rows_release(&f->lines);
	builder_release(&f->b);
	model_free(f->model);
	free(f);
	return 0;
}

/* A frame as "Ljava/util/HashMap; put 12". */
static inline uint64_t add_frame(struct fixture *f, const char *text)
{
	char class_name[64], method[64];
	unsigned line;

	assert_int_equal(sscanf(text, "%63s %63s %u", class_name, method, &line), 3);
	const struct wire_line lines[] = { { .bci = 0, .line = (uint16_t)line } };
	build_method(&f->b, ++f->methods, class_name, method, "Test.java", lines, 1);
	return f->methods;
}

/* Objects of a class, made on a stack of such frames, innermost first. Returns the context. */
static inline uint32_t allocate(struct fixture *f, const char *signature, double objects,
				const char *const frames[FRAMES])
{
	struct wire_frame stack[FRAMES];
	uint32_t id = ++f->contexts;
	uint16_t n = 0;

	for (; n < FRAMES && frames[n]; n++)
		stack[n] = (struct wire_frame){ .method = add_frame(f, frames[n]) };
	build_stack(&f->b, id, 0, stack, n);
	const struct build_field pattern[] = { { "pattern", NULL, 'L', 12 } };
	const struct build_field map[] = { { "size", NULL, 'I', 12 },
					   { "modCount", NULL, 'I', 16 } };
	const bool is_map = strstr(signature, "Map;") != NULL;
	struct wire_class *class = build_class(&f->b, id, signature, is_map ? map : pattern,
					       is_map ? 2 : *signature == 'L');
	if (strstr(signature, "Mutable;")) /* its first field can be assigned again */
		((struct wire_field *)((char *)(class + 1) + wire_pad(strlen(signature))))->flags =
			0;
	build_context(&f->b, id, id, id);
	build_count(&f->b, id, f->length, SIZE, f->samples, objects);
	return id;
}

#define ALLOCATE(f, signature, objects, ...) \
	allocate(f, signature, objects, (const char *const[FRAMES]){ __VA_ARGS__ })

/* A snapshot of an object, with the value of its only field. */
static inline void look(struct fixture *f, uint32_t context, uint32_t value, unsigned flags)
{
	const struct wire_snapshot s = { .context = context,
					 .array_length = 1,
					 .content = value,
					 .weight = 1,
					 .ticket = value,
					 .flags = (uint16_t)flags };

	build_snapshot(&f->b, &s, &value, 1);
}

static inline const struct fix *find_in(struct fixture *f, bool lazy)
{
	const struct rows_options o = { .grouping = ROWS_BY_LINE,
					.replica = REPLICA_OPTIONS_INIT,
					.lazy = lazy };

	assert_int_equal(builder_feed(&f->b, f->model, 1), 0);
	rows_make(&f->lines, f->model, &o);
	fixes_find(&f->fixes, &f->lines, f->model, o.replica.confidence);
	return f->fixes.fix;
}

static inline const struct fix *find(struct fixture *f)
{
	return find_in(f, false);
}

static inline void assert_fix(const struct fix *fix, const char *rule, enum advice_kind kind,
			      double objects)
{
	assert_string_equal(fix_name(fix), rule);
	assert_int_equal(fix->kind, kind);
	assert_float_equal(fix->expected, objects * SIZE, 1e-6);
}

#define OWN	"Lcom/acme/Shop; load 49"
#define NEXT	"Lcom/acme/Shop; load 50"
#define FORMAT	"Ljava/lang/String; format 1"
#define COMPILE "Ljava/util/regex/Pattern; compile 1"
#define SPLIT	"Ljava/lang/String; split 1"
#define HELPERS "Ljava/util/Formatter; parse 1"

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
