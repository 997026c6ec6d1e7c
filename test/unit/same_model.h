/* SPDX-License-Identifier: Apache-2.0 */
/*
 * same_model.h - checks that the reader of a file knows what its writer knew; include it after
 * cmocka.h.
 *
 * It also provides a stream of events for that: several JVMs and contexts, and so much evidence
 * that most of it is downsampled away.
 */
#ifndef OJX_TEST_SAME_MODEL_H
#define OJX_TEST_SAME_MODEL_H

#include "builder.h"

/*
 * Fails the test unless everything that model.h shows is the same. Sums of weights may differ by
 * rounding, since the reader adds them in another order.
 */
void assert_same_model(const struct model *a, const struct model *b);

/* Definitions of contexts 1..n. */
void build_sites(struct builder *b, uint32_t n);

/*
 * Event number `i` of a stream over contexts 0..contexts: an allocation, snapshot, use or unused.
 */
void build_event(struct builder *b, uint64_t i, uint32_t contexts);

#endif
