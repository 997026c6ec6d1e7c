/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fail.h - conditions by which a build fails: --fail-if.
 */
#ifndef OJX_FAIL_H
#define OJX_FAIL_H

#include "options.h"
#include "report/condition.h"

/* Parses the arguments of `option` on what these analyses find. 0, or -1 after a message. */
int fail_parse(struct conditions *conditions, const struct analysis *const *analyses,
	       const char *option, const struct option_list *texts, enum condition_use use);

/* Reports the conditions that hold, and for which lines; returns their number. */
size_t fail_report(const struct conditions *conditions, const struct rows *rows,
		   const struct findings *findings, const struct cell_context *ctx);
size_t fail_diff(const struct conditions *conditions, const struct diff *d,
		 const struct cell_context *ctx);

#endif
