/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_headline.c - the first sentence of a report: how much was allocated, in which time, by
 * which program, and how much of the time its pauses took.
 */
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "render/render.h"

/* What the program allocated, whatever rows the report has. */
static double allocated(const struct model *m)
{
	double bytes = 0;

	for (size_t i = 0; i < model_ncontexts(m); i++)
		bytes += model_context(m, i)->bytes;
	return bytes;
}

/* ---- the JVMs ---------------------------------------------------------------------------- */

/* What all JVMs of the recording have in common. */
struct common {
	size_t n; /* number of JVMs */
	int32_t pid;
	int jdk;	/* 0: not known, or several */
	const char *gc; /* "": likewise */
};

/* "17.0.15+6" is 17; 0 if it is unknown. */
static int jdk_of(const struct model_jvm *jvm)
{
	return (int)strtol(jvm->info.vm_version, NULL, 10);
}

static struct common common_of(const struct model *m)
{
	struct common c = { .gc = "" };

	for (uint32_t i = 1; i <= model_njvms(m); i++) {
		const struct model_jvm *jvm = model_jvm(m, i);
		if (!jvm)
			continue;
		if (c.n++ == 0) {
			c.pid = jvm->info.pid;
			c.jdk = jdk_of(jvm);
			c.gc = jvm->info.gc;
			continue;
		}
		if (jdk_of(jvm) != c.jdk)
			c.jdk = 0;
		if (strcmp(jvm->info.gc, c.gc) != 0)
			c.gc = "";
	}
	return c;
}

static void put_jvms(FILE *out, const struct recording *r, const struct style *s)
{
	const struct common c = common_of(r->model);

	if (c.n > 1)
		fprintf(out, "%zu JVMs", c.n);
	else if (r->command.program)
		style_put(out, s, r->command.program);
	else if (c.n == 1)
		fprintf(out, "process %d", c.pid);
	else
		fputs("an unknown program", out);
	if (c.jdk || *c.gc)
		fputs(" (", out);
	if (c.jdk)
		fprintf(out, "JDK %d%s", c.jdk, *c.gc ? ", " : "");
	style_put(out, s, c.gc);
	if (c.jdk || *c.gc)
		putc(')', out);
}

/* ---- the pauses -------------------------------------------------------------------------- */

static void put_count(FILE *out, uint64_t n, const char *noun)
{
	if (n == 0)
		fprintf(out, "no %s", noun);
	else
		fprintf(out, "%llu %s%s", (unsigned long long)n, noun, n == 1 ? "" : "s");
}

static void put_pauses(FILE *out, const struct pauses *p)
{
	const double share = p->seconds / p->recorded;
	char text[UNITS_TEXT];

	if (p->collects)
		put_count(out, p->collections, "collection");
	else
		put_count(out, p->n, "pause");
	if (p->n == 0)
		return;
	fprintf(out, "%s %s %% of the time", p->collects ? ", pauses" : ",",
		units_percent(text, share));
}

void render_headline(FILE *out, const struct report *r, const struct style *s)
{
	const struct recording *of = r->recording;
	const double bytes = allocated(of->model);
	const struct pauses p = recording_pauses(of, NULL);
	char amount[UNITS_TEXT], text[UNITS_TEXT];

	if (bytes > 0)
		fprintf(out, "%s allocated in %s by ", units_bytes(amount, bytes),
			units_seconds(text, of->duration_s));
	else
		fprintf(out, "%s of ", units_seconds(text, of->duration_s));
	if (of->thread_glob) {
		fputs("threads '", out);
		style_put(out, s, of->thread_glob);
		fputs("' of ", out);
	}
	put_jvms(out, of, s);
	if (p.known) {
		fputs(": ", out);
		put_pauses(out, &p);
	}
}
