/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_pprof.c - a compressed profile.proto: what `go tool pprof`, Grafana Pyroscope and others
 * read (github.com/google/pprof, proto/profile.proto).
 *
 * Each metric is a sample type. Strings, functions and locations are written when a sample first
 * names them: the parts of a profile may come in any order, and nothing is held in memory.
 *
 * A sample has the label "verdict", "saved" in bytes if merging saves something, and "theta" in
 * percent if there are enough pairs. Labels are few on purpose: Pyroscope makes a series for each
 * value of a text label.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memtext.h"
#include "base/utf8.h"
#include "render/export.h"
#include "render/metrics.h"

/* Numbers of the fields, by message. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING_TABLE = 6,
	PROFILE_TIME_NANOS = 9,
	PROFILE_DURATION_NANOS = 10,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_COMMENT = 13,
	PROFILE_DEFAULT_SAMPLE_TYPE = 14,

	VALUE_TYPE_TYPE = 1,
	VALUE_TYPE_UNIT = 2,

	SAMPLE_LOCATION_ID = 1,
	SAMPLE_VALUE = 2,
	SAMPLE_LABEL = 3,

	LABEL_KEY = 1,
	LABEL_STR = 2,
	LABEL_NUM = 3,
	LABEL_NUM_UNIT = 4,

	MAPPING_ID = 1,
	MAPPING_FILENAME = 5,
	MAPPING_HAS_FUNCTIONS = 7,
	MAPPING_HAS_FILENAMES = 8,
	MAPPING_HAS_LINE_NUMBERS = 9,
	MAPPING_HAS_INLINE_FRAMES = 10,

	LOCATION_ID = 1,
	LOCATION_MAPPING_ID = 2,
	LOCATION_LINE = 4,

	LINE_FUNCTION_ID = 1,
	LINE_LINE = 2,

	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_FILENAME = 4,
};

enum { FLUSH_AT = 1 << 16, THE_MAPPING = 1 };

/* Buffers are reused from message to message. */
struct pprof {
	const struct report *report;
	struct gzip *gzip;
	struct bytes profile; /* not compressed yet */
	struct bytes sample, ids, message, line;
	struct numbering strings;
	struct export_numbers functions, locations;
};

/* ---- strings ----------------------------------------------------------------------------- */

/* The index of a clean text; a new text is written. */
static int string_id(struct pprof *p, const char *text, size_t len, uint32_t *id)
{
	bool is_new;

	if (numbering_of(&p->strings, XXH3_128bits(text, len), id, &is_new) < 0)
		return -1;
	if (is_new)
		proto_text(&p->profile, PROFILE_STRING_TABLE, text, len);
	return 0;
}

/* Adds the index of a literal to a message. */
static int put_word(struct pprof *p, struct bytes *to, unsigned field, const char *word)
{
	uint32_t id;

	if (string_id(p, word, strlen(word), &id) < 0)
		return -1;
	proto_number(to, field, id);
	return 0;
}

/* The index of what `put` writes. */
static int written_id(struct pprof *p, void (*put)(FILE *out, const void *what), const void *what,
		      uint32_t *id)
{
	struct memtext gathered;
	FILE *out = memtext_begin(&gathered);

	if (!out)
		return -1;
	put(out, what);
	char *text = memtext_end(&gathered);
	int result = text ? string_id(p, text, gathered.len, id) : -1;
	free(text);
	return result;
}

/* Adds it to a message. */
static int put_written(struct pprof *p, struct bytes *to, unsigned field,
		       void (*put)(FILE *out, const void *what), const void *what)
{
	uint32_t id;

	if (written_id(p, put, what, &id) < 0)
		return -1;
	proto_number(to, field, id);
	return 0;
}

static void write_name(FILE *out, const void *frame)
{
	export_put_name(out, frame);
}

static void write_text(FILE *out, const void *text)
{
	utf8_put(out, text, strlen(text), UTF8_TERMINAL);
}

static void write_command(FILE *out, const void *report)
{
	export_put_command(out, report);
}

/* ---- frames ------------------------------------------------------------------------------ */

