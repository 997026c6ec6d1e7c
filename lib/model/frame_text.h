/* SPDX-License-Identifier: Apache-2.0 */
/* frame_text.h - writes a frame of a stack as reports show it. */
#ifndef OJX_FRAME_TEXT_H
#define OJX_FRAME_TEXT_H

#include <stdio.h>

#include "base/style.h"
#include "model/model.h"

/*
 * Writes "com.acme.Foo.bar (Foo.java:12)", as far as it is known; a folded cycle becomes a
 * sentence.
 */
void frame_put(FILE *out, const struct style *s, const struct model_frame *frame);

/* Writes "Foo.java:12"; the frame has a file. Each of these is a link if the style has links. */
void frame_put_line(FILE *out, const struct style *s, const struct model_frame *frame);

/* Writes "Foo.bar:12". */
void frame_put_site(FILE *out, const struct style *s, const struct model_frame *frame);

#endif
