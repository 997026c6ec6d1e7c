/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_locality.c - object locality: which objects accesses go to, by where they were allocated,
 * and below each the calling contexts of its accesses, as a tree from the outermost frame inwards.
 */
#include <math.h>
#include <stdlib.h>

#include "analyse/locality/datasrc.h"
#include "base/units.h"
#include "render/render.h"
#include "render/render_tree.h"

#define INDENT "     "
#define SHOWN  10 /* allocation contexts in full */
#define OTHERS 5  /* classes of objects that are not followed */

/* What samples are called: what a share is one of, and what it must not be taken for. */
struct wording {
	const char *share_of, *meaning;
};

static const struct wording wordings[LOCALITY_METRICS] = {
	[LOCALITY_TIME] = { "the time at accesses to the heap",
			    "sampled by CPU time in front of accesses: a slow one counts for "
			    "more" },
	[LOCALITY_ACCESS] = { "the sampled accesses to the heap", "sampled by the processor" },
	[LOCALITY_FAULT] = { "the page faults in the heap", "sampled by the kernel" },
};

static void put_percent(FILE *out, double share)
{
	char text[UNITS_TEXT];

	fprintf(out, "%s %%", units_percent(text, share));
}

static void put_title(FILE *out, const struct locality *l, const struct style *s)
{
	const struct wording *text = &wordings[l->metric];
	const struct filter_left *left = &l->objects_left;
	size_t all = l->nobjects + left->unselected + left->below + left->beyond;

	fprintf(out, "\n# %slocality%s: shares of %s, in %llu samples, %s\n", style_on(s, INK_BOLD),
		style_off(s, INK_BOLD), text->share_of, (unsigned long long)l->samples,
		text->meaning);
	fputs("# ", out);
	put_percent(out, l->followed);
	fprintf(out, " to objects that were followed from their allocation on, of %zu context%s",
		all, all == 1 ? "" : "s");
	if (l->unplaced)
		fprintf(out, "; %llu more samples came when objects were just being moved",
			(unsigned long long)l->unplaced);
	putc('\n', out);
	if (l->local + l->remote) {
		fputs("# NUMA: ", out);
		put_percent(out, (double)l->remote / (double)(l->local + l->remote));
		fprintf(out, " of %llu samples went to another node's memory\n",
			(unsigned long long)(l->local + l->remote));
	}
}

/* ---- an object --------------------------------------------------------------------------- */

static void put_levels(FILE *out, const struct style *s, const struct file_access_sums *sums)
{
	uint64_t all = 0;
	const char *before = INDENT "found in   ";

	for (int i = 0; i < FILE_LEVELS; i++)
		all += sums->level[i];
	for (int i = 0; i < FILE_LEVELS; i++) {
		if (!sums->level[i])
			continue;
		fprintf(out, "%s%s ", before, datasrc_level_name((enum file_level)i));
		put_percent(out, (double)sums->level[i] / (double)all);
		before = ", ";
	}
	if (all)
		putc('\n', out);
	if (sums->latencies)
		fprintf(out, INDENT "latency    %.0f cycles on average\n",
			(double)sums->latency / (double)sums->latencies);
	if (sums->tlb) {
		fputs(INDENT "TLB        ", out);
		put_percent(out, (double)sums->walk / (double)sums->tlb);
		fputs(" had to walk page tables\n", out);
	}
	if (sums->local + sums->remote) {
		fputs(INDENT "NUMA       ", out);
		put_percent(out, (double)sums->remote / (double)(sums->local + sums->remote));
		fprintf(out, " remote, %llu local %s %llu remote\n",
			(unsigned long long)sums->local, style_glyph(s, GLYPH_DOT),
			(unsigned long long)sums->remote);
	}
}

static void put_share(FILE *out, const struct style *s, const struct locality_object *o)
{
	fputs(style_on(s, INK_BOLD), out);
	put_percent(out, o->share);
	fprintf(out, "%s [%.0f%s%.0f]", style_off(s, INK_BOLD), floor(o->range.low * 100),
		style_glyph(s, GLYPH_DASH), ceil(o->range.high * 100));
}

static void put_range(FILE *out, const struct style *s, const struct locality_object *o)
{
	put_share(out, s, o);
	fputs("  ", out);
	style_put(out, s, o->class && o->class->name ? o->class->name : "(class not known)");
}

static int put_tree(FILE *out, const struct report *r, const struct style *s,
		    const struct locality_object *o)
{
	struct tree_path *paths = calloc(o->naccesses ? o->naccesses : 1, sizeof *paths);

	if (!paths)
		return -1;
	for (size_t i = 0; i < o->naccesses; i++)
		paths[i] = (struct tree_path){ &o->accesses[i].stack, o->accesses[i].share };
	render_tree(out, s, paths, o->naccesses, r->access_frames, INDENT "  ");
	free(paths);
	return 0;
}

