/* SPDX-License-Identifier: Apache-2.0 */
/* sampling.c - see sampling.h. */
#define _GNU_SOURCE
#define __PERFMON_PERF_EVENT_H__ /* NOLINT: libpfm4's own guard */

#include "host/sampling.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/checks.h"
#include "host/machine.h"

/*
 * ---- libpfm4's header includes an old copy of the kernel's, which must not conflict with the
 * real one.
 */

static const uint64_t base_type =
	PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU;

/* ---- events by name ---------------------------------------------------------------------- */

/*
 * Cuts perf's modifiers off a name: ":u", ":pp", ":upp". Returns the number of p's, -1 if there are
 * no modifiers.
 */
static int cut_modifiers(char *name)
{
	char *colon = strrchr(name, ':');
	int precise = 0;

	if (!colon || colon[1] == '\0' || strspn(colon + 1, "pu") != strlen(colon + 1))
		return -1;
	for (const char *p = colon + 1; *p; p++)
		precise += *p == 'p';
	*colon = '\0';
	return precise;
}

/* The sampler for an event; -1: its samples have no address. */
static int sampler_for(const struct perf_event_attr *attr)
{
	if (attr->type !=
	    PERF_TYPE_SOFTWARE) /* the generic hardware events do not record addresses */
		return attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_TRACEPOINT ||
				       attr->type == PERF_TYPE_BREAKPOINT
			       ? -1
			       : WIRE_SAMPLER_PMU;
	switch (attr->config) {
	case PERF_COUNT_SW_CPU_CLOCK:
	case PERF_COUNT_SW_TASK_CLOCK:
		return WIRE_SAMPLER_CLOCK;
	case PERF_COUNT_SW_PAGE_FAULTS:
	case PERF_COUNT_SW_PAGE_FAULTS_MIN:
	case PERF_COUNT_SW_PAGE_FAULTS_MAJ:
		return WIRE_SAMPLER_FAULTS;
	default:
		return -1;
	}
}

/* Asks libpfm4. 0, or -1 with errno. */
static int look_up(const char *name, struct perf_event_attr *attr)
{
	pfm_perf_encode_arg_t arg = { .attr = attr, .size = sizeof arg };

	errno = EINVAL;
	if (pfm_initialize() != PFM_SUCCESS)
		return -1;
	int error = pfm_get_os_event_encoding(name, PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg);
	if (error == PFM_SUCCESS)
		return 0;
	errno = error == PFM_ERR_NOTFOUND || error == PFM_ERR_ATTR || error == PFM_ERR_UMASK
			? ENOENT
			: EINVAL;
	return -1;
}

int pmu_encode(const char *name, struct wire_event *to)
{
	struct perf_event_attr attr = { .size = sizeof attr };
	char bare[PMU_NAME];

	if (strlen(name) >= sizeof bare) {
		errno = ENOENT;
		return -1;
	}
	memcpy(bare, name, strlen(name) + 1);
	int precise = cut_modifiers(bare);
	if (look_up(bare, &attr) < 0)
		return -1;
	int sampler = sampler_for(&attr);
	if (sampler < 0 || (sampler == WIRE_SAMPLER_PMU && precise == 0 && !attr.precise_ip)) {
		errno = ENOTSUP;
		return -1;
	}
	if (precise < 0)
		precise = attr.precise_ip ? (int)attr.precise_ip : PMU_PRECISE;
	to->sampler = (uint32_t)sampler;
	to->type = attr.type;
	to->precise = sampler == WIRE_SAMPLER_PMU ? (uint32_t)(precise < 3 ? precise : 3) : 0;
	to->kernel = 0;
	to->config = attr.config;
	to->config1 = attr.config1;
	to->config2 = attr.config2;
	to->sample_type = sampler == WIRE_SAMPLER_PMU ? PMU_SAMPLE_TYPE : base_type;
	if (attr.sample_period && attr.freq)
		to->hz = attr.sample_freq;
	else if (attr.sample_period)
		to->period = attr.sample_period;
	return 0;
}

/* Lists the precise variants of one event. */
static void tell_kinds(const pfm_event_info_t *event,
		       void (*tell)(const char *name, const char *help, void *arg), void *arg)
{
	for (int i = 0; i < event->nattrs; i++) {
		pfm_event_attr_info_t kind = { .size = sizeof kind };
		char name[PMU_NAME];
		if (pfm_get_event_attr_info(event->idx, i, PFM_OS_PERF_EVENT_EXT, &kind) !=
			    PFM_SUCCESS ||
		    kind.type != PFM_ATTR_UMASK || !kind.is_precise || kind.equiv)
			continue;
		snprintf(name, sizeof name, "%s.%s", event->name, kind.name);
		tell(name, kind.desc, arg);
	}
}

