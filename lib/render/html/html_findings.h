/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_findings.h - part of html_data.h: what was found beside contexts of replicas.
 */
#ifndef OJX_HTML_FINDINGS_H
#define OJX_HTML_FINDINGS_H

#include <stdio.h>

#include "model/intern.h"
#include "render/render.h"

/* Writes the member "analyses" behind a comma. 0, or -1 if out of memory. */
int html_put_findings(FILE *out, const struct report *r, struct intern *t);

#endif
