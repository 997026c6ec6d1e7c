/* SPDX-License-Identifier: Apache-2.0 */
/* locality_words.c - see locality_words.h. */
#include "analyse/locality/locality_words.h"

#include <math.h>

#include "analyse/locality/datasrc.h"
#include "analyse/locality/locality.h"
#include "base/units.h"

/* Names of the samples: what a share is a share of, and what it is not. */
static const struct {
	const char *share_of, *meaning;
} wordings[LOCALITY_METRICS] = {
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

/* ---- a finding --------------------------------------------------------------------------- */

void locality_tell(FILE *out, const struct style *s, const struct finding *f)
{
	const struct locality *l = f->own;

	if (!l->samples) {
		fprintf(out,
			"locality: %llu samples, all of them taken while objects were being "
			"moved\n",
			(unsigned long long)l->unplaced);
		return;
	}
	fprintf(out, "%slocality%s: shares of %s, in %llu samples, %s\n", style_on(s, INK_BOLD),
		style_off(s, INK_BOLD), wordings[l->metric].share_of,
		(unsigned long long)l->samples, wordings[l->metric].meaning);
	put_percent(out, l->followed);
	fprintf(out, " to objects that were followed from their allocation on, of %zu context%s",
		f->table[0].all, f->table[0].all == 1 ? "" : "s");
	if (l->unplaced)
		fprintf(out, "; %llu more samples were taken while objects were being moved",
			(unsigned long long)l->unplaced);
	putc('\n', out);
	if (l->local + l->remote) {
		fputs("NUMA: ", out);
		put_percent(out, (double)l->remote / (double)(l->local + l->remote));
		fprintf(out, " of %llu samples went to another node's memory\n",
			(unsigned long long)(l->local + l->remote));
	}
}

/* ---- an object --------------------------------------------------------------------------- */

static void put_share(FILE *out, const struct style *s, const struct finding_row *row)
{
	fputs(style_on(s, INK_BOLD), out);
	put_percent(out, row->share);
	fprintf(out, "%s [%.0f%s%.0f]", style_off(s, INK_BOLD), floor(row->range.low * 100),
		style_glyph(s, GLYPH_DASH), ceil(row->range.high * 100));
}

void locality_head(FILE *out, const struct style *s, const struct finding *f,
		   const struct finding_row *row)
{
	(void)f;
	put_share(out, s, row);
	fputs("  ", out);
	style_put(out, s, row->class_name ? row->class_name : "(class not known)");
}

static void put_levels(FILE *out, const struct file_access_sums *sums)
{
	const char *before = "found in   ";
	uint64_t all = 0;

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
}

static void put_machine(FILE *out, const struct style *s, const struct file_access_sums *sums)
{
	put_levels(out, sums);
	if (sums->latencies)
		fprintf(out, "latency    %.0f cycles on average\n",
			(double)sums->latency / (double)sums->latencies);
	if (sums->tlb) {
		fputs("TLB        ", out);
		put_percent(out, (double)sums->walk / (double)sums->tlb);
		fputs(" had to walk page tables\n", out);
	}
	if (sums->local + sums->remote) {
		fputs("NUMA       ", out);
		put_percent(out, (double)sums->remote / (double)(sums->local + sums->remote));
		fprintf(out, " remote, %llu local %s %llu remote\n",
			(unsigned long long)sums->local, style_glyph(s, GLYPH_DOT),
			(unsigned long long)sums->remote);
	}
}

void locality_lines(FILE *out, const struct style *s, const struct finding *f,
		    const struct finding_row *row)
{
	const struct locality_object *o = (const struct locality_object *)row;
	char objects[UNITS_TEXT], bytes[UNITS_TEXT];

	(void)f;
	fprintf(out,
		"allocated  %s object%s, %s; %llu sample%s in %llu of them: %llu loads, %llu "
		"stores\n",
		units_count(objects, o->objects), round(o->objects) == 1 ? "" : "s",
		units_bytes(bytes, o->bytes), (unsigned long long)row->count,
		row->count == 1 ? "" : "s", (unsigned long long)o->sums.objects,
		(unsigned long long)o->loads, (unsigned long long)o->stores);
	put_machine(out, s, &o->sums);
}

void locality_of_context(FILE *out, const struct style *s, const struct finding *f,
			 const struct finding_row *row)
{
	const struct locality_object *o = (const struct locality_object *)row;
	const struct locality *l = f->own;

	fputs("locality   ", out);
	put_share(out, s, row);
	fprintf(out, " of %s; %llu sample%s in %llu object%s: %llu loads, %llu stores\n",
		wordings[l->metric].share_of, (unsigned long long)row->count,
		row->count == 1 ? "" : "s", (unsigned long long)o->sums.objects,
		o->sums.objects == 1 ? "" : "s", (unsigned long long)o->loads,
		(unsigned long long)o->stores);
	put_machine(out, s, &o->sums);
}
