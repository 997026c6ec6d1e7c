/* SPDX-License-Identifier: Apache-2.0 */
/*
 * same_model.h - whether the reader of a file knows what its writer knew; after cmocka.h.
 *
 * And a stream of events to try that with: several JVMs and contexts, enough evidence that much of
 * it is thinned out.
 */
#ifndef OJX_TEST_SAME_MODEL_H
#define OJX_TEST_SAME_MODEL_H

#include "builder.h"

/* Fails the test unless all that model.h lets one see is the same. Sums of weights may differ by
 * rounding, as the reader adds them up in another order. */
void assert_same_model(const struct model *a, const struct model *b);

/* Definitions of contexts 1..n. */
void build_sites(struct builder *b, uint32_t n);

/* Event number `i` of a stream over contexts 0..contexts: an allocation, look, use or unused. */
void build_event(struct builder *b, uint64_t i, uint32_t contexts);

#endif
