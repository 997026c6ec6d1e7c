/* SPDX-License-Identifier: Apache-2.0 */
/* sampling.c - see sampling.h. */
#define _GNU_SOURCE
#define __PERFMON_PERF_EVENT_H__ /* NOLINT: libpfm4's own guard */

#include "host/sampling.h"

#include <cpuid.h>
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

#define PRECISE	   2  /* the exact address of the instruction, on all processors that support it */
#define IBS_CNT	   19 /* bit of config: count operations instead of cycles */
#define IBS_SWFILT 0  /* bit of config2: the kernel drops samples of itself */

static const uint64_t base_type =
	PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU;
static const uint64_t pmu_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_ADDR |
				 PERF_SAMPLE_CPU | PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC;

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
		precise = attr.precise_ip ? (int)attr.precise_ip : PRECISE;
	to->sampler = (uint32_t)sampler;
	to->type = attr.type;
	to->precise = sampler == WIRE_SAMPLER_PMU ? (uint32_t)(precise < 3 ? precise : 3) : 0;
	to->kernel = 0;
	to->config = attr.config;
	to->config1 = attr.config1;
	to->config2 = attr.config2;
	to->sample_type = sampler == WIRE_SAMPLER_PMU ? pmu_type : base_type;
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

/* ---- events by processor ----------------------------------------------------------------- */

#define UOPS(p)                                             \
	.name = (p), .loads = "MEM_UOPS_RETIRED:ALL_LOADS", \
	.stores = "MEM_UOPS_RETIRED:ALL_STORES",            \
	.latency = "MEM_TRANS_RETIRED:LOAD_LATENCY:ldlat=3"
#define INST(p)                                             \
	.name = (p), .loads = "MEM_INST_RETIRED:ALL_LOADS", \
	.stores = "MEM_INST_RETIRED:ALL_STORES",            \
	.latency = "MEM_TRANS_RETIRED:LOAD_LATENCY:ldlat=3"

/* On these the kernel requires a second event beside the latency event. */
#define NEWER(p) \
	.name = (p), .loads = "MEM_INST_RETIRED:ALL_LOADS", .stores = "MEM_INST_RETIRED:ALL_STORES"

const struct pmu_family pmu_families[] = {
	{ UOPS("hsw"), .models = { 0x3c, 0x45, 0x46 } },
	{ UOPS("hsw_ep"), .models = { 0x3f } },
	{ UOPS("bdw"), .models = { 0x3d, 0x47 } },
	{ UOPS("bdw_ep"), .models = { 0x4f, 0x56 } },
	{ INST("skl"), .models = { 0x4e, 0x5e, 0x8e, 0x9e, 0xa5, 0xa6 } },
	{ INST("skx"), .models = { 0x55 } }, /* and Cascade Lake, Cooper Lake */
	{ INST("icl"), .models = { 0x7d, 0x7e, 0x8c, 0x8d, 0xa7 } },
	{ INST("icx"), .models = { 0x6a, 0x6c } },
	{ NEWER("spr"), .models = { 0x8f } },
	/*
	 * Emerald Rapids, Granite Rapids, Alder Lake, Raptor Lake: like Sapphire Rapids, but
	 * unknown to libpfm4 4.13
	 */
	{ NEWER(NULL), .models = { 0xcf, 0xad, 0xae, 0x97, 0x9a, 0xb7, 0xba } },
};
const size_t pmu_family_count = sizeof pmu_families / sizeof pmu_families[0];

struct pmu_cpu pmu_cpu(void)
{
	struct pmu_cpu cpu = { .vendor = PMU_OTHER };
	unsigned a, b, c, d;

	if (!__get_cpuid(0, &a, &b, &c, &d))
		return cpu;
	if (b == signature_INTEL_ebx && d == signature_INTEL_edx && c == signature_INTEL_ecx)
		cpu.vendor = PMU_INTEL;
	else if (b == signature_AMD_ebx && d == signature_AMD_edx && c == signature_AMD_ecx)
		cpu.vendor = PMU_AMD;
	if (!__get_cpuid(1, &a, &b, &c, &d))
		return cpu;
	cpu.family = a >> 8 & 15;
	cpu.model = a >> 4 & 15;
	if (cpu.family == 6 || cpu.family == 15)
		cpu.model |= a >> 12 & 0xf0;
	if (cpu.family == 15)
		cpu.family += a >> 20 & 0xff;
	return cpu;
}

