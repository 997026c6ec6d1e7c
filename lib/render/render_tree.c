/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_tree.c - writes calling contexts as a tree (render_findings.h).
 *
 * No tree is built: if paths are sorted by their frames, outermost first, those of a subtree are
 * adjacent.
 */
#include "render/render_findings.h"

#include <stdlib.h>

#include "base/shares.h"
#include "base/sort.h"
#include "base/xmalloc.h"
#include "model/callstack.h"

#define LEAST 0.03 /* smaller branches are added up: one or two of a hundred samples */

/* Frame i, counted from the outermost; NULL beyond the innermost. */
static const struct model_frame *frame_at(const struct tree_path *p, size_t i)
{
	return i < p->stack->n ? &p->stack->frames[p->stack->n - 1 - i] : NULL;
}

static int compare_paths(const void *a, const void *b)
{
	const struct tree_path *x = a, *y = b;

	for (size_t i = 0;; i++) {
		const struct model_frame *f = frame_at(x, i), *g = frame_at(y, i);
		if (!f || !g)
			return (f != NULL) - (g != NULL);
		int order = frame_compare(f, g);
		if (order)
			return order;
	}
}

/*
 * Number of frames from `depth` on that n sorted paths share; it is enough to compare the first and
 * the last.
 */
static size_t shared(const struct tree_path *paths, size_t n, size_t depth)
{
	size_t i = depth;

	for (;; i++) {
		const struct model_frame *f = frame_at(&paths[0], i),
					 *g = frame_at(&paths[n - 1], i);
		if (!f || !g || frame_compare(f, g) != 0)
			return i - depth;
	}
}

static void put_frame(FILE *out, const struct style *s, const char *indent, size_t level,
		      const struct model_frame *f)
{
	fprintf(out, "%s%*s", indent, (int)(2 * level + 8), "");
	frame_put(out, s, f);
	putc('\n', out);
}

/* Adjacent paths that begin with the same frames. */
struct branch {
	struct tree_path *first;
	size_t n;
	double share;
	uint64_t count; /* of what was seen */
};

struct tree {
	FILE *out;
	const struct style *style;
	size_t frames;
	const char *indent;
	uint64_t seen; /* by all paths */
};

/*
 * Writes the frames of a chain without branches, from `depth` on; the first gets the share of the
 * branch.
 */
static void put_chain(const struct tree *t, const struct tree_path *p, size_t depth, size_t len,
		      size_t level, const struct branch *of)
{
	char text[UNITS_TEXT];
	size_t most = t->frames > 2 ? t->frames : 2;

	fprintf(t->out, "%s%*s%7s ", t->indent, (int)(2 * level), "",
		share_among(text, of->share, of->count, t->seen));
	for (size_t i = 0; i < len; i++) {
		if (len > most && i == 1) {
			size_t left = len - most;
			fprintf(t->out, "%s%*s%s %zu frame%s\n", t->indent, (int)(2 * level + 8),
				"", style_glyph(t->style, GLYPH_ELLIPSIS), left,
				left == 1 ? "" : "s");
			i += left;
		}
		if (i > 0) {
			put_frame(t->out, t->style, t->indent, level, frame_at(p, depth + i));
			continue;
		}
		frame_put(t->out, t->style, frame_at(p, depth));
		putc('\n', t->out);
	}
	if (len == 0)
		fputs(depth ? "(itself)\n" : "(unknown)\n", t->out);
}

static int compare_branches(const void *a, const void *b)
{
	const struct branch *x = a, *y = b;

	return ORDER(y->share, x->share) ?: ORDER(x->first, y->first);
}

/* Splits n sorted paths by their frames at `depth`; the caller frees it. */
static struct branch *split(struct tree_path *paths, size_t n, size_t depth, size_t *count)
{
	struct branch *b = xcalloc(n, sizeof *b);

	*count = 0;
	for (size_t i = 0; i < n; i++) {
		const struct model_frame *f = frame_at(&paths[i], depth);
		const struct model_frame *g = i ? frame_at(&paths[i - 1], depth) : NULL;
		if (i == 0 || !f != !g || (f && frame_compare(f, g) != 0))
			b[(*count)++].first = &paths[i];
		b[*count - 1].n++;
		b[*count - 1].share += paths[i].share;
		b[*count - 1].count += paths[i].count;
	}
	qsort(b, *count, sizeof *b, compare_branches);
	return b;
}

static void put_branches(const struct tree *t, struct tree_path *paths, size_t n, size_t depth,
			 size_t level)
{
	size_t count, few = 0;
	struct branch rest = { .n = 0 };
	struct branch *b = split(paths, n, depth, &count);
	char text[UNITS_TEXT];

	for (size_t i = 0; i < count; i++) {
		if (depth && count == 1 && !frame_at(b->first, depth))
			break; /* all of them end here */
		if (i > 0 && b[i].share < LEAST) {
			rest.share += b[i].share;
			rest.count += b[i].count;
			few++;
			continue;
		}
		size_t len = shared(b[i].first, b[i].n, depth);
		put_chain(t, b[i].first, depth, len, level, &b[i]);
		if (b[i].n > 1 && len > 0)
			put_branches(t, b[i].first, b[i].n, depth + len, level + 1);
	}
	if (few)
		fprintf(t->out, "%s%*s%7s %s %zu more\n", t->indent, (int)(2 * level), "",
			share_among(text, rest.share, rest.count, t->seen),
			style_glyph(t->style, GLYPH_ELLIPSIS), few);
	free(b);
}

void render_tree(FILE *out, const struct style *s, struct tree_path *paths, size_t n, size_t frames,
		 const char *indent)
{
	struct tree t = { out, s, frames, indent, 0 };

	if (n == 0)
		return;
	for (size_t i = 0; i < n; i++)
		t.seen += paths[i].count;
	qsort(paths, n, sizeof *paths, compare_paths);
	size_t common = shared(paths, n, 0);
	/* if there is only one path, show its innermost frames */
	size_t kept = common < frames ? common : frames;
	put_branches(&t, paths, n, n > 1 && common ? common - 1 : common - kept, 0);
}
