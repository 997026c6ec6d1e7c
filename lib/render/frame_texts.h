/* SPDX-License-Identifier: Apache-2.0 */
/*
 * frame_texts.h - what a format writes for each frame of a model, made once. A hundred thousand
 * stacks have millions of frames, and a few thousand different ones.
 */
#ifndef OJX_FRAME_TEXTS_H
#define OJX_FRAME_TEXTS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "model/model.h"

struct frame_texts {
	struct frame_texts_jvm {
		char *bytes;
		size_t *start; /* in `bytes`, of each frame; and the end of the last */
	} * jvm;
	size_t njvms;
};

/* Writes a frame as it stands in a stack. 0, or -1 if out of memory. */
typedef int frame_text_fn(FILE *out, const struct model_frame *frame);

/* Makes the texts of all frames. 0, or -1 if out of memory. Release in any case. */
int frame_texts_make(struct frame_texts *t, const struct model *m, frame_text_fn *put);
void frame_texts_release(struct frame_texts *t);

/* The text of a frame, by its number in that JVM; *len receives its length. Any thread may ask. */
const char *frame_texts_at(const struct frame_texts *t, uint32_t jvm, uint32_t number, size_t *len);

#endif
