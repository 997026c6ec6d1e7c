/* SPDX-License-Identifier: Apache-2.0 */
/*
 * analyses.h - the table of the analyses. Adding one adds a folder and a row; docs/architecture.md
 * says more.
 */
#ifndef OJX_ANALYSES_H
#define OJX_ANALYSES_H

#include "model/analysis.h"

/* At most ANALYSES_MAX; ends with NULL. */
extern const struct analysis *const analyses[];

/* Fills in what the agents are told: the flags, and which pairs to look for. */
void analyses_configure(struct wire_config *config, const struct analysis_needs *needs);

#endif
