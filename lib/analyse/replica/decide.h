/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decide.h - the verdict of a row: its looks and uses as spreads of contents (spread.h), and the
 * rule (verdict.h) on these.
 *
 * Contents of all contexts of a row are compared with each other. Weights are of bytes.
 */
#ifndef OJX_DECIDE_H
#define OJX_DECIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "analyse/replica/replica_result.h"
#include "analyse/replica/stability.h"
#include "model/model.h"

struct decide_input {
	struct model_context *const *contexts;
	size_t n;
	bool deep; /* contents with what they refer to, which uses do not show */
	const struct stability *unchanged;
	bool constant; /* see verdict.h */
	bool identity;
	bool referred;
	double equal_low;  /* as in verdict.h */
	double values_low; /* as in verdict.h; NAN: not measured */
	bool live;
	bool summary; /* the verdict alone: bounds and what is missing stay NAN */
};

/* 0, or -1 where memory lacks. */
int decide_measure(struct replica_decision *d, const struct decide_input *in);

#endif