const struct pmu_family *pmu_family_of(const struct pmu_cpu *cpu)
{
	if (cpu->vendor != PMU_INTEL || cpu->family != 6)
		return NULL;
	for (size_t i = 0; i < pmu_family_count; i++)
		for (const unsigned char *m = pmu_families[i].models; *m; m++)
			if (*m == cpu->model)
				return &pmu_families[i];
	return NULL;
}

static struct wire_event raw_event(uint64_t config, uint64_t config1)
{
	return (struct wire_event){
		.sampler = WIRE_SAMPLER_PMU,
		.type = PERF_TYPE_RAW,
		.precise = PRECISE,
		.config = config,
		.config1 = config1,
		.sample_type = pmu_type,
	};
}

size_t pmu_pebs(const struct pmu_family *f, unsigned wanted, struct wire_event to[2])
{
	size_t n = 0;

	if (wanted & PMU_WANT_LATENCY && f->latency)
		to[n++] = raw_event(PMU_LATENCY, PMU_LATENCY_LEAST);
	else if (wanted & (PMU_WANT_LOADS | PMU_WANT_LATENCY))
		to[n++] = raw_event(PMU_LOADS, 0);
	if (wanted & PMU_WANT_STORES)
		to[n++] = raw_event(PMU_STORES, 0);
	return n;
}

int pmu_ibs(const char *devices, struct wire_event *to)
{
	char path[4096];

	snprintf(path, sizeof path, "%s/ibs_op/type", devices);
	long type = machine_number(path);
	if (type < 0) {
		errno = ENOENT;
		return -1;
	}
	*to = raw_event(1ull << IBS_CNT, 0);
	to->type = (uint32_t)type;
	to->precise = 0;
	snprintf(path, sizeof path, "%s/ibs_op/format/swfilt", devices);
	FILE *filter = fopen(path, "re");
	if (filter)
		fclose(filter);
	to->config2 = filter ? 1ull << IBS_SWFILT : 0;
	to->kernel = !filter;
	return 0;
}

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

static size_t pebs(unsigned wanted, struct wire_event *to, char why[SAMPLING_WHY])
{
	const struct pmu_cpu cpu = pmu_cpu();
	const struct pmu_family *family = pmu_family_of(&cpu);

	if (cpu.vendor != PMU_INTEL)
		snprintf(why, SAMPLING_WHY, "PEBS needs an Intel processor");
	else if (!family)
		snprintf(why, SAMPLING_WHY,
			 "this processor (family %u, model 0x%x) is not known; name its events "
			 "with -e",
			 cpu.family, cpu.model);
	if (!family)
		return 0;
	size_t n = tried(to, pmu_pebs(family, wanted, to), why);
	if (n == 0 && wanted & PMU_WANT_LATENCY) /* fall back to loads without latency */
		n = tried(to, pmu_pebs(family, (wanted & ~PMU_WANT_LATENCY) | PMU_WANT_LOADS, to),
			  why);
	return n;
}

static size_t ibs(struct wire_event *to, char why[SAMPLING_WHY])
{
	if (pmu_cpu().vendor != PMU_AMD) {
		snprintf(why, SAMPLING_WHY, "IBS needs an AMD processor");
		return 0;
	}
	if (pmu_ibs(PMU_DEVICES, to) < 0) {
		snprintf(why, SAMPLING_WHY,
			 "the kernel has no " PMU_DEVICES
			 "/ibs_op: the machine has no IBS, like most virtual machines");
		return 0;
	}
	return tried(to, 1, why);
}

static size_t one(struct wire_event event, struct wire_event *to, char why[SAMPLING_WHY])
{
	*to = event;
	return tried(to, 1, why);
}

/* The processor's own sampler, else the clock. */
static size_t best(unsigned wanted, struct wire_event *to, char why[SAMPLING_WHY])
{
	size_t n = pmu_cpu().vendor == PMU_AMD ? ibs(to, why) : pebs(wanted, to, why);

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
		return pebs(wanted, to, why);
	case SAMPLING_IBS:
		return ibs(to, why);
	case SAMPLING_SPE:
		snprintf(why, SAMPLING_WHY,
			 "SPE needs an Arm processor, and ojx runs only on x86-64");
		return 0;
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
