/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pmu.h - events of Intel's and AMD's PMUs. Names are libpfm4's. A table says which events a
 * processor samples precisely.
 */
#ifndef OJX_HOST_X86_64_PMU_H
#define OJX_HOST_X86_64_PMU_H

#include "host/processor.h"

/* A processor family with a PMU that can sample accesses. */
struct pmu_family {
	const char *name;	    /* libpfm4's name; NULL if it does not know the family */
	const char *loads, *stores; /* libpfm4's names */
	const char *latency;	    /* loads with latency; NULL if this takes more than one event */
	unsigned char models[8];    /* of Intel's family 6; ends with 0 */
};
extern const struct pmu_family pmu_families[];
extern const size_t pmu_family_count;

/* Raw codes of these names in all families. */
enum { PMU_LOADS = 0x81d0, PMU_STORES = 0x82d0, PMU_LATENCY = 0x1cd, PMU_LATENCY_LEAST = 3 };

/* Vendor of the processor. */
enum pmu_vendor { PMU_OTHER, PMU_INTEL, PMU_AMD };

struct pmu_cpu {
	enum pmu_vendor vendor;
	unsigned family, model;
};

/* The processor that this runs on. */
struct pmu_cpu pmu_cpu(void);

/* The row of a processor; NULL if there is none. */
const struct pmu_family *pmu_family_of(const struct pmu_cpu *cpu);

/* The events of a family that sample what is wanted. Returns their number: 1 or 2. */
size_t pmu_pebs(const struct pmu_family *f, unsigned wanted, struct wire_event to[2]);

/*
 * AMD's instruction-based sampling (IBS), which samples all operations. -1 with errno ENOENT if the
 * kernel has none in `devices`.
 */
int pmu_ibs(const char *devices, struct wire_event *to);

#endif
