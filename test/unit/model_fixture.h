/* SPDX-License-Identifier: Apache-2.0 */
/* model_fixture.h - a model and a builder for each test of the model; include it after cmocka.h. */
#ifndef OJX_TEST_MODEL_FIXTURE_H
#define OJX_TEST_MODEL_FIXTURE_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/analyses.h"
#include "builder.h"

struct fixture {
	struct model *m;
	struct builder b;
};

static inline int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	*state = f;
	f->m = model_new(analyses);
	return f->m ? 0 : -1;
}

static inline int teardown(void **state)
{
	struct fixture *f = *state;

	model_free(f->m);
	builder_release(&f->b);
	free(f);
	return 0;
}

/* Feeds the records built so far, all of which are valid. */
static inline void feed(struct fixture *f, uint32_t jvm)
{
	assert_int_equal(builder_feed(&f->b, f->m, jvm), 0);
}

/* Feeds the one record built; returns the model's answer. */
static inline enum model_fed feed_one(struct fixture *f, uint32_t jvm)
{
	const struct wire_rec *rec = builder_next(&f->b, NULL);

	errno = 0;
	enum model_fed fed = model_feed(f->m, jvm, rec, rec->len);
	f->b.len = 0;
	return fed;
}

static inline void assert_bad(struct fixture *f)
{
	assert_int_equal(feed_one(f, 1), MODEL_BAD);
	assert_int_equal(errno, EBADMSG);
}

static inline const struct model_context *context_of(const struct fixture *f, uint32_t jvm,
						     uint32_t id)
{
	for (size_t i = 0; i < model_ncontexts(f->m); i++) {
		const struct model_context *c = model_context(f->m, i);
		if (c->jvm == jvm && c->id == id)
			return c;
	}
	return NULL;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
