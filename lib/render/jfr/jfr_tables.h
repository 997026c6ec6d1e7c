/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jfr_tables.h - tables of figures (finding.h) as events: a row is an event, and a figure a field.
 * A number with an interval is three fields: theta, thetaLow, thetaHigh.
 *
 * Bytes and other numbers are double, shares are float, seconds are nanoseconds in a long: so
 * readers show their units. What was not measured, or has no end, is NaN; of seconds it is the
 * smallest long. Readers of the JDK show both as "N/A".
 */
#ifndef OJX_JFR_TABLES_H
#define OJX_JFR_TABLES_H

#include "model/finding.h"
#include "render/jfr/jfr_chunk.h"
#include "render/render.h"

/* The category of all own events, and the prefix of their names. */
#define JFR_OWN "ojx"

enum { JFR_LISTS = 3 };

/* Events of one type, of which `like` says all but the fields. */
struct jfr_events {
	struct jfr_type like;
	const struct jfr_field *first[JFR_LISTS]; /* before the figures; end with words NULL */
	const struct figure *figures;		  /* end with name NULL; may be NULL */
	bool (*has)(const struct figure *f);	  /* whether a figure is a field; NULL: all are */
	const struct jfr_field *last;		  /* after the figures, like `first` */
	const struct jfr_type *type;		  /* NULL until the first event */
};

/* Of `has`: figures with FIGURE_PAGE, and with FIGURE_LINES. */
bool jfr_has_page(const struct figure *f);
bool jfr_has_lines(const struct figure *f);

/*
 * Begin an event, and add its figures. The caller adds the fields that come first and last, and
 * ends the event. `stack`: see jfr_pools_stack. `row` has the stacks that are figures, and is NULL
 * if there are none. Shares from fewer than `least` pairs are not known, and intervals have the
 * quantile `z`.
 */
void jfr_events_begin(struct jfr_chunk *c, struct jfr_events *e, uint32_t stack);
void jfr_events_figures(struct jfr_chunk *c, const struct jfr_events *e, const void *of,
			const struct finding_row *row, double z, double least);

/* Adds the values of a figure; of stacks and paths none. `z` and `least`: as above. */
void jfr_figure_values(struct jfr_chunk *c, const struct figure *f, const void *of, double z,
		       double least);

/* Adds what the other analyses found, by the keys of docs/json.md. */
void jfr_add_findings(struct jfr_chunk *c, const struct report *r);

#endif
