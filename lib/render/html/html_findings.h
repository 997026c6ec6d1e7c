/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_findings.h - what analyses have found, as a part of a page's data.
 */
#ifndef OJX_HTML_FINDINGS_H
#define OJX_HTML_FINDINGS_H

#include "base/json_text.h"
#include "fix/others.h"
#include "model/finding.h"
#include "model/intern.h"

/*
 * Adds the member "analyses": of `f`, which may be NULL, what these analyses have
 * found, in their order; the list ends with NULL. 0, or -1 if out of memory.
 * `others`: what is to be done about the findings; `m`: for their callers, NULL: there are none; z:
 * quantile of the intervals.
 */
int html_put_findings(struct json_text *t, const struct findings *f, const struct others *others,
		      const struct model *m, double z, const struct analysis *const *analyses,
		      struct intern *in);

#endif