/* 0 means none, so ids are numbers plus one. */
static int function_id(struct pprof *p, const struct export_frame *frame, uint32_t *id)
{
	struct export_frame f = *frame;
	bool is_new;

	if (f.kind == EXPORT_METHOD)
		f.number = 0; /* the same for all lines */
	if (export_number(&p->functions, &f, id, &is_new) < 0)
		return -1;
	++*id;
	if (!is_new)
		return 0;
	bytes_clear(&p->message);
	proto_number(&p->message, FUNCTION_ID, *id);
	if (put_written(p, &p->message, FUNCTION_NAME, write_name, &f) < 0)
		return -1;
	if (f.file && put_written(p, &p->message, FUNCTION_FILENAME, write_text, f.file) < 0)
		return -1;
	proto_message(&p->profile, PROFILE_FUNCTION, &p->message);
	return 0;
}

static int location_id(struct pprof *p, const struct export_frame *f, uint32_t *id)
{
	uint32_t function;
	bool is_new;

	if (export_number(&p->locations, f, id, &is_new) < 0)
		return -1;
	++*id;
	if (!is_new)
		return 0;
	if (function_id(p, f, &function) < 0)
		return -1;
	bytes_clear(&p->line);
	proto_number(&p->line, LINE_FUNCTION_ID, function);
	if (f->kind == EXPORT_METHOD)
		proto_number(&p->line, LINE_LINE, f->number);
	bytes_clear(&p->message);
	proto_number(&p->message, LOCATION_ID, *id);
	proto_number(&p->message, LOCATION_MAPPING_ID, THE_MAPPING);
	proto_message(&p->message, LOCATION_LINE, &p->line);
	proto_message(&p->profile, PROFILE_LOCATION, &p->message);
	return 0;
}

/* ---- samples ----------------------------------------------------------------------------- */

static int put_number_label(struct pprof *p, const char *key, double value, const char *unit)
{
	bytes_clear(&p->message);
	if (put_word(p, &p->message, LABEL_KEY, key) < 0 ||
	    put_word(p, &p->message, LABEL_NUM_UNIT, unit) < 0)
		return -1;
	proto_number(&p->message, LABEL_NUM, llround(value));
	proto_message(&p->sample, SAMPLE_LABEL, &p->message);
	return 0;
}

/* Of the row, whatever the sample is of. */
static int put_labels(struct pprof *p, const struct replica *x)
{
	bool deep;
	const char *verdict = replica_verdict_name(replica_shown(x, &deep));

	bytes_clear(&p->message);
	if (put_word(p, &p->message, LABEL_KEY, "verdict") < 0 ||
	    put_word(p, &p->message, LABEL_STR, verdict) < 0)
		return -1;
	proto_message(&p->sample, SAMPLE_LABEL, &p->message);
	if (replica_saved(x) >= 1 && put_number_label(p, "saved", replica_saved(x), "bytes") < 0)
		return -1;
	if (x->pairs < p->report->min_pairs || isnan(x->theta))
		return 0;
	return put_number_label(p, "theta", x->theta * 100, "percent");
}

/* The innermost frame comes first. */
static int put_stack(struct pprof *p, const struct export_sample *s)
{
	bytes_clear(&p->ids);
	for (size_t i = s->n; i-- > 0;) {
		uint32_t id;
		if (location_id(p, &s->frames[i], &id) < 0)
			return -1;
		proto_packed(&p->ids, id);
	}
	proto_message(&p->sample, SAMPLE_LOCATION_ID, &p->ids);
	return 0;
}

/* Compresses the buffer if there is enough of it. */
static int flush(struct pprof *p, size_t least)
{
	if (p->profile.len < least)
		return 0;
	int result = gzip_write(p->gzip, p->profile.data, p->profile.len);
	bytes_clear(&p->profile);
	return result;
}

static int put_sample(const struct export_sample *s, void *arg)
{
	struct pprof *p = arg;
	const struct metrics *metrics = p->report->metrics;
	int64_t value[METRICS_MAX], any = 0;

	for (size_t i = 0; i < metrics->n; i++)
		any |= value[i] = metric_value(&metrics->item[i], s);
	if (!any)
		return 0;
	bytes_clear(&p->sample);
	if (put_stack(p, s) < 0)
		return -1;
	bytes_clear(&p->ids);
	for (size_t i = 0; i < metrics->n; i++)
		proto_packed(&p->ids, value[i]);
	proto_message(&p->sample, SAMPLE_VALUE, &p->ids);
	if (s->row && put_labels(p, &s->row->replica) < 0)
		return -1;
	proto_message(&p->profile, PROFILE_SAMPLE, &p->sample);
	return flush(p, FLUSH_AT);
}

