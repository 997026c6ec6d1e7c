/* SPDX-License-Identifier: Apache-2.0 */
/* pmu.c - what the tool knows of x86-64 processors; see pmu.h and processor.h. */
#include "host/x86_64/pmu.h"

#include <cpuid.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>

#include "host/machine.h"

#define IBS_CNT	   19 /* bit of config: count operations instead of cycles */
#define IBS_SWFILT 0  /* bit of config2: the kernel drops samples of itself */

const int processor_registers = 4;

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
		.precise = PMU_PRECISE,
		.config = config,
		.config1 = config1,
		.sample_type = PMU_SAMPLE_TYPE,
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
	return pmu_pebs(family, wanted, to);
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
	return 1;
}

size_t processor_events(enum sampling_sampler which, unsigned wanted,
			struct wire_event to[WIRE_EVENTS], char why[SAMPLING_WHY])
{
	switch (which) {
	case SAMPLING_AUTO:
		return pmu_cpu().vendor == PMU_AMD ? ibs(to, why) : pebs(wanted, to, why);
	case SAMPLING_PEBS:
		return pebs(wanted, to, why);
	case SAMPLING_IBS:
		return ibs(to, why);
	default:
		snprintf(why, SAMPLING_WHY, "SPE needs an Arm processor");
		return 0;
	}
}
