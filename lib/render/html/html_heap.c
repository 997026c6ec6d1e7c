/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_heap.c - see render_heap.h: a heap dump, or how two differ, as a page. It has the tables of
 * the findings, as the pages of other analyses do, and no rows of contexts.
 */
#include "base/json_put.h"
#include "model/intern.h"
#include "render/html/html_findings.h"
#include "render/html/html_page.h"
#include "render/html/html_tables.h"
#include "render/render_heap.h"

static void put_dump(FILE *out, const char *path, const struct heap_report *r)
{
	char note[HEAP_NOTE];

	fputs("{\"file\":", out);
	json_put_text(out, path);
	fputs(",\"objects\":", out);
	json_put_whole(out, r->heap.n);
	fputs(",\"bytes\":", out);
	json_put_whole(out, r->merge.total.bytes);
	fprintf(out, ",\"header_bytes\":%u,\"reference_bytes\":%u,\"notes\":[",
		r->heap.layout.header, r->heap.layout.reference);
	for (unsigned i = 0; heap_report_note(r, i, note); i++) {
		if (i)
			putc(',', out);
		json_put_text(out, note);
	}
	fputs("]}", out);
}

static int put_data(FILE *out, const void *of)
{
	const struct render_heap *r = of;
	const struct findings *all = r->compare ? &r->compare->findings : &r->report->findings;
	struct intern intern;

	intern_init(&intern);
	fputs("<script type=\"application/json\" id=\"data\">\n{\"version\":", out);
	json_put_text(out, r->version);
	fputs(",\"shown\":0,\"contexts\":{},\n\"dumps\":[", out);
	if (r->compare) {
		put_dump(out, r->old_path, r->compare->old);
		putc(',', out);
	}
	put_dump(out, r->path, r->report);
	putc(']', out);
	int result = html_put_findings(out, all, r->compare ? heap_compare_analyses : heap_analyses,
				       &intern);
	if (result == 0)
		result = html_put_tables(out, &intern, NULL);
	fputs("}\n</script>\n", out);
	intern_release(&intern);
	return result;
}

int render_heap_html(FILE *out, const struct render_heap *r)
{
	return html_put_page(out, &html_heap, put_data, r);
}
