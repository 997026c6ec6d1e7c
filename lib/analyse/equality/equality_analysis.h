/* SPDX-License-Identifier: Apache-2.0 */
/* equality_analysis.h - equality of the objects of a class, as an analysis. */
#ifndef OJX_EQUALITY_ANALYSIS_H
#define OJX_EQUALITY_ANALYSIS_H

#include "model/analysis.h"

extern const struct analysis equality_analysis;

#endif
