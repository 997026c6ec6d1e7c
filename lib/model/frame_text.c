/* SPDX-License-Identifier: Apache-2.0 */
/* frame_text.c - see frame_text.h. */
#include "model/frame_text.h"

#include "base/names.h"

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

	style_put(out, s, frame->class_name ? names_simple(frame->class_name) : NULL);
	putc('.', out);
	style_put(out, s, frame->method);
	if (frame->line > 0)
		fprintf(out, ":%d", frame->line);
	style_link_off(out, link);
}
