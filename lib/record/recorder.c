/* SPDX-License-Identifier: Apache-2.0 */
/* recorder.c - see recorder.h. */
#include "record/recorder.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

#define SECOND UINT64_C(1000000000)

enum {
	END_BYTES = 64 << 10, /* for the last status of each JVM, and the end record */
	EVIDENCE_PART = 3,    /* evidence gets at most 1/3 of what is left; packed, it takes less */
	SUMS_PACKED = 3,      /* in the file, sums take 1/3 of their bytes or less */
	GROUPS_PACKED = 2,    /* and groups of records take 1/2 */
	CLOSED_PART = 8,      /* no new contexts if less than 1/8 of the file is left */
	PERIODS = 32,	      /* a repeated record waits for 1/32 of the time so far */
	REPEATED_PART = 256,  /* and takes 1/256 of what is left, or waits longer */
};

/* ---- room ------------------------------------------------------------------------------ */

/* Bytes left in the file, with the end reserved. */
static uint64_t bytes_left(const struct recorder *r)
{
	uint64_t used = datafile_size(r->writer) + END_BYTES;

	return used < r->max_size ? r->max_size - used : 0;
}

/* The same, with sums reserved that are not written yet. */
static uint64_t room(const struct recorder *r)
{
	uint64_t left = bytes_left(r), sums = model_unflushed(r->model) / SUMS_PACKED;

	return sums < left ? left - sums : 0;
}

/* Whether a record of that many bytes, last written at `last`, may be repeated. */
static bool is_due(const struct recorder *r, uint64_t last, uint64_t least, uint64_t bytes)
{
	double period = (double)(r->now_ns - r->start_ns) / PERIODS;
	double left = r->max_size ? (double)bytes_left(r) : INFINITY;
	/* infinite if nothing is left */
	double wait = period * (double)bytes * REPEATED_PART / left;

	return r->now_ns - last >= least && !((double)(r->now_ns - last) < wait);
}

/* ---- writing --------------------------------------------------------------------------- */

/* The last records of a file, which are small and few. */
static bool is_last_word(uint16_t type)
{
	return type == FILE_STATUS || type == FILE_JVM || type == FILE_END;
}

static void write_record(struct recorder *r, uint32_t jvm, const struct wire_rec *rec, uint32_t len)
{
	uint16_t type = atomic_load_explicit(&rec->type, memory_order_relaxed);

	if (r->failed)
		return;
	if (r->max_size && !is_last_word(type) && len + sizeof(struct file_chunk) > bytes_left(r))
		return;
	/* EINVAL: the record has an impossible length and is left out; the file is valid */
	if (datafile_write(r->writer, jvm, rec, len) < 0 && errno != EINVAL)
		r->failed = errno ? errno : EIO;
}

int recorder_put(struct recorder *r, uint32_t jvm, const struct wire_rec *rec)
{
	if (model_feed(r->model, jvm, rec, rec->len) == MODEL_BAD)
		return -1;
	write_record(r, jvm, rec, rec->len);
	return 0;
}

/* ---- records --------------------------------------------------------------------------- */

/* The groups of a JVM that such a record ends; NULL if there is no memory, or no more room. */
static struct recorder_group *groups_of(struct recorder *r, uint32_t jvm, uint16_t last)
{
	size_t i = 0;

	while (i < RECORDER_GROUPS && r->group_types[i] && r->group_types[i] != last)
		i++;
	if (i == RECORDER_GROUPS)
		return NULL;
	r->group_types[i] = last;
	jvm = RECORDER_GROUPS * jvm + (uint32_t)i;
	return GROW_TO(r->groups, r->ngroups, jvm) ? &r->groups[jvm] : NULL;
}

/* A group is written whole or not at all, so its first record decides. */
static bool admits_group(struct recorder *r, uint32_t jvm, uint16_t last, bool ends, uint32_t len)
{
	struct recorder_group *g = groups_of(r, jvm, last);

	if (!g)
		return false;
	if (g->coming == 0)
		g->taken = !r->closed && is_due(r, g->written_ns, 0, g->bytes);
	g->coming += len;
	if (ends && g->taken) {
		g->written_ns = r->now_ns;
		g->bytes = g->coming / GROUPS_PACKED;
	}
	if (ends)
		g->coming = 0;
	return g->taken;
}

/* Whether there is room for the record. */
static bool admits(struct recorder *r, uint32_t jvm, uint16_t type, uint32_t len)
{
	struct model_room room = model_room_of(r->model, type);

	if (room.last)
		return admits_group(r, jvm, room.last, type == room.last, len);
	return !(room.until_closed && r->closed);
}

/* Reduces the evidence that is kept to its part of what is left. */
static void hold_bounds(struct recorder *r)
{
	struct file_thin thin = { .rec = { .len = sizeof thin, .type = FILE_THIN } };

	while (model_evidence_bytes(r->model) > room(r) / EVIDENCE_PART) {
		thin.halvings = model_halvings(r->model) + 1;
		if (thin.halvings > 32 || recorder_put(r, 0, &thin.rec) < 0)
			break;
	}
	if (!r->closed && room(r) < r->max_size / CLOSED_PART) {
		r->closed = true;
		model_close(r->model);
	}
}

enum model_fed recorder_take(struct recorder *r, uint32_t jvm, const struct wire_rec *rec,
			     uint32_t len)
{
	uint16_t type = atomic_load_explicit(&rec->type, memory_order_relaxed);

	if (r->max_size && !admits(r, jvm, type, len))
		return MODEL_DROPPED;
	enum model_fed fed = model_feed(r->model, jvm, rec, len);
	if (fed != MODEL_KEEP)
		return fed;
	write_record(r, jvm, rec, len);
	if (r->max_size && !r->failed)
		hold_bounds(r);
	return fed;
}

/* ---- sums ------------------------------------------------------------------------------ */

bool recorder_flush_due(const struct recorder *r, bool watched)
{
	uint64_t least = watched ? 0 : (r->now_ns - r->start_ns) / PERIODS;

	return is_due(r, r->flushed_ns, least > SECOND ? least : SECOND, r->flushed_bytes);
}

static int emit(uint32_t jvm, const struct wire_rec *rec, uint32_t len, void *arg)
{
	struct recorder *r = arg;

	write_record(r, jvm, rec, len);
	return r->failed ? -1 : 0;
}

void recorder_flush(struct recorder *r)
{
	if (r->failed || datafile_flush(r->writer) < 0) {
		r->failed = r->failed ? r->failed : errno;
		return;
	}
	uint64_t before = datafile_size(r->writer);
	if (model_flush_counts(r->model, emit, r) < 0 || datafile_flush(r->writer) < 0)
		r->failed = r->failed ? r->failed : errno ? errno : EIO;
	else
		r->flushed_bytes = datafile_size(r->writer) - before;
	r->flushed_ns = r->now_ns;
}

void recorder_release(struct recorder *r)
{
	free(r->groups);
	r->groups = NULL;
	r->ngroups = 0;
}
