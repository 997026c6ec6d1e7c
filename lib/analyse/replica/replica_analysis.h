/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replica_analysis.h - object replicas as a row of the table of analyses. Its evidence is the
 * model's own, and what it finds are the rows of a report; see replica.h.
 */
#ifndef OJX_REPLICA_ANALYSIS_H
#define OJX_REPLICA_ANALYSIS_H

#include "model/analysis.h"

extern const struct analysis replica_analysis;

#endif
