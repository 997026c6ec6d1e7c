/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_pprof.c - a compressed profile.proto: what `go tool pprof`, Grafana Pyroscope and others
 * read (github.com/google/pprof, proto/profile.proto).
 *
 * Each metric is a sample type. Strings, functions and locations are written when a sample first
 * names them: the parts of a profile may come in any order, and nothing is held in memory.
 *
 * A sample has the labels of its JVM (model/labels.h); the label "verdict", "saved" in bytes if
 * merging saves something, and "theta" in percent if there are enough pairs. Labels are few on
 * purpose: Pyroscope makes a series for each value of a text label.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memtext.h"
#include "base/utf8.h"
#include "model/labels.h"
#include "render/export.h"
#include "render/metrics.h"
#include "wire/wire_file.h"

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
	int result;	      /* of the stream: -1: it has failed */
	struct bytes profile; /* not compressed yet */
	struct bytes sample, ids, message, line;
	struct hash_numbers strings;
	struct export_numbers functions, locations;
	struct bytes labels; /* of this JVM, as members of a sample; 0: none yet */
	uint32_t labels_of;
};

/* ---- strings ----------------------------------------------------------------------------- */

/* The index of a clean text; a new text is written. */
static uint32_t string_id(struct pprof *p, const char *text, size_t len)
{
	bool is_new;
	uint32_t id = xhash_numbers_of(&p->strings, XXH3_128bits(text, len), &is_new);

	if (is_new)
		proto_text(&p->profile, PROFILE_STRING_TABLE, text, len);
	return id;
}

/* Adds the index of a literal to a message. */
static void put_word(struct pprof *p, struct bytes *to, unsigned field, const char *word)
{
	proto_number(to, field, string_id(p, word, strlen(word)));
}

/* The index of what `put` writes. */
static uint32_t written_id(struct pprof *p, void (*put)(FILE *out, const void *what),
			   const void *what)
{
	struct memtext text;

	put(memtext_begin(&text), what);
	memtext_end(&text);
	uint32_t id = string_id(p, text.text, text.len);
	free(text.text);
	return id;
}

