/* SPDX-License-Identifier: Apache-2.0 */
/* sampling.c - see sampling.h. */
#include "host/sampling.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "host/checks.h"
#include "host/pmu.h"

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
