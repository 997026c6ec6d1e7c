/* SPDX-License-Identifier: Apache-2.0 */
/* frame_texts.c - see frame_texts.h. */
#include "render/frame_texts.h"

#include <stdlib.h>

static int write_all(FILE *out, struct frame_texts_jvm *to, const struct model *m, uint32_t jvm,
		     frame_text_fn *put)
{
	size_t n = model_nframes(m, jvm);

	for (size_t i = 0; i < n; i++) {
		struct model_frame frame = model_frame(m, jvm, (uint32_t)i);
		if (put(out, &frame) < 0)
			return -1;
		long end = ftell(out);
		if (end < 0)
			return -1;
		to->start[i + 1] = (size_t)end;
	}
	return 0;
}

static int make(struct frame_texts_jvm *to, const struct model *m, uint32_t jvm, frame_text_fn *put)
{
	size_t len;
	FILE *out = open_memstream(&to->bytes, &len);

	if (!out)
		return -1;
	to->start = calloc(model_nframes(m, jvm) + 1, sizeof *to->start);
	int result = to->start ? write_all(out, to, m, jvm, put) : -1;
	return fclose(out) == 0 ? result : -1;
}

int frame_texts_make(struct frame_texts *t, const struct model *m, frame_text_fn *put)
{
	size_t n = model_njvms(m);

	*t = (struct frame_texts){ .jvm = calloc(n + 1, sizeof *t->jvm) };
	if (!t->jvm)
		return -1;
	for (t->njvms = 0; t->njvms < n; t->njvms++)
		if (make(&t->jvm[t->njvms], m, (uint32_t)t->njvms + 1, put) < 0)
			return -1;
	return 0;
}

void frame_texts_release(struct frame_texts *t)
{
	for (size_t i = 0; t->jvm && i <= t->njvms; i++) {
		free(t->jvm[i].bytes);
		free(t->jvm[i].start);
	}
	free(t->jvm);
	*t = (struct frame_texts){ .njvms = 0 };
}

const char *frame_texts_at(const struct frame_texts *t, uint32_t jvm, uint32_t number, size_t *len)
{
	const struct frame_texts_jvm *of = &t->jvm[jvm - 1];

	*len = of->start[number + 1] - of->start[number];
	return of->bytes + of->start[number];
}
