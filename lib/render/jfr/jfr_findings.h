/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jfr_findings.h - figures (finding.h) as fields of events. A number with an interval is three
 * fields: theta, thetaLow, thetaHigh.
 *
 * Bytes and other numbers are double, shares are float, seconds are nanoseconds in a long: so
 * readers show their units. What was not measured, or has no end, is NaN; of seconds it is the
 * smallest long. Readers of the JDK show both as "N/A".
 */
#ifndef OJX_JFR_FINDINGS_H
#define OJX_JFR_FINDINGS_H

#include "model/finding.h"
#include "render/jfr/jfr_chunk.h"

/* Adds the fields of a figure to a type. Paths are no field. */
void jfr_figure_fields(struct jfr_types *types, struct jfr_type *type, const struct figure *f);

/*
 * Adds the values of the same fields; shares from fewer than `least` pairs are not known, and
 * intervals have the quantile `z`. Not for stacks.
 */
void jfr_figure_values(struct jfr_chunk *c, const struct figure *f, const void *of, double z,
		       double least);

#endif