static int put_object(FILE *out, const struct report *r, const struct style *s, size_t rank,
		      const struct locality_object *o)
{
	char objects[UNITS_TEXT], bytes[UNITS_TEXT];

	fprintf(out, "\n%3zu. ", rank);
	put_range(out, s, o);
	if (model_njvms(r->recording->model) > 1)
		fprintf(out, ", JVM %d", o->pid);
	fprintf(out,
		"\n" INDENT
		"allocated  %s object%s, %s; %llu sample%s in %llu of them: %llu loads, "
		"%llu stores\n",
		units_count(objects, o->objects), round(o->objects) == 1 ? "" : "s",
		units_bytes(bytes, o->bytes), (unsigned long long)o->sums.count,
		o->sums.count == 1 ? "" : "s", (unsigned long long)o->sums.objects,
		(unsigned long long)o->loads, (unsigned long long)o->stores);
	put_levels(out, s, &o->sums);
	fputs(INDENT "allocated at\n", out);
	render_stack(out, s, &o->stack, r->access_frames, INDENT "  ");
	fputs(INDENT "accessed at\n", out);
	return put_tree(out, r, s, o);
}

/* ---- the rest ---------------------------------------------------------------------------- */

static int put_others(FILE *out, const struct report *r, const struct style *s,
		      const struct locality *l)
{
	size_t shown = r->limited || l->nothers < OTHERS ? l->nothers : OTHERS;

	if (!l->nothers && !l->others_left.unselected && !l->others_left.below)
		return 0;
	fputs("\n# objects that were not followed: too small, not sampled, or there before; by "
	      "class\n",
	      out);
	for (size_t i = 0; i < shown; i++) {
		fputs("\n" INDENT, out);
		put_range(out, s, &l->others[i]);
		putc('\n', out);
		if (put_tree(out, r, s, &l->others[i]) < 0)
			return -1;
	}
	render_left(out, s, &l->others_left, l->nothers - shown, "class", "classes");
	return 0;
}

static int put_metric(FILE *out, const struct report *r, const struct style *s,
		      const struct locality *l)
{
	size_t shown = 0, few = 0, most = r->limited ? SIZE_MAX : SHOWN;

	put_title(out, l, s);
	for (size_t i = 0; i < l->nobjects; i++)
		few += l->objects[i].effective < LOCALITY_LEAST;
	for (size_t i = 0; i < l->nobjects && shown < most; i++) {
		if (l->objects[i].effective < LOCALITY_LEAST)
			continue;
		if (put_object(out, r, s, ++shown, &l->objects[i]) < 0)
			return -1;
	}
	render_left(out, s, &l->objects_left, l->nobjects - few - shown, "context", "contexts");
	if (few)
		fprintf(out, "\n" INDENT "%s %zu context%s with too few samples to give a share\n",
			style_glyph(s, GLYPH_ELLIPSIS), few, few == 1 ? "" : "s");
	return put_others(out, r, s, l);
}

/* One metric's samples of a row's objects, which are several where a row has several stacks. */
static int put_of(FILE *out, const struct report *r, const struct style *s,
		  const struct locality *l)
{
	for (size_t i = 0; i < l->nobjects; i++) {
		const struct locality_object *o = &l->objects[i];
		fputs("\n" INDENT "locality   ", out);
		put_share(out, s, o);
		fprintf(out, " of %s; %llu sample%s in %llu object%s: %llu loads, %llu stores\n",
			wordings[l->metric].share_of, (unsigned long long)o->sums.count,
			o->sums.count == 1 ? "" : "s", (unsigned long long)o->sums.objects,
			o->sums.objects == 1 ? "" : "s", (unsigned long long)o->loads,
			(unsigned long long)o->stores);
		put_levels(out, s, &o->sums);
		fputs(INDENT "accessed at\n", out);
		if (put_tree(out, r, s, o) < 0)
			return -1;
	}
	return 0;
}

int render_locality_of(FILE *out, const struct report *r, const struct style *s,
		       const struct row *row)
{
	struct locality l[LOCALITY_METRICS];
	int result = 0;

	if (locality_compute_of(l, r->recording->model, r->confidence, row->contexts,
				row->ncontexts) < 0)
		return -1;
	for (int k = 0; k < LOCALITY_METRICS && result == 0; k++)
		result = put_of(out, r, s, &l[k]);
	locality_release(l);
	return result;
}

int render_locality(FILE *out, const struct report *r, const struct style *s)
{
	for (int k = 0; k < LOCALITY_METRICS && r->locality; k++) {
		const struct locality *l = &r->locality[k];
		if (l->samples && put_metric(out, r, s, l) < 0)
			return -1;
		if (!l->samples && l->unplaced)
			fprintf(out,
				"\n# locality: %llu samples, all of which came when objects were "
				"just "
				"being moved\n",
				(unsigned long long)l->unplaced);
	}
	return 0;
}