/* ---- the profile ------------------------------------------------------------------------- */

static int put_type(struct pprof *p, unsigned field, const struct metric *m)
{
	bytes_clear(&p->message);
	if (put_word(p, &p->message, VALUE_TYPE_TYPE, m->name) < 0 ||
	    put_word(p, &p->message, VALUE_TYPE_UNIT, m->unit) < 0)
		return -1;
	proto_message(&p->profile, field, &p->message);
	return 0;
}

/* Writes one mapping, which says that names, files and lines are known and need no look-up. */
static int put_mapping(struct pprof *p)
{
	const struct shown_command *c = &p->report->recording->command;

	bytes_clear(&p->message);
	proto_number(&p->message, MAPPING_ID, THE_MAPPING);
	if (c->n > 0 && put_written(p, &p->message, MAPPING_FILENAME, write_text, c->word[0]) < 0)
		return -1;
	for (unsigned field = MAPPING_HAS_FUNCTIONS; field <= MAPPING_HAS_INLINE_FRAMES; field++)
		proto_number(&p->message, field, true);
	proto_message(&p->profile, PROFILE_MAPPING, &p->message);
	return 0;
}

static int put_comment(struct pprof *p, void (*put)(FILE *out, const void *what), const void *what)
{
	uint32_t id;

	if (written_id(p, put, what, &id) < 0)
		return -1;
	proto_packed(&p->ids, id);
	return 0;
}

/* Writes the command and the notes of the JVMs. */
static int put_comments(struct pprof *p)
{
	const struct model *m = p->report->recording->model;

	bytes_clear(&p->ids);
	if (put_comment(p, write_command, p->report) < 0)
		return -1;
	for (uint32_t i = 1; i <= model_njvms(m); i++) {
		const struct model_jvm *jvm = model_jvm(m, i);
		uint32_t n = jvm && jvm->has_status ? jvm->status.nnotes : 0;
		for (uint32_t k = 0; k < n && k < WIRE_NOTES; k++)
			if (put_comment(p, write_text, jvm->status.note[k]) < 0)
				return -1;
	}
	proto_message(&p->profile, PROFILE_COMMENT, &p->ids);
	return 0;
}

/* The string of index 0 is the empty one. */
static int put_profile(struct pprof *p)
{
	const struct recording *r = p->report->recording;
	uint32_t empty;

	if (string_id(p, "", 0, &empty) < 0)
		return -1;
	const struct metrics *metrics = p->report->metrics;
	for (size_t i = 0; i < metrics->n; i++)
		if (put_type(p, PROFILE_SAMPLE_TYPE, &metrics->item[i]) < 0)
			return -1;
	if (put_type(p, PROFILE_PERIOD_TYPE, metric_find(metrics, "bytes")) < 0 ||
	    put_mapping(p) < 0 ||
	    put_word(p, &p->profile, PROFILE_DEFAULT_SAMPLE_TYPE, p->report->metric->name) < 0 ||
	    put_comments(p) < 0)
		return -1;
	proto_number(&p->profile, PROFILE_TIME_NANOS, (int64_t)r->start_unix_ns);
	proto_number(&p->profile, PROFILE_DURATION_NANOS, llround(r->duration_s * 1e9));
	unsigned all = EXPORT_ALLOCATIONS | EXPORT_ACCESSES | EXPORT_FINDINGS | EXPORT_FIXES;
	return export_samples(p->report, all, put_sample, p);
}

int render_pprof(FILE *out, const struct report *r)
{
	struct pprof p = { .report = r, .gzip = gzip_new(out) };

	int result = put_profile(&p);
	if (result == 0)
		result = flush(&p, 0);
	if (result < 0)
		gzip_abandon(p.gzip);
	else
		result = gzip_finish(p.gzip);
	bytes_release(&p.profile);
	bytes_release(&p.sample);
	bytes_release(&p.ids);
	bytes_release(&p.message);
	bytes_release(&p.line);
	numbering_release(&p.strings);
	export_numbers_release(&p.functions);
	export_numbers_release(&p.locations);
	return result < 0 || ferror(out) ? -1 : 0;
}
