/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_jfr.c - a report as a recording of JDK Flight Recorder, for JDK Mission Control, the JDK's
 * `jfr`, and what else reads such files. docs/exports.md describes its events.
 */
#include <math.h>

#include "render/export.h"
#include "render/jfr/jfr_rows.h"
#include "render/jfr/jfr_tables.h"

/* ---- the recording --------------------------------------------------------------------------- */

static const struct jfr_field recording_fields[] = {
	{ "version", "", JFR_STRING, JFR_PLAIN, "of ojx" },
	{ "command", "", JFR_STRING, JFR_PLAIN, "what was run" },
	{ "notes", "", JFR_STRING, JFR_PLAIN, "what the agents had to say" },
	{ "objects_sampled", "", JFR_LONG, JFR_PLAIN, NULL },
	{ "pairs", "", JFR_LONG, JFR_PLAIN, "pairs compared" },
	{ "bytes", "", JFR_DOUBLE, JFR_BYTES, "bytes allocated by the lines" },
	{ "likely_bytes", "", JFR_DOUBLE, JFR_BYTES,
	  "estimate of the bytes that merging equal objects saves in all lines" },
	{ "saved_bytes", "low", JFR_DOUBLE, JFR_BYTES, "its interval" },
	{ "saved_bytes", "high", JFR_DOUBLE, JFR_BYTES, "its interval" },
	{ .words = NULL },
};

static void write_command(FILE *out, const void *report)
{
	export_put_command(out, report);
}

static void write_notes(FILE *out, const void *report)
{
	const struct model *m = ((const struct report *)report)->recording->model;
	const char *between = "";

	for (uint32_t i = 1; i <= model_njvms(m); i++) {
		const struct model_jvm *jvm = model_jvm(m, i);
		uint32_t n = jvm && jvm->has_status ? jvm->status.nnotes : 0;
		for (uint32_t k = 0; k < n && k < WIRE_NOTES; k++) {
			fprintf(out, "%s%s", between, jvm->status.note[k]);
			between = "; ";
		}
	}
}

/* Adds the recording: what was run, what was seen, what merging saves. */
static void jfr_add_recording(struct jfr_chunk *c, const struct report *r)
{
	const struct total none = { NAN, NAN, { NAN, NAN }, NAN, NAN, 0 };
	const struct total *total = r->total ? r->total : &none;
	struct jfr_events e = { .like = { .prefix = JFR_OWN,
					  .words = { "recording" },
					  .category = { JFR_OWN },
					  .help = "the recording as a whole" },
				.first = { recording_fields } };

	jfr_events_begin(c, &e, 0);
	jfr_add_text(c, r->version);
	jfr_add_pooled(c, jfr_pools_written(&c->pools, write_command, r));
	jfr_add_pooled(c, jfr_pools_written(&c->pools, write_notes, r));
	jfr_add_number(c, (int64_t)r->recording->sampled);
	jfr_add_number(c, (int64_t)r->recording->pairs);
	jfr_add_double(c, total->bytes);
	jfr_add_double(c, total->saved);
	jfr_add_double(c, total->range.low);
	jfr_add_double(c, total->range.high);
	jfr_end(c);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Of a part of a recording, the part's. */
static uint64_t start_of(const struct recording *r)
{
	return r->start_unix_ns + (r->is_part ? (uint64_t)llround(r->from_s * 1e9) : 0);
}

int render_jfr(FILE *out, const struct report *r)
{
	struct jfr_chunk c;

	jfr_chunk_init(&c, start_of(r->recording),
		       (uint64_t)llround(fmax(0, r->recording->duration_s) * 1e9));
	jfr_add_recording(&c, r);
	jfr_add_fixes(&c, r);
	jfr_add_rows(&c, r);
	jfr_add_findings(&c, r);
	int result = jfr_chunk_write(&c, out);
	jfr_chunk_release(&c);
	return result < 0 || ferror(out) ? -1 : 0;
}
