/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report_fixture.h - a small report made by hand: model, rows and figures, for the renderers'
 * tests.
 *
 * The figures are set, not computed, so that a renderer's output does not depend on the analysis.
 * Rows, in this order:
 *
 *	0  com.acme.Point, made in ArrayList on behalf of com.acme.Shop; a replica by the watch; one
 *	   field differs at times; used at six places
 *	1  byte[], known by the scan alone; elements alike at both ends; the stack is cut
 *	2  com.acme.Señor, three pairs only; nothing else measured
 */
#ifndef OJX_TEST_REPORT_FIXTURE_H
#define OJX_TEST_REPORT_FIXTURE_H

#include "render/metrics.h"
#include "render/render.h"

enum { FIXTURE_ROWS = 3 };

struct report_fixture {
	struct model *model;
	struct rows rows;
	struct recording recording;
	struct metrics metrics;
	struct report report;
};

/* Sets up; ends the test if out of memory. Sets TZ to UTC and LC_CTYPE to C.UTF-8. */
void report_fixture_init(struct report_fixture *f);
void report_fixture_release(struct report_fixture *f);

/* The text that the renderer writes, allocated. */
char *report_fixture_text(const struct report_fixture *f, const struct style *s);
char *report_fixture_json(const struct report_fixture *f);

#endif
