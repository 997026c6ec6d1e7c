/* SPDX-License-Identifier: Apache-2.0 */
/* lifetime_analysis.h - lifetimes of objects as a row of the table of analyses. */
#ifndef OJX_LIFETIME_ANALYSIS_H
#define OJX_LIFETIME_ANALYSIS_H

#include "model/analysis.h"

extern const struct analysis lifetime_analysis;

#endif
