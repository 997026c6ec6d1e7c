/* SPDX-License-Identifier: Apache-2.0 */
/* callstack_hasher.c - see callstack_hasher.h. */
#define XXH_INLINE_ALL

#include "model/callstack_hasher.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/grow.h"
#include "base/xmalloc.h"

void callstack_hasher_begin(struct callstack_hasher *h, const struct model *m)
{
	*h = (struct callstack_hasher){ .model = m };
}

void callstack_hasher_end(struct callstack_hasher *h)
{
	for (size_t i = 0; i < h->njvms; i++)
		free(h->frames[i].hash);
	free(h->frames);
	*h = (struct callstack_hasher){ .njvms = 0 };
}

/* Returns room for the hashes of all frames that a JVM has so far. */
static struct callstack_hash *frame_hashes(struct callstack_hasher *h, uint32_t jvm)
{
	size_t n = model_nframes(h->model, jvm);

	XGROW_TO(h->frames, h->njvms, jvm - 1);
	struct callstack_frames *f = &h->frames[jvm - 1];
	if (n > f->n || !f->hash) {
		size_t room = f->hash ? 2 * n : n + 1;
		struct callstack_hash *hash = xreallocarray(f->hash, room, sizeof *hash);
		memset(hash + f->n, 0, (room - f->n) * sizeof *hash);
		f->hash = hash;
		f->n = room;
	}
	return f->hash;
}

/* The hash of a frame. It is computed once, except for a frame whose method is not known yet. */
static struct callstack_hash frame_hash(struct callstack_hasher *h, struct callstack_hash *known,
					uint32_t jvm, uint32_t number)
{
	if (known[number].low || known[number].high)
		return known[number];
	struct model_frame frame = model_frame(h->model, jvm, number);
	struct callstack one = { .frames = &frame, .n = 1 };
	return known[number] = callstack_hash(&one, 1, 0);
}

struct callstack_hash callstack_hasher_hash(struct callstack_hasher *h, uint32_t jvm, uint32_t id,
					    size_t max, uint64_t seed)
{
	struct callstack_hash text[WIRE_MAX_STACK + 1];
	struct callstack_hash *known = frame_hashes(h, jvm);
	const uint32_t *numbers;
	unsigned flags;
	size_t all = model_stack_frames(h->model, jvm, id, &numbers, &flags);
	size_t n = all < max ? all : max;

	if (n > WIRE_MAX_STACK)
		n = WIRE_MAX_STACK;
	for (size_t i = 0; i < n; i++)
		text[i] = frame_hash(h, known, jvm, numbers[i]);
	text[n] = (struct callstack_hash){ .low = all <= max ? flags : 0 };
	XXH128_hash_t x = XXH3_128bits_withSeed(text, (n + 1) * sizeof *text, seed);
	return (struct callstack_hash){ x.high64, x.low64 };
}

struct callstack_hash callstack_hasher_frame(struct callstack_hasher *h, uint32_t jvm, uint32_t id,
					     size_t frame, uint64_t seed)
{
	struct callstack_hash text = { 0 };
	struct callstack_hash *known = frame_hashes(h, jvm);
	const uint32_t *numbers;
	unsigned flags;
	size_t n = model_stack_frames(h->model, jvm, id, &numbers, &flags);

	for (size_t i = 0; i < n && i < frame; i++)
		frame_hash(h, known, jvm,
			   numbers[i]); /* a method that is not known yet may be the line */
	if (frame < n)
		text = frame_hash(h, known, jvm, numbers[frame]);
	XXH128_hash_t x = XXH3_128bits_withSeed(&text, sizeof text, seed);
	return (struct callstack_hash){ x.high64, x.low64 };
}
