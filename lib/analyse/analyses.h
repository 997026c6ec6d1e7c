/* SPDX-License-Identifier: Apache-2.0 */
/*
 * analyses.h - the table of the analyses. Adding one adds a folder and a row; docs/architecture.md
 * says more.
 */
#ifndef OJX_ANALYSES_H
#define OJX_ANALYSES_H

#include "model/analysis.h"

/* Ends with NULL; ANALYSES_MAX at most. */
extern const struct analysis *const analyses[];

/* Fills in what the agents are told of the needs: flags, and which pairs to look for. */
void analyses_configure(struct wire_config *config, const struct analysis_needs *needs);

#endif