void pmu_memory_events(void (*tell)(const char *name, const char *help, void *arg), void *arg)
{
	if (pfm_initialize() != PFM_SUCCESS)
		return;
	for (int id = 0; id < PFM_PMU_MAX; id++) {
		pfm_pmu_info_t pmu = { .size = sizeof pmu };
		if (pfm_get_pmu_info((pfm_pmu_t)id, &pmu) != PFM_SUCCESS || !pmu.is_present ||
		    pmu.type != PFM_PMU_TYPE_CORE)
			continue;
		for (int i = pmu.first_event; i != -1; i = pfm_get_event_next(i)) {
			pfm_event_info_t event = { .size = sizeof event };
			if (pfm_get_event_info(i, PFM_OS_PERF_EVENT_EXT, &event) == PFM_SUCCESS &&
			    !event.equiv && strncmp(event.name, "MEM_", 4) == 0)
				tell_kinds(&event, tell, arg);
		}
	}
}

/* ---- software samplers -------------------------------------------------------------------- */

struct wire_event pmu_page_faults(void)
{
	return (struct wire_event){
		.sampler = WIRE_SAMPLER_FAULTS,
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.sample_type = base_type,
	};
}

struct wire_event pmu_clock(void)
{
	return (struct wire_event){
		.sampler = WIRE_SAMPLER_CLOCK,
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_TASK_CLOCK,
	};
}

int pmu_try(struct wire_event *e)
{
	int error = machine_sampling(e);

	while (error > 0 && e->precise > 1) {
		e->precise--;
		error = machine_sampling(e);
	}
	return error;
}

const struct sampling_row sampling_rows[] = {
	{ "auto", "pebs or ibs if the machine has it, else clock (the default)" },
	{ "pebs", "accesses that the PMU of an Intel processor samples precisely" },
	{ "ibs", "operations that the PMU of an AMD processor samples" },
	{ "spe", "operations that the PMU of an Arm processor samples" },
	{ "clock", "the next access of a thread after a period of its CPU time" },
	{ "page-faults", "accesses to pages that are not mapped yet" },
	{ "none", "no samples of accesses" },
	{ NULL, NULL },
};

/* Writes in words why the kernel refused an event. */
static void say_refusal(char why[SAMPLING_WHY], int error)
{
	struct check_result r = { .state = CHECK_OK };

	if (error == ENOENT || error == EOPNOTSUPP || error == ENODEV) {
		snprintf(why, SAMPLING_WHY,
			 "the machine has no PMU for it, like most virtual machines");
		return;
	}
	check_perf_error(&r, error);
	snprintf(why, SAMPLING_WHY, "%s", r.found);
}

/* Returns `n` if all events can be opened, else 0. */
static size_t tried(struct wire_event *events, size_t n, char why[SAMPLING_WHY])
{
	for (size_t i = 0; i < n; i++) {
		int error = pmu_try(&events[i]);
		if (error) {
			say_refusal(why, error);
			return 0;
		}
	}
	return n;
}

static size_t one(struct wire_event event, struct wire_event *to, char why[SAMPLING_WHY])
{
	*to = event;
	return tried(to, 1, why);
}

/* The processor's samplers. If the machine has no latency of loads, these are without. */
static size_t own(enum sampling_sampler which, unsigned wanted, struct wire_event *to,
		  char why[SAMPLING_WHY])
{
	size_t n = tried(to, processor_events(which, wanted, to, why), why);

	if (n == 0 && wanted & PMU_WANT_LATENCY) {
		unsigned less = (wanted & ~PMU_WANT_LATENCY) | PMU_WANT_LOADS;
		n = tried(to, processor_events(which, less, to, why), why);
	}
	return n;
}

/* The processor's own sampler, else the clock. */
static size_t best(unsigned wanted, struct wire_event *to, char why[SAMPLING_WHY])
{
	size_t n = own(SAMPLING_AUTO, wanted, to, why);

	if (n == 0) {
		to[0] = pmu_clock();
		n = 1;
	}
	return n;
}

size_t sampling_events(enum sampling_sampler which, unsigned wanted,
		       struct wire_event to[WIRE_EVENTS], char why[SAMPLING_WHY])
{
	why[0] = '\0';
	switch (which) {
	case SAMPLING_AUTO:
		return best(wanted, to, why);
	case SAMPLING_PEBS:
	case SAMPLING_IBS:
	case SAMPLING_SPE:
		return own(which, wanted, to, why);
	case SAMPLING_CLOCK:
		return one(pmu_clock(), to, why);
	case SAMPLING_FAULTS:
		return one(pmu_page_faults(), to, why);
	case SAMPLING_NONE:
		break;
	}
	return 0;
}

int sampling_event(const char *name, struct wire_event *to, char why[SAMPLING_WHY])
{
	*to = (struct wire_event){ 0 };
	why[0] = '\0';
	if (pmu_encode(name, to) < 0) {
		snprintf(why, SAMPLING_WHY, "%s",
			 errno == ENOENT    ? "neither an analysis nor an event of this machine"
			 : errno == ENOTSUP ? "its samples have no address"
					    : "not well-formed");
		return -1;
	}
	return tried(to, 1, why) == 1 ? 0 : -1;
}
