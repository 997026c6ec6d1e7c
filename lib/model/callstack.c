/* SPDX-License-Identifier: Apache-2.0 */
/* callstack.c - see callstack.h. */
#define XXH_INLINE_ALL

#include "model/callstack.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/grow.h"
#include "base/javaname.h"
#include "base/sort.h"
#include "model/platform.h"

/* NULL comes first. */
static int compare_texts(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

int frame_compare_methods(const struct model_frame *a, const struct model_frame *b)
{
	return compare_texts(a->class_name, b->class_name) ?: compare_texts(a->method, b->method);
}

int frame_compare(const struct model_frame *a, const struct model_frame *b)
{
	return frame_compare_methods(a, b)
		       ?: ORDER(a->line, b->line)
		       ?: ORDER(a->folded, b->folded);
}

void frame_put_line(FILE *out, const struct style *s, const struct model_frame *frame)
{
	bool link = style_link_on(out, s, frame->class_name, frame->file, frame->line);

	style_put(out, s, frame->file);
	if (frame->line > 0)
		fprintf(out, ":%d", frame->line);
	style_link_off(out, link);
}

void frame_put(FILE *out, const struct style *s, const struct model_frame *frame)
{
	if (frame->folded > 0) {
		fputs(style_glyph(s, GLYPH_ELLIPSIS), out);
		if (frame->folded == 1)
			fputs(" the frame above repeats", out);
		else
			fprintf(out, " the %d frames above repeat", frame->folded);
		return;
	}
	style_put(out, s, frame->class_name);
	putc('.', out);
	style_put(out, s, frame->method);
	if (frame->file) {
		fputs(" (", out);
		frame_put_line(out, s, frame);
		putc(')', out);
	} else if (frame->line > 0) {
		fprintf(out, " (line %d)", frame->line);
	}
}

void frame_put_site(FILE *out, const struct style *s, const struct model_frame *frame)
{
	bool link = style_link_on(out, s, frame->class_name, frame->file, frame->line);

	style_put(out, s, frame->class_name ? names_short(frame->class_name) : NULL);
	putc('.', out);
	style_put(out, s, frame->method);
	if (frame->line > 0)
		fprintf(out, ":%d", frame->line);
	style_link_off(out, link);
}

enum { LINES_NAMED = 3 /* of a method */ };

void frame_put_lines(FILE *out, const struct style *s, const struct model_frame *frame,
		     const int *lines, size_t n)
{
	bool link = frame->file && frame->line > 0 &&
		    style_link_on(out, s, frame->class_name, frame->file, frame->line);
	const char *before = ":";

	style_put(out, s, names_short(frame->class_name));
	putc('.', out);
	style_put(out, s, frame->method);
	for (size_t i = 0; i < n && (i < LINES_NAMED || n == LINES_NAMED + 1); i++) {
		if (lines[i] <= 0)
			continue;
		fprintf(out, "%s%d", before, lines[i]);
		before = ", ";
	}
	if (n > LINES_NAMED + 1)
		fprintf(out, " and %zu other lines", n - LINES_NAMED);
	style_link_off(out, link);
}

static int compare_numbers(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return ORDER(*x, *y);
}

size_t line_numbers_sort(int *lines, size_t n)
{
	size_t kept = 0;

	if (n > 0) /* qsort takes no NULL */
		qsort(lines, n, sizeof *lines, compare_numbers);
	for (size_t i = 0; i < n; i++)
		if (kept == 0 || lines[kept - 1] != lines[i])
			lines[kept++] = lines[i];
	return kept;
}

const struct model_frame callstack_unread = {
	.class_name = "", .method = "[callers not read]", .bci = -1, .platform = true
};

const char *callstack_missing(unsigned flags)
{
	if (!(flags & WIRE_STACK_CUT))
		return NULL;
	if (flags & WIRE_STACK_COUNTED)
		return "only counted: its callers were not read";
	if (flags & WIRE_STACK_SHORT)
		return "cut here: the program has very many stacks";
	return "cut here: deeper than 'ojx record --max-stack'";
}

const char *callstack_missing_word(unsigned flags)
{
	if (!(flags & WIRE_STACK_CUT))
		return NULL;
	return flags & WIRE_STACK_COUNTED ? "counted" : flags & WIRE_STACK_SHORT ? "room" : "depth";
}

bool callstack_is_unread(const struct model *m, uint32_t jvm, uint32_t id)
{
	const uint32_t *numbers;
	unsigned flags;

	model_stack_frames(m, jvm, id, &numbers, &flags);
	return flags & WIRE_STACK_COUNTED;
}

int callstack_resolve(struct callstack *stack, const struct model *m, uint32_t jvm, uint32_t id)
{
	memset(stack, 0, sizeof *stack);
	size_t n = callstack_length(m, jvm, id);
	stack->frames = calloc(n ? n : 1, sizeof *stack->frames);
	if (!stack->frames)
		return -1;
	model_stack(m, jvm, id, stack->frames, n, &stack->flags);
	stack->n = n;
	return 0;
}

size_t callstack_numbers(const struct model *m, uint32_t jvm, uint32_t id, const uint32_t **numbers,
			 unsigned *flags)
{
	size_t n = model_stack_frames(m, jvm, id, numbers, flags);

	return n < WIRE_MAX_STACK ? n : WIRE_MAX_STACK;
}

size_t callstack_length(const struct model *m, uint32_t jvm, uint32_t id)
{
	const uint32_t *numbers;
	unsigned flags;

	return callstack_numbers(m, jvm, id, &numbers, &flags);
}

void callstack_release(struct callstack *stack)
{
	free(stack->frames);
	memset(stack, 0, sizeof *stack);
}

/* the NUL is included, or "ab" + "c" would equal "a" + "bc" */
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
	return ORDER(a->high, b->high) ?: ORDER(a->low, b->low);
}

size_t callstack_line_in(const struct model_frame *frames, size_t n)
{
	size_t line = n;

	for (size_t i = n; i-- > 0;)
		if (frames[i].own || (!frames[i].platform && (line == n || !frames[line].own)))
			line = i;
	return line;
}

size_t callstack_line(const struct callstack *stack)
{
	size_t line = callstack_line_in(stack->frames, stack->n);

	return line < stack->n ? line : 0;
}

size_t callstack_line_of(const struct model *m, uint32_t jvm, uint32_t id)
{
	const uint32_t *numbers;
	unsigned flags;
	size_t n = callstack_numbers(m, jvm, id, &numbers, &flags), program = n;

	for (size_t i = 0; i < n; i++) {
		enum model_owner owner = model_frame_owner(m, jvm, numbers[i]);
		if (owner == MODEL_OF_READER || (owner == MODEL_OF_PROGRAM && !model_has_own(m)))
			return i;
		if (owner == MODEL_OF_PROGRAM && program == n)
			program = i;
	}
	return program < n ? program : 0;
}

bool callstack_is_only_near(const struct model *m, uint32_t jvm, uint32_t id,
			    const char *class_name)
{
	const uint32_t *numbers;
	unsigned flags;

	if (callstack_numbers(m, jvm, id, &numbers, &flags) == 0)
		return false;
	struct model_frame frame = model_frame(m, jvm, numbers[0]);
	return frame_is_only_near(&frame, class_name);
}
