/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_model.c - records of a hostile JVM, or of a file made by one.
 *
 * The input is wire records one after the other; the unused half-word of their headers says which
 * JVM they are of, and whether a look or use is repeated until evidence is thinned. What the model
 * would have written is fed to a second model, as report would: it must believe all of it, and
 * come to the same evidence.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/analyses.h"
#include "fuzz_records.h"
#include "model/model.h"

static int feed_reader(uint32_t jvm, const struct wire_rec *rec, uint32_t len, void *arg)
{
	enum model_fed fed = model_feed(arg, jvm, rec, len);

	CHECK(fed == MODEL_KEEP || fed == MODEL_DROPPED);
	return 0;
}

#define JVMS   4u
#define REPEAT 0x8000u	 /* in the half-word */
enum { REPEATS = 9000 }; /* more than the model keeps of a context */

struct models {
	struct model *writer, *reader;
	bool repeated; /* once is enough, and slow enough */
};

static void feed_both(struct models *m, uint32_t jvm, const struct wire_rec *rec)
{
	if (model_feed(m->writer, jvm, rec, rec->len) == MODEL_KEEP)
		feed_reader(jvm, rec, rec->len, m->reader);
}

/* With tickets that fall and rise, so that some are dropped at once and some later. */
static void feed_repeatedly(struct models *m, uint32_t jvm, struct wire_rec *rec)
{
	bool snapshot = rec->type == WIRE_SNAPSHOT && rec->len >= sizeof(struct wire_snapshot);
	bool use = rec->type == WIRE_USE && rec->len >= sizeof(struct wire_use);

	if (m->repeated || !(snapshot || use))
		return;
	m->repeated = true;
	for (uint32_t i = 0; i < REPEATS; i++) {
		if (snapshot)
			((struct wire_snapshot *)rec)->ticket += i * 2654435761u;
		else
			((struct wire_use *)rec)->ticket += i * 2654435761u;
		feed_both(m, jvm, rec);
	}
}

/* Feeds the record at `data`; returns its length. */
static size_t feed_one(struct models *m, const uint8_t *data, size_t left)
{
	uint16_t word;
	struct wire_rec *rec = fuzz_record(data, left, &word);
	size_t len = rec->len;

	feed_both(m, word % JVMS, rec);
	if (word & REPEAT)
		feed_repeatedly(m, word % JVMS, rec);
	free(rec);
	return len;
}

static void check_texts(const struct model_class *class)
{
	CHECK(strlen(class->name) < 200000);
	for (uint32_t i = 0; i < class->nfields; i++)
		CHECK(strlen(class->fields[i].name) + strlen(class->fields[i].declarer) < 400000);
}

static void check_stack(const struct model *m, const struct model_context *c)
{
	struct model_frame frames[8];
	unsigned flags;
	size_t n = model_stack(m, c->jvm, c->stack_id, frames, 8, &flags);

	for (size_t i = 0; i < n && i < 8; i++)
		CHECK(frames[i].class_name && frames[i].method && frames[i].line >= 0 &&
		      (!frames[i].file || strlen(frames[i].file) < 200000));
}

static void check_context(const struct model *m, const struct model_context *c)
{
	uint64_t sampled = 0;

	check_texts(c->class);
	check_stack(m, c);
	for (size_t i = 0; i < c->nstrata; i++) {
		CHECK(i == 0 || c->strata[i - 1].array_length < c->strata[i].array_length);
		sampled += c->strata[i].sampled;
	}
	CHECK(sampled == c->sampled);
	CHECK(c->objects >= 0 && c->bytes >= 0);
	for (size_t i = 0; i < c->nvalues; i++) {
		CHECK(i == 0 || c->values[i - 1]->deep < c->values[i]->deep);
		CHECK(c->values[i]->len <= WIRE_VALUE_TEXT &&
		      strlen(c->values[i]->text) <= c->values[i]->len);
	}
	CHECK(c->nsnapshots <= c->snapshots_seen && c->nuses <= c->uses_seen);
}

/* The reader's contexts come in another order where the writer's came by events only counted. */
static void compare(const struct model *writer, const struct model *reader)
{
	size_t snapshots = 0;
	size_t uses = 0;
	size_t values = 0;
	uint64_t sampled = 0;

	CHECK(model_ncontexts(writer) == model_ncontexts(reader));
	for (size_t i = 0; i < model_ncontexts(writer); i++) {
		const struct model_context *w = model_context(writer, i);
		const struct model_context *r = model_context(reader, i);
		check_context(writer, w);
		check_context(reader, r);
		snapshots += w->nsnapshots - r->nsnapshots;
		uses += w->nuses - r->nuses;
		values += w->nvalues - r->nvalues;
		sampled += w->sampled - r->sampled;
	}
	CHECK(snapshots == 0 && uses == 0 && values == 0 && sampled == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct models m = { .writer = model_new(analyses), .reader = model_new(analyses) };
	size_t at = 0;

	CHECK(m.writer && m.reader);
	while (size - at >= sizeof(struct wire_rec))
		at += feed_one(&m, data + at, size - at);
	CHECK(model_flush_counts(m.writer, feed_reader, m.reader) == 0);
	compare(m.writer, m.reader);
	model_free(m.writer);
	model_free(m.reader);
	return 0;
}
