/* SPDX-License-Identifier: Apache-2.0 */
/* render_heap.h - writes what a heap dump tells. */
#ifndef OJX_RENDER_HEAP_H
#define OJX_RENDER_HEAP_H

#include <stdio.h>

#include "base/style.h"
#include "fix/other_findings.h"
#include "heapdump/heap_compare.h"

struct render_heap {
	const char *version; /* of ojx */
	const char *path;    /* of the dump */
	const struct heap_report *report;
	bool limited;		     /* findings, with the rows that are to be shown */
	size_t told;		     /* of each, so many are told with what to do */
	const struct others *others; /* what is to be done about them; NULL: nothing is said */
	/* if two dumps are compared: shown instead; `path` is the newer one */
	const struct heap_compare *compare; /* NULL: there is one */
	const char *old_path;
};

/* 0, or -1 with errno if out of memory or the stream failed. */
int render_heap_text(FILE *out, const struct render_heap *r, const struct style *s);
int render_heap_json(FILE *out, const struct render_heap *r);
/* The classes, or how they changed. */
int render_heap_csv(FILE *out, const struct render_heap *r);
int render_heap_markdown(FILE *out, const struct render_heap *r);
/* A page for a browser, as docs/html.md says. */
int render_heap_html(FILE *out, const struct render_heap *r);

#endif
