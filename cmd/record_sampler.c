/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record_sampler.c - what -e, --sampler, -F and -c of `ojx record` say together: what to look for,
 * and by which samples.
 *
 * Which sampler the machine has is found out by trying, before the program starts. One that was
 * asked for and is not there is replaced by the clock, since the analyses are the same; an event
 * that was named is not, since what it counts is what was asked.
 */
#define _GNU_SOURCE
#include "record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "host/sampling.h"
#include "options.h"
#include "say.h"

enum { MAX_EVENTS = 32 };

#define DEFAULT_HZ  200
#define CLOCK_LEAST 100000 /* ns; shorter periods would be all that the thread does */

static void say_no_event(const char *name, const char *why)
{
	const char *names[MAX_EVENTS + 1];
	size_t n = 0;

	for (int i = 0; analyses[i]; i++)
		for (const struct analysis_event *e = analyses[i]->events; e->name; e++)
			if (n < MAX_EVENTS)
				names[n++] = e->name;
	names[n] = NULL;
	const char *similar = say_similar(name, names);
	if (similar)
		say("--event: '%s': %s; did you mean '%s'?", name, why, similar);
	else
		say("--event: '%s': %s (see 'ojx list')", name, why);
}

/* The following return -1 to go on, or the exit status to end with. */

/* A name of -e that is no analysis. */
static int add_event(struct record_options *o, const char *name)
{
	char why[SAMPLING_WHY];

	if (o->nevents == WIRE_EVENTS) {
		say("--event: '%s' is one event too many: the limit is %d", name, WIRE_EVENTS);
		return EXIT_RECORD;
	}
	if (sampling_event(name, &o->event[o->nevents], why) < 0) {
		say_no_event(name, why);
		return EXIT_RECORD;
	}
	o->nevents++;
	return -1;
}

/* Opens the names of -e that are events, and writes those of analyses to `list`, separated by
 * commas. */
static int sort_names(struct record_options *o, char *names, FILE *list)
{
	struct analysis_needs needs;
	char *rest = NULL;
	size_t len;
	bool any = false;

	for (char *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
		if (!analyses_parse(analyses, name, &needs, &len)) {
			fprintf(list, any ? ",%s" : "%s", name);
			any = true;
			continue;
		}
		int status = add_event(o, name);
		if (status >= 0)
			return status;
	}
	return -1;
}

/* The name of an analysis to which any sample of a load is of use. */
static const char *sampling_analysis(void)
{
	for (int i = 0; analyses[i]; i++)
		for (const struct analysis_event *e = analyses[i]->events; e->name; e++)
			if (e->needs.loads)
				return e->name;
	return ""; /* there is always one */
}

static int read_names(struct record_options *o)
{
	char *names = strdup(o->events), *analysis_list = NULL;
	size_t len;
	FILE *list = names ? open_memstream(&analysis_list, &len) : NULL;
	int status = EXIT_RECORD;

	if (list) {
		status = sort_names(o, names, list);
		fclose(list);
	}
	if (!analysis_list) {
		say("out of memory");
		status = EXIT_RECORD;
	} else if (status < 0 && !*analysis_list) {
		if (o->nevents)
			say("--event: '%s' is no analysis: name one that uses its samples, "
			    "such as -e %s,%s",
			    o->events, sampling_analysis(), o->events);
		else
			say("--event: '%s' names nothing to look for (see 'ojx list')", o->events);
		status = EXIT_RECORD;
	} else if (status < 0) {
		analyses_parse(analyses, analysis_list, &o->needs, &len);
	}
	free(names);
	free(analysis_list);
	return status;
}

/* What the analyses cannot do without. */
static unsigned needed(const struct analysis_needs *needs)
{
	return (needs->loads ? PMU_WANT_LOADS : 0u) | (needs->stores ? PMU_WANT_STORES : 0u) |
	       (needs->latency ? PMU_WANT_LATENCY : 0u);
}

/*
 * What they want sampled. Uses of objects are found by whatever is sampled; for these alone loads
 * are, but only where the user asks for samples: they cost what allocations could be sampled for.
 */
static unsigned wanted(const struct record_options *o, int which)
{
	bool asked = o->nevents || o->frequency > 0 || o->count || which != SAMPLING_AUTO;
	unsigned needs = needed(&o->needs);

	return needs || !asked || !o->needs.objects || o->no_watch ? needs : PMU_WANT_LOADS;
}

/* An enum sampling_sampler by its name, or -1. */
static int sampler_of(const char *name)
{
	const char *names[SAMPLING_NONE + 2] = { NULL };

	for (int i = 0; sampling_rows[i].name; i++)
		names[i] = sampling_rows[i].name;
	return options_choice("sampler", name, names);
}

/* Fills in the events of the sampler that was chosen. */
static int choose(struct record_options *o)
{
	char why[SAMPLING_WHY];
	int which = sampler_of(o->sampler);

	if (which < 0)
		return EXIT_RECORD;
	if (which != SAMPLING_AUTO && o->nevents) {
		say("--sampler: '%s' and an event of -e exclude each other", o->sampler);
		return EXIT_RECORD;
	}
	if (!wanted(o, which) || (which == SAMPLING_NONE && !needed(&o->needs)))
		return -1;
	if (which == SAMPLING_NONE) {
		say("--sampler=none: '%s' needs samples of accesses", o->events);
		return EXIT_RECORD;
	}
	if (o->nevents)
		return -1;
	o->nevents = (uint32_t)sampling_events(which, wanted(o, which), o->event, why);
	if (o->nevents) {
		if (o->verbose && which == SAMPLING_AUTO)
			say("accesses are sampled by %s%s",
			    why[0] ? "the clock: " : "the processor's PMU", why);
		return -1;
	}
	if (which != SAMPLING_CLOCK && !o->quiet)
		say("--sampler=%s: %s; the clock samples instead", o->sampler, why);
	o->event[0] = pmu_clock();
	o->nevents = 1;
	return -1;
}

/* How often. */
static int pace(struct record_options *o)
{
	if (o->frequency > 0 && o->count) {
		say("--freq and --count exclude each other");
		return EXIT_RECORD;
	}
	o->governed = o->nevents && o->frequency <= 0 && !o->count;
	for (uint32_t i = 0; i < o->nevents; i++) {
		struct wire_event *e = &o->event[i];
		o->governed &= !e->period && !e->hz;
		bool clock = e->sampler == WIRE_SAMPLER_CLOCK;
		if (o->count || o->frequency > 0 || (!e->period && !e->hz)) {
			e->period = (uint64_t)o->count;
			e->hz = o->frequency > 0 ? (uint64_t)o->frequency : DEFAULT_HZ;
		}
		if (clock && e->period && e->period < CLOCK_LEAST) {
			say("--count: the clock counts nanoseconds, at least %d", CLOCK_LEAST);
			return EXIT_RECORD;
		}
	}
	return -1;
}

int record_sampler_choose(struct record_options *o)
{
	int status = read_names(o);

	if (status < 0)
		status = choose(o);
	return status < 0 ? pace(o) : status;
}
