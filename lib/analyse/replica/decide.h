/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decide.h - the verdict of a row: measures the spread of its snapshots and uses over contents
 * (spread.h), and applies the rule (verdict.h).
 *
 * Contents of all contexts of a row are compared with each other. Weights are bytes.
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
	const bool *change; /* see observations_list_snapshots */
	bool deep;	    /* use deep contents; uses do not show them */
	const struct stability *unchanged;
	bool constant; /* see verdict.h */
	bool identity;
	bool referred;
	double equal_low;		       /* as in verdict.h */
	double values_low;		       /* as in verdict.h; NAN: not measured */
	const struct replica_options *options; /* figures that they leave out stay NAN */
};

void decide_measure(struct replica_decision *d, const struct decide_input *in);

#endif
