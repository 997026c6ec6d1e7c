/* SPDX-License-Identifier: Apache-2.0 */
/* analyses.c - see analyses.h. */
#include "analyse/analyses.h"

#include "analyse/equality/equality_analysis.h"
#include "analyse/lifetime/lifetime_analysis.h"
#include "analyse/locality/locality_analysis.h"
#include "analyse/replica/replica.h"
#include "analyse/waste/waste_analysis.h"

const struct analysis *const analyses[] = {
	&replica_analysis,  &waste_analysis,	&locality_analysis,
	&lifetime_analysis, &equality_analysis, NULL,
};

void analyses_configure(struct wire_config *config, const struct analysis_needs *needs)
{
	config->flags |= needs->flags;
	config->waste = needs->pairs;
}
