/* SPDX-License-Identifier: Apache-2.0 */
/* jfr_chunk.c - see jfr_chunk.h. */
#include "render/jfr/jfr_chunk.h"

#include <errno.h>
#include <math.h>

#include "render/jfr/jfr_put.h"

#define MAGIC "FLR"

enum {
	MAJOR = 2,
	MINOR = 1,
	HEADER_SIZE = 68,
	COMPACT = 1,	/* flag: numbers take as many bytes as they need */
	LAST_CHUNK = 2, /* flag: no other follows */
	METADATA = 0,	/* the types of these two events; others are 2 or more */
	CONSTANTS = 1,
	THE_METADATA = 1,	  /* the number of their only version */
	TICKS_PER_S = 1000000000, /* time is counted in ns since the start */
	APART = 1000,		  /* ticks between events */
};

void jfr_chunk_init(struct jfr_chunk *c, uint64_t start_unix_ns, uint64_t duration_ns)
{
	*c = (struct jfr_chunk){ .start_unix_ns = start_unix_ns, .duration_ns = duration_ns };
	jfr_types_init(&c->types);
}

void jfr_chunk_release(struct jfr_chunk *c)
{
	jfr_types_release(&c->types);
	jfr_pools_release(&c->pools);
	bytes_release(&c->events);
	bytes_release(&c->event);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* The size of an event, itself included, comes first. */
static void put_event(struct bytes *to, const struct bytes *event)
{
	size_t size = event->len + 1;

	while (event->len + jfr_number_length(size) != size)
		size = event->len + jfr_number_length(size);
	jfr_put_number(to, size);
	bytes_append(to, event);
}

/* The time of the next event, in ticks. */
static uint64_t next_time(struct jfr_chunk *c)
{
	uint64_t end = c->duration_ns, first = end > TICKS_PER_S ? end - TICKS_PER_S : 0;
	uint64_t time = first + ++c->nevents * APART;

	return time < end ? time : end;
}

void jfr_begin(struct jfr_chunk *c, const struct jfr_type *type, uint32_t stack)
{
	bytes_clear(&c->event);
	jfr_put_number(&c->event, type->id);
	jfr_put_number(&c->event, next_time(c));
	if (type->has_thread)
		jfr_put_number(&c->event, 0);
	if (type->has_stack)
		jfr_put_number(&c->event, stack);
}

void jfr_end(struct jfr_chunk *c)
{
	put_event(&c->events, &c->event);
}

void jfr_add_number(struct jfr_chunk *c, int64_t value)
{
	jfr_put_number(&c->event, (uint64_t)value);
}

void jfr_add_constant(struct jfr_chunk *c, uint32_t number)
{
	jfr_put_number(&c->event, number);
}

void jfr_add_bool(struct jfr_chunk *c, bool value)
{
	jfr_put_fixed(&c->event, value, 1);
}

void jfr_add_pooled(struct jfr_chunk *c, uint32_t number)
{
	jfr_put_pooled(&c->event, number);
}

void jfr_add_text(struct jfr_chunk *c, const char *text)
{
	jfr_add_pooled(c, jfr_pools_text(&c->pools, text));
}

void jfr_add_class(struct jfr_chunk *c, const char *name)
{
	jfr_put_number(&c->event, jfr_pools_class(&c->pools, name));
}

void jfr_add_float(struct jfr_chunk *c, double value)
{
	jfr_put_float(&c->event, isfinite(value) ? value : NAN);
}

void jfr_add_double(struct jfr_chunk *c, double value)
{
	jfr_put_double(&c->event, isfinite(value) ? value : NAN);
}

/* ---- the chunk ------------------------------------------------------------------------------- */

static void put_metadata(struct bytes *to, struct jfr_chunk *c)
{
	bytes_clear(&c->event);
	jfr_put_number(&c->event, METADATA);
	jfr_put_number(&c->event, 0); /* its start and duration */
	jfr_put_number(&c->event, 0);
	jfr_put_number(&c->event, THE_METADATA);
	jfr_types_put(&c->event, &c->types);
	put_event(to, &c->event);
}

static void put_constants(struct bytes *to, struct jfr_chunk *c)
{
	bytes_clear(&c->event);
	jfr_put_number(&c->event, CONSTANTS);
	jfr_put_number(&c->event, 0); /* its start and duration */
	jfr_put_number(&c->event, 0);
	jfr_put_number(&c->event, 0);	/* bytes to the one before: there is none */
	jfr_put_fixed(&c->event, 0, 1); /* nothing special */
	jfr_pools_put(&c->event, &c->pools);
	put_event(to, &c->event);
}

/* `metadata` and `constants`: their sizes; the events are between them. */
static void put_header(struct bytes *to, const struct jfr_chunk *c, size_t metadata,
		       size_t constants)
{
	size_t pools_at = HEADER_SIZE + metadata + c->events.len;

	bytes_add(to, MAGIC, sizeof MAGIC);
	jfr_put_fixed(to, MAJOR, 2);
	jfr_put_fixed(to, MINOR, 2);
	jfr_put_fixed(to, pools_at + constants, 8);
	jfr_put_fixed(to, pools_at, 8);
	jfr_put_fixed(to, HEADER_SIZE, 8);
	jfr_put_fixed(to, c->start_unix_ns, 8);
	jfr_put_fixed(to, c->duration_ns, 8);
	jfr_put_fixed(to, 0, 8); /* ticks at the start */
	jfr_put_fixed(to, TICKS_PER_S, 8);
	jfr_put_fixed(to, COMPACT | LAST_CHUNK, 4);
}

static int write_bytes(FILE *out, const struct bytes *b)
{
	return b->len == 0 || fwrite(b->data, 1, b->len, out) == b->len ? 0 : -1;
}

int jfr_chunk_write(struct jfr_chunk *c, FILE *out)
{
	struct bytes header = BYTES_INIT, metadata = BYTES_INIT, constants = BYTES_INIT;
	int result = -1;

	put_metadata(&metadata, c);
	put_constants(&constants, c);
	put_header(&header, c, metadata.len, constants.len);
	if (constants.len > INT32_MAX) /* readers take the size of an event for an int */
		errno = EFBIG;
	else if (write_bytes(out, &header) == 0 && write_bytes(out, &metadata) == 0 &&
		 write_bytes(out, &c->events) == 0 && write_bytes(out, &constants) == 0)
		result = 0;
	bytes_release(&header);
	bytes_release(&metadata);
	bytes_release(&constants);
	return result;
}