/* Adds it to a message. */
static void put_written(struct pprof *p, struct bytes *to, unsigned field,
			void (*put)(FILE *out, const void *what), const void *what)
{
	proto_number(to, field, written_id(p, put, what));
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
static uint32_t function_id(struct pprof *p, const struct export_frame *frame)
{
	struct export_frame f = *frame;
	bool is_new;

	if (f.kind == EXPORT_METHOD)
		f.number = 0; /* the same for all lines */
	uint32_t id = export_number(&p->functions, &f, &is_new) + 1;
	if (!is_new)
		return id;
	bytes_clear(&p->message);
	proto_number(&p->message, FUNCTION_ID, id);
	put_written(p, &p->message, FUNCTION_NAME, write_name, &f);
	if (f.file)
		put_written(p, &p->message, FUNCTION_FILENAME, write_text, f.file);
	proto_message(&p->profile, PROFILE_FUNCTION, &p->message);
	return id;
}

static uint32_t location_id(struct pprof *p, const struct export_frame *f)
{
	bool is_new;
	uint32_t id = export_number(&p->locations, f, &is_new) + 1;

	if (!is_new)
		return id;
	uint32_t function = function_id(p, f);
	bytes_clear(&p->line);
	proto_number(&p->line, LINE_FUNCTION_ID, function);
	if (f->kind == EXPORT_METHOD)
		proto_number(&p->line, LINE_LINE, f->number);
	bytes_clear(&p->message);
	proto_number(&p->message, LOCATION_ID, id);
	proto_number(&p->message, LOCATION_MAPPING_ID, THE_MAPPING);
	proto_message(&p->message, LOCATION_LINE, &p->line);
	proto_message(&p->profile, PROFILE_LOCATION, &p->message);
	return id;
}

/* ---- samples ----------------------------------------------------------------------------- */

/* Names of labels that are ours get a prefix. */
static void put_text_label(struct pprof *p, struct bytes *to, const struct model_label *l)
{
	static const char prefix[] = "label_";
	bool ours = strcmp(l->name, "verdict") == 0 || strcmp(l->name, "saved") == 0 ||
		    strcmp(l->name, "theta") == 0;
	char name[sizeof prefix + FILE_LABEL_NAME];

	snprintf(name, sizeof name, "%s%s", ours ? prefix : "", l->name);
	bytes_clear(&p->message);
	put_word(p, &p->message, LABEL_KEY, name);
	put_written(p, &p->message, LABEL_STR, write_text, l->value);
	proto_message(to, SAMPLE_LABEL, &p->message);
}

/* Adds the labels of the JVM, which most samples share with the one before. */
static void put_jvm_labels(struct pprof *p, const struct export_sample *s)
{
	const struct recording *r = p->report->recording;
	struct label_list list;

	if (s->jvm != p->labels_of) {
		labels_of(&list, r->model, s->jvm, r->full);
		bytes_clear(&p->labels);
		for (size_t i = 0; i < list.n; i++)
			put_text_label(p, &p->labels, &list.item[i]);
		p->labels_of = s->jvm;
	}
	bytes_append(&p->sample, &p->labels);
}

static void put_number_label(struct pprof *p, const char *key, double value, const char *unit)
{
	bytes_clear(&p->message);
	put_word(p, &p->message, LABEL_KEY, key);
	put_word(p, &p->message, LABEL_NUM_UNIT, unit);
	proto_number(&p->message, LABEL_NUM, llround(value));
	proto_message(&p->sample, SAMPLE_LABEL, &p->message);
}

/* Of the row, whatever the sample is of. */
static void put_labels(struct pprof *p, const struct replica *x)
{
	bool deep;

	bytes_clear(&p->message);
	put_word(p, &p->message, LABEL_KEY, "verdict");
	put_word(p, &p->message, LABEL_STR, replica_verdict_name(replica_shown(x, &deep)));
	proto_message(&p->sample, SAMPLE_LABEL, &p->message);
	if (replica_saved(x) >= 1)
		put_number_label(p, "saved", replica_saved(x), "bytes");
	if (x->pairs >= p->report->min_pairs && !isnan(x->theta))
		put_number_label(p, "theta", x->theta * 100, "percent");
}

/* The innermost frame comes first. */
static void put_stack(struct pprof *p, const struct export_sample *s)
{
	bytes_clear(&p->ids);
	for (size_t i = s->n; i-- > 0;)
		proto_packed(&p->ids, location_id(p, &s->frames[i]));
	proto_message(&p->sample, SAMPLE_LOCATION_ID, &p->ids);
}

/* Compresses the buffer if there is enough of it, unless the stream has failed. */
static void flush(struct pprof *p, size_t least)
{
	if (p->profile.len < least)
		return;
	if (p->result == 0)
		p->result = gzip_write(p->gzip, p->profile.data, p->profile.len);
	bytes_clear(&p->profile);
}

static void put_sample(const struct export_sample *s, void *arg)
{
	struct pprof *p = arg;
	const struct metrics *metrics = p->report->metrics;
	int64_t value[METRICS_MAX], any = 0;

	for (size_t i = 0; i < metrics->n; i++)
		any |= value[i] = metric_value(&metrics->item[i], s);
	if (!any)
		return;
	bytes_clear(&p->sample);
	put_stack(p, s);
	bytes_clear(&p->ids);
	for (size_t i = 0; i < metrics->n; i++)
		proto_packed(&p->ids, value[i]);
	proto_message(&p->sample, SAMPLE_VALUE, &p->ids);
	put_jvm_labels(p, s);
	if (s->row)
		put_labels(p, &s->row->replica);
	proto_message(&p->profile, PROFILE_SAMPLE, &p->sample);
	flush(p, FLUSH_AT);
}

/* ---- the profile ------------------------------------------------------------------------- */

static void put_type(struct pprof *p, unsigned field, const struct metric *m)
{
	bytes_clear(&p->message);
	put_word(p, &p->message, VALUE_TYPE_TYPE, m->name);
	put_word(p, &p->message, VALUE_TYPE_UNIT, m->unit);
	proto_message(&p->profile, field, &p->message);
}

/* Writes one mapping, which says that names, files and lines are known and need no look-up. */
static void put_mapping(struct pprof *p)
{
	const struct shown_command *c = &p->report->recording->command;

	bytes_clear(&p->message);
	proto_number(&p->message, MAPPING_ID, THE_MAPPING);
	if (c->n > 0)
		put_written(p, &p->message, MAPPING_FILENAME, write_text, c->word[0]);
	for (unsigned field = MAPPING_HAS_FUNCTIONS; field <= MAPPING_HAS_INLINE_FRAMES; field++)
		proto_number(&p->message, field, true);
	proto_message(&p->profile, PROFILE_MAPPING, &p->message);
}

/* Writes the command and the notes of the JVMs. */
static void put_comments(struct pprof *p)
{
	const struct model *m = p->report->recording->model;

	bytes_clear(&p->ids);
	proto_packed(&p->ids, written_id(p, write_command, p->report));
	for (uint32_t i = 1; i <= model_njvms(m); i++) {
		const struct model_jvm *jvm = model_jvm(m, i);
		uint32_t n = jvm && jvm->has_status ? jvm->status.nnotes : 0;
		for (uint32_t k = 0; k < n && k < WIRE_NOTES; k++)
			proto_packed(&p->ids, written_id(p, write_text, jvm->status.note[k]));
	}
	proto_message(&p->profile, PROFILE_COMMENT, &p->ids);
}

/* The string of index 0 is the empty one. */
static void put_profile(struct pprof *p)
{
	const struct recording *r = p->report->recording;
	const struct metrics *metrics = p->report->metrics;

	string_id(p, "", 0);
	for (size_t i = 0; i < metrics->n; i++)
		put_type(p, PROFILE_SAMPLE_TYPE, &metrics->item[i]);
	put_type(p, PROFILE_PERIOD_TYPE, metric_find(metrics, "bytes"));
	put_mapping(p);
	put_word(p, &p->profile, PROFILE_DEFAULT_SAMPLE_TYPE, p->report->metric->name);
	put_comments(p);
	proto_number(&p->profile, PROFILE_TIME_NANOS, (int64_t)r->start_unix_ns);
	proto_number(&p->profile, PROFILE_DURATION_NANOS, llround(r->duration_s * 1e9));
	export_samples(p->report,
		       EXPORT_ALLOCATIONS | EXPORT_ACCESSES | EXPORT_FINDINGS | EXPORT_FIXES,
		       put_sample, p);
}

int render_pprof(FILE *out, const struct report *r)
{
	struct pprof p = { .report = r, .gzip = gzip_new(out) };

	put_profile(&p);
	flush(&p, 0);
	if (p.result < 0)
		gzip_abandon(p.gzip);
	else
		p.result = gzip_finish(p.gzip);
	bytes_release(&p.profile);
	bytes_release(&p.sample);
	bytes_release(&p.ids);
	bytes_release(&p.message);
	bytes_release(&p.line);
	bytes_release(&p.labels);
	hash_numbers_release(&p.strings);
	export_numbers_release(&p.functions);
	export_numbers_release(&p.locations);
	return p.result < 0 || ferror(out) ? -1 : 0;
}
