/* SPDX-License-Identifier: Apache-2.0 */
/* advice_fixture.h - rows for tests of advice, and what the rules say about them. */
#ifndef OJX_TEST_ADVICE_FIXTURE_H
#define OJX_TEST_ADVICE_FIXTURE_H

#include "fix/advice.h"
#include "objects.h"

#define OWN "com.acme.Shop.load"

/* A row as the analysis makes it: "Class.method" frames, innermost first. */
struct advice_made {
	const char *class_name;
	enum replica_verdict verdict;
	const char *frames[5];
};

enum { FIELDS = 3 };

struct advice_fixture {
	struct objects objects;
	struct model_frame frames[8];
	char names[8][64];
	struct model_context *context;
	struct row row;
	struct replica_details details; /* of the row */
};

/*
 * Makes the row. Some of its bytes are certainly saved, unless its verdict says the contrary. End
 * with objects_release(&f->objects).
 */
void advice_row(struct advice_fixture *f, const struct advice_made *made);

/* What the rules say about it, "" for nothing; allocated. */
char *advice_say(struct advice_fixture *f, char rule[32]);

/*
 * Check which rule is used ("" for none), and what its sentences contain. Both release the objects.
 */
void assert_rule(const struct advice_made *made, const char *rule, const char *problem);
void assert_found(struct advice_fixture *f, const char *rule, const char *problem);

#endif
