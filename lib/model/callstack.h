/* SPDX-License-Identifier: Apache-2.0 */
/* callstack.h - resolved stacks: frames with names, compared by what a reader sees. */
#ifndef OJX_CALLSTACK_H
#define OJX_CALLSTACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/style.h"
#include "base/xmalloc.h"
#include "model/model.h"

struct callstack {
	struct model_frame *frames; /* innermost first; the texts belong to the model */
	size_t n;
	unsigned flags; /* wire_stack_flags */
};

/* Equal for equal texts; its 128 bits may stand for them. */
struct callstack_hash {
	uint64_t high, low;
};

/* Resolves stack `id` of a JVM. 0, or -1 if out of memory. Release with callstack_release. */
int callstack_resolve(struct callstack *stack, const struct model *m, uint32_t jvm, uint32_t id);
/* The same for reports (xmalloc.h). */
static inline void xcallstack_resolve(struct callstack *stack, const struct model *m, uint32_t jvm,
				      uint32_t id)
{
	if (callstack_resolve(stack, m, jvm, id) < 0)
		out_of_memory();
}
void callstack_release(struct callstack *stack);

/*
 * Why frames towards the root are missing, as a sentence and as a word; NULL if none is missing.
 * The flags are those of the stack.
 */
const char *callstack_missing(unsigned flags);
const char *callstack_missing_word(unsigned flags);

/*
 * Stands at the root of a stack whose callers were not read, where stacks are merged from the root:
 * otherwise the line would look like a program of its own.
 */
extern const struct model_frame callstack_unread;

/* Whether the callers of a stack's line were not read. */
bool callstack_is_unread(const struct model *m, uint32_t jvm, uint32_t id);

/* Number of frames that callstack_resolve would return. */
size_t callstack_length(const struct model *m, uint32_t jvm, uint32_t id);

/* The same; *numbers receives the numbers of the frames (model_frame). */
size_t callstack_numbers(const struct model *m, uint32_t jvm, uint32_t id, const uint32_t **numbers,
			 unsigned *flags);

/*
 * Hash of the `max` innermost frames (class, method, line, folds) and of `seed`. Whether the stack
 * is cut counts only if the whole stack is included.
 */
struct callstack_hash callstack_hash(const struct callstack *stack, size_t max, uint64_t seed);

/* Less than, equal to or greater than 0, in a fixed order. */
int callstack_hash_compare(const struct callstack_hash *a, const struct callstack_hash *b);

/*
 * Index of the frame that is the line, from 0: the innermost of the reader's own code
 * (model_set_own) or, if there is none, the innermost outside the platform (platform.h), which is
 * the code that a reader can change. 0 if all frames belong to the platform, or there are none.
 */
size_t callstack_line(const struct callstack *stack);
/* The same of frames; n instead of 0 if there is no such frame. */
size_t callstack_line_in(const struct model_frame *frames, size_t n);

/*
 * Whether the innermost frame of a stack of the model cannot itself touch an object of a class
 * (frame_is_only_near).
 */
bool callstack_is_only_near(const struct model *m, uint32_t jvm, uint32_t id,
			    const char *class_name);

/* The same as callstack_line for a stack of the model, without resolving it. */
size_t callstack_line_of(const struct model *m, uint32_t jvm, uint32_t id);

/*
 * Compare frames by their texts, in a fixed order: by class and method, or by all that a reader
 * sees of them.
 */
int frame_compare_methods(const struct model_frame *a, const struct model_frame *b);
int frame_compare(const struct model_frame *a, const struct model_frame *b);

/* ---- writes a frame of a stack as reports show it. */

/*
 * Writes "com.acme.Foo.bar (Foo.java:12)", as far as it is known; a folded cycle becomes a
 * sentence.
 */
void frame_put(FILE *out, const struct style *s, const struct model_frame *frame);

/* Writes "Foo.java:12"; the frame has a file. Each of these is a link if the style has links. */
void frame_put_line(FILE *out, const struct style *s, const struct model_frame *frame);

/* Writes "Foo.bar:12". */
void frame_put_site(FILE *out, const struct style *s, const struct model_frame *frame);

/*
 * Writes "Foo.bar:12, 15, 20 and 4 other lines": the frame's method with `n` of its lines. Those
 * that are not known are 0, and not written.
 */
void frame_put_lines(FILE *out, const struct style *s, const struct model_frame *frame,
		     const int *lines, size_t n);

/* Sorts line numbers, and leaves each once. Returns how many there are then. */
size_t line_numbers_sort(int *lines, size_t n);

#endif
