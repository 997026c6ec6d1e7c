/* SPDX-License-Identifier: Apache-2.0 */
/* callstack.c - see callstack.h. */
#include "callstack.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "names.h"

int callstack_resolve(struct callstack *stack, const struct model *m, uint32_t jvm, uint32_t id)
{
	memset(stack, 0, sizeof *stack);
	stack->frames = calloc(WIRE_MAX_STACK, sizeof *stack->frames);
	if (!stack->frames)
		return -1;
	stack->n = model_stack(m, jvm, id, stack->frames, WIRE_MAX_STACK, &stack->flags);
	if (stack->n > WIRE_MAX_STACK)
		stack->n = WIRE_MAX_STACK;

	/* thousands of them are held at once: give back what is not used */
	size_t size = (stack->n ? stack->n : 1) * sizeof *stack->frames;
	struct model_frame *fitting = realloc(stack->frames, size);
	if (fitting)
		stack->frames = fitting;
	return 0;
}

void callstack_release(struct callstack *stack)
{
	free(stack->frames);
	memset(stack, 0, sizeof *stack);
}

/* The NUL goes in as well, or "ab" + "c" would equal "a" + "bc". */
static void add_text(XXH3_state_t *state, const char *text)
{
	text = text ? text : "?";
	XXH3_128bits_update(state, text, strlen(text) + 1);
}

static void add_frame(XXH3_state_t *state, const struct model_frame *frame)
{
	int numbers[2] = { frame->line, frame->folded };

	XXH3_128bits_update(state, numbers, sizeof numbers);
	if (frame->folded > 0)
		return;
	add_text(state, frame->class_name);
	add_text(state, frame->method);
}

struct callstack_hash callstack_hash(const struct callstack *stack, size_t max, uint64_t seed)
{
	size_t n = stack->n < max ? stack->n : max;
	unsigned flags = stack->n <= max ? stack->flags : 0;
	XXH3_state_t state;

	XXH3_INITSTATE(&state);
	XXH3_128bits_reset_withSeed(&state, seed);
	for (size_t i = 0; i < n; i++)
		add_frame(&state, &stack->frames[i]);
	XXH3_128bits_update(&state, &flags, sizeof flags);
	XXH128_hash_t hash = XXH3_128bits_digest(&state);
	return (struct callstack_hash){ hash.high64, hash.low64 };
}

int callstack_hash_compare(const struct callstack_hash *a, const struct callstack_hash *b)
{
	if (a->high != b->high)
		return a->high < b->high ? -1 : 1;
	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return 0;
}

size_t callstack_application(const struct callstack *stack)
{
	for (size_t i = 0; i < stack->n; i++)
		if (stack->frames[i].folded <= 0 && !names_in_jdk(stack->frames[i].class_name))
			return i;
	return stack->n;
}
