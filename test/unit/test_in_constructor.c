/* SPDX-License-Identifier: Apache-2.0 */
/* Uses by the object's own constructor are recognised. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyse/replica/pairing.h"
#include "analyse/replica/stability.h"
#include "analyse/replica/stability_contents.h"
#include "model_fixture.h"

enum { SITE = 1, OWN, OTHER, METHOD, UNKNOWN, BASE };

/* Objects of class Foo, and stacks whose innermost frames are of different methods. */
static const struct model_context *plant(struct fixture *f)
{
	build_site(&f->b, SITE, "LFoo;", "LMaker;", "make", 3);
	build_site(&f->b, OWN, "LFoo;", "LFoo;", "<init>", 4);
	build_site(&f->b, OTHER, "LFoo;", "LBar;", "<init>", 5);
	build_site(&f->b, METHOD, "LFoo;", "LFoo;", "get", 6);
	/* the method of a superclass's constructor, called from it */
	struct wire_frame frames[] = { { .method = METHOD },
				       { .method = OTHER },
				       { .method = OWN } };
	build_stack(&f->b, BASE, 0, frames, 3);
	feed(f, 1);
	return context_of(f, 1, SITE);
}

static void whose_constructor(void **state)
{
	const struct model_context *c = plant(*state);

	assert_true(in_constructor_use(c, &(struct model_use){ .access = OWN }));
	assert_false(in_constructor_use(c, &(struct model_use){ .access = OTHER }));
	assert_true(in_construction(c, &(struct model_use){ .access = OWN }));
	assert_false(in_construction(c, &(struct model_use){ .access = OTHER }));
	assert_false(in_construction(c, &(struct model_use){ .access = UNKNOWN }));
	assert_false(in_constructor_use(c, &(struct model_use){ .access = BASE }));
	assert_true(in_construction(c, &(struct model_use){ .access = BASE }));
	assert_false(in_constructor_use(c, &(struct model_use){ .access = METHOD }));
	assert_false(in_constructor_use(c, &(struct model_use){ .access = UNKNOWN }));
}

/* Twenty objects end as 1; two uses saw 2. */
static void what_lasts(void **state)
{
	static const uint32_t by[] = { OWN, METHOD };
	struct fixture *f = *state;

	plant(f);
	for (uint32_t i = 0; i < 20; i++) {
		struct wire_snapshot snapshot = {
			.context = SITE, .content = 1, .weight = 1, .ticket = i
		};
		build_snapshot(&f->b, &snapshot, NULL, 0);
	}
	for (uint32_t i = 0; i < 2; i++) {
		struct wire_use use = {
			.context = SITE, .content = 2, .weight = 1, .ticket = i, .access = by[i]
		};
		build_use(&f->b, &use);
	}
	feed(f, 1);
	struct model_context *c = (struct model_context *)context_of(f, 1, SITE);
	struct stability_contents l;
	stability_contents_count(&l, &c, 1);
	assert_int_equal(l.uses, 1);
	assert_int_equal(l.lasted, 0);
}

/*
 * The constructor uses both fields; what its barrier loads from the reference field is compared
 * with nothing.
 */
static void what_is_paired(void **state)
{
	static const struct build_field fields[] = { { "x", NULL, 'I', 12 },
						     { "next", NULL, 'L', 16 } };
	struct fixture *f = *state;
	struct rng rng = { 1 };
	struct pairs pairs;

	build_class(&f->b, SITE, "LFoo;", fields, 2);
	plant(f);
	for (uint32_t i = 0; i < 40; i++) {
		struct wire_use use = {
			.context = SITE,
			.content = 1,
			.weight = 1,
			.ticket = i,
			.position = i % 2,
			.access = i % 4 < 2 ? OWN : METHOD,
		};
		build_use(&f->b, &use);
	}
	feed(f, 1);
	const struct model_context *c = context_of(f, 1, SITE);
	assert_int_equal(c->nuses, 40);
	pairing_uses(&pairs, c, &rng);
	assert_int_equal(pairs.n, 15);
	for (size_t i = 0; i < pairs.n; i++) {
		const struct model_use *x = c->uses[pairs.pair[i].first];
		assert_true(x->position == 0 || x->access == METHOD);
	}
	pairs_release(&pairs);
}

int unit_in_constructor(void)
{
	const struct CMUnitTest tests[] = { TEST(whose_constructor), TEST(what_lasts),
					    TEST(what_is_paired) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
