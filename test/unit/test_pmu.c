/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events by name and by processor, for processors other than this machine's: libpfm4 encodes the
 * events of any processor if it is told before it starts.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "host/sampling.h"
#include "host/x86_64/pmu.h"

static int inactive(void **state)
{
	(void)state;
	return setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
}

static struct wire_event encoded(const char *pmu, const char *name)
{
	struct wire_event e = { .period = 7 };
	char full[PMU_NAME];

	snprintf(full, sizeof full, "%s::%s", pmu, name);
	if (pmu_encode(full, &e) < 0)
		fail_msg("%s: %s", full, strerror(errno));
	assert_int_equal(e.sampler, WIRE_SAMPLER_PMU);
	assert_int_equal(e.type, PERF_TYPE_RAW);
	assert_int_equal(e.precise, 2);
	assert_int_equal(e.kernel, 0);
	assert_int_equal(e.period, 7); /* the name does not set it */
	assert_true(e.sample_type & PERF_SAMPLE_ADDR);
	assert_true(e.sample_type & PERF_SAMPLE_DATA_SRC);
	return e;
}

/* The table agrees with libpfm4 for each family. */
static void test_families(void **state)
{
	(void)state;
	size_t known = 0;

	for (size_t i = 0; i < pmu_family_count; i++) {
		const struct pmu_family *f = &pmu_families[i];
		if (!f->name)
			continue;
		assert_int_equal(encoded(f->name, f->loads).config, PMU_LOADS);
		assert_int_equal(encoded(f->name, f->stores).config, PMU_STORES);
		if (f->latency) {
			struct wire_event e = encoded(f->name, f->latency);
			assert_int_equal(e.config, PMU_LATENCY);
			assert_int_equal(e.config1, PMU_LATENCY_LEAST);
		}
		known++;
	}
	assert_int_equal(known, 9); /* Haswell to Sapphire Rapids */
}

static void test_names(void **state)
{
	(void)state;
	assert_int_equal(encoded("hsw", "MEM_LOAD_UOPS_RETIRED.L3_MISS").config, 0x20d1);
	assert_int_equal(encoded("skl", "MEM_LOAD_RETIRED.L1_MISS:pp").config, 0x8d1);
	assert_int_equal(encoded("icx", "mem_load_retired:l3_miss").config, 0x20d1);
	assert_int_equal(encoded("spr", "MEM_INST_RETIRED.ALL_STORES:upp").config, 0x82d0);
}

static void test_modifiers(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint32_t precise;
	} cases[] = {
		{ "icx::MEM_INST_RETIRED.ALL_LOADS", 2 },
		{ "icx::MEM_INST_RETIRED.ALL_LOADS:p", 1 },
		{ "icx::MEM_INST_RETIRED.ALL_LOADS:ppp", 3 },
		{ "icx::MEM_INST_RETIRED.ALL_LOADS:precise=3", 3 },
	};
	struct wire_event e = { 0 };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(pmu_encode(cases[i].name, &e), 0);
		assert_int_equal(e.precise, cases[i].precise);
		assert_int_equal(e.config, PMU_LOADS);
	}
	assert_int_equal(pmu_encode("icx::MEM_INST_RETIRED.ALL_LOADS:period=1000", &e), 0);
	assert_int_equal(e.period, 1000);
	e = (struct wire_event){ 0 };
	assert_int_equal(pmu_encode("icx::MEM_INST_RETIRED.ALL_LOADS:freq=50", &e), 0);
	assert_int_equal(e.hz, 50);
	assert_int_equal(e.period, 0);
}

static void test_amd(void **state)
{
	(void)state;
	assert_int_equal(encoded("amd64_fam17h_zen2", "LS_DISPATCH:LD_DISPATCH").config, 0x129);
	assert_int_equal(encoded("amd64_fam19h_zen3", "LS_DISPATCH:STORE_DISPATCH").config, 0x229);
	assert_int_equal(encoded("amd64_fam19h_zen4", "LS_DISPATCH:LD_DISPATCH").config, 0x129);
}

static void test_software(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint32_t sampler;
	} cases[] = {
		{ "page-faults", WIRE_SAMPLER_FAULTS },	 { "faults", WIRE_SAMPLER_FAULTS },
		{ "minor-faults", WIRE_SAMPLER_FAULTS }, { "MAJOR-FAULTS:u", WIRE_SAMPLER_FAULTS },
		{ "task-clock", WIRE_SAMPLER_CLOCK },	 { "cpu-clock", WIRE_SAMPLER_CLOCK },
	};
	struct wire_event e;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		e = (struct wire_event){ 0 };
		assert_int_equal(pmu_encode(cases[i].name, &e), 0);
		assert_int_equal(e.type, PERF_TYPE_SOFTWARE);
		assert_int_equal(e.sampler, cases[i].sampler);
		assert_int_equal(e.precise, 0);
	}
	assert_int_equal(pmu_encode("r20d1", &e), 0);
	assert_int_equal(e.config, 0x20d1);
}

static void test_refused(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		int error;
	} cases[] = {
		{ "", ENOENT },
		{ "dead-stores", ENOENT },
		{ "icx::MEM_LOAD_RETIRED.NO_SUCH", ENOENT },
		{ "context-switches", ENOTSUP },
		{ "cpu-migrations", ENOTSUP },
		{ "cycles:pp", ENOTSUP },
		{ "icx::MEM_INST_RETIRED.ALL_LOADS:u", ENOTSUP }, /* no p: no address */
	};
	char longest[1000];
	struct wire_event e;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		errno = 0;
		assert_int_equal(pmu_encode(cases[i].name, &e), -1);
		assert_int_equal(errno, cases[i].error);
	}
	memset(longest, 'x', sizeof longest - 1);
	longest[sizeof longest - 1] = '\0';
	assert_int_equal(pmu_encode(longest, &e), -1);
}

/* ---- defaults ---------------------------------------------------------------------------- */

static void test_models(void **state)
{
	(void)state;
	static const struct {
		unsigned model;
		const char *name;
	} cases[] = { { 0x3c, "hsw" }, { 0x4f, "bdw_ep" }, { 0x9e, "skl" },
		      { 0x55, "skx" }, { 0x6a, "icx" },	   { 0x8f, "spr" } };
	struct pmu_cpu cpu = { .vendor = PMU_INTEL, .family = 6 };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		cpu.model = cases[i].model;
		assert_string_equal(pmu_family_of(&cpu)->name, cases[i].name);
	}
	cpu.model = 0xcf; /* Emerald Rapids */
	assert_non_null(pmu_family_of(&cpu));
	cpu.model = 0x17; /* Core 2 */
	assert_null(pmu_family_of(&cpu));
	cpu = (struct pmu_cpu){ .vendor = PMU_AMD, .family = 0x19, .model = 1 };
	assert_null(pmu_family_of(&cpu));
	/* no model is in two rows */
	for (size_t i = 0; i < pmu_family_count; i++)
		for (const unsigned char *m = pmu_families[i].models; *m; m++) {
			cpu = (struct pmu_cpu){ .vendor = PMU_INTEL, .family = 6, .model = *m };
			assert_ptr_equal(pmu_family_of(&cpu), &pmu_families[i]);
		}
}

static void test_wanted(void **state)
{
	(void)state;
	const struct pmu_cpu icx = { PMU_INTEL, 6, 0x6a }, spr = { PMU_INTEL, 6, 0x8f };
	struct wire_event e[2];

	assert_int_equal(pmu_pebs(pmu_family_of(&icx), PMU_WANT_LOADS, e), 1);
	assert_int_equal(e[0].config, PMU_LOADS);
	assert_int_equal(pmu_pebs(pmu_family_of(&icx), PMU_WANT_STORES, e), 1);
	assert_int_equal(e[0].config, PMU_STORES);
	assert_int_equal(pmu_pebs(pmu_family_of(&icx),
				  PMU_WANT_LATENCY | PMU_WANT_LOADS | PMU_WANT_STORES, e),
			 2);
	assert_int_equal(e[0].config, PMU_LATENCY);
	assert_int_equal(e[0].config1, PMU_LATENCY_LEAST);
	assert_int_equal(e[1].config, PMU_STORES);
	assert_int_equal(pmu_pebs(pmu_family_of(&spr), PMU_WANT_LATENCY, e), 1);
	assert_int_equal(e[0].config, PMU_LOADS);
	assert_int_equal(e[0].precise, 2);
}

static void count_event(const char *name, const char *help, void *arg)
{
	struct wire_event e = { 0 };

	assert_string_not_equal(help, "");
	/* listed events can be requested */
	if (pmu_encode(name, &e) < 0)
		fail_msg("%s: %s", name, strerror(errno));
	assert_int_equal(e.sampler, WIRE_SAMPLER_PMU);
	++*(int *)arg;
}

/* Events of this machine's processor, if it has any. */
static void test_memory_events(void **state)
{
	(void)state;
	const struct pmu_cpu cpu = pmu_cpu();
	const struct pmu_family *family = pmu_family_of(&cpu);
	int n = 0;

	pmu_memory_events(count_event, &n);
	if (!family)
		assert_int_equal(n, 0); /* AMD events have no addresses, except with IBS */
}

/* ---- AMD's IBS, as the kernel shows it --------------------------------------------------- */

static void write_text(const char *dir, const char *name, const char *text)
{
	char path[512];
	snprintf(path, sizeof path, "%s/%s", dir, name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void test_ibs(void **state)
{
	(void)state;
	char dir[] = "/tmp/ojx-ibs.XXXXXX", path[64];
	struct wire_event e;

	assert_non_null(mkdtemp(dir));
	assert_int_equal(pmu_ibs(dir, &e), -1);
	assert_int_equal(errno, ENOENT);
	snprintf(path, sizeof path, "%s/ibs_op", dir);
	assert_int_equal(mkdir(path, 0700), 0);
	write_text(path, "type", "11\n");
	/* an older kernel cannot leave out samples of itself */
	assert_int_equal(pmu_ibs(dir, &e), 0);
	assert_int_equal(e.sampler, WIRE_SAMPLER_PMU);
	assert_int_equal(e.type, 11);
	assert_int_equal(e.config, 1 << 19);
	assert_int_equal(e.config2, 0);
	assert_int_equal(e.kernel, 1);
	assert_int_equal(e.precise, 0);
	strcat(path, "/format");
	assert_int_equal(mkdir(path, 0700), 0);
	write_text(path, "swfilt", "config2:0\n");
	assert_int_equal(pmu_ibs(dir, &e), 0);
	assert_int_equal(e.config2, 1);
	assert_int_equal(e.kernel, 0);
	snprintf(path, sizeof path, "rm -r %s", dir);
	assert_int_equal(system(path), 0);
}

/* ---- the choice -------------------------------------------------------------------------- */

/* On any machine: auto finds something; a sampler that finds nothing says why. */
static void test_choice(void **state)
{
	(void)state;
	struct wire_event e[WIRE_EVENTS];
	char why[SAMPLING_WHY];

	assert_true(sampling_events(SAMPLING_AUTO, PMU_WANT_LOADS, e, why) > 0);
	assert_int_equal(e[0].sampler == WIRE_SAMPLER_CLOCK, why[0] != '\0');
	for (int which = SAMPLING_PEBS; which <= SAMPLING_FAULTS; which++) {
		size_t n = sampling_events(which, PMU_WANT_STORES, e, why);
		assert_int_equal(n == 0, why[0] != '\0');
	}
	assert_int_equal(sampling_events(SAMPLING_SPE, PMU_WANT_LOADS, e, why), 0);
	assert_int_equal(sampling_event("no-such", e, why), -1);
	assert_string_not_equal(why, "");
	assert_string_equal(sampling_rows[SAMPLING_CLOCK].name, "clock");
	assert_string_equal(sampling_rows[SAMPLING_NONE].name, "none");
	assert_null(sampling_rows[SAMPLING_NONE + 1].name);
}

int unit_pmu(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_families),      cmocka_unit_test(test_names),
		cmocka_unit_test(test_modifiers),     cmocka_unit_test(test_amd),
		cmocka_unit_test(test_software),      cmocka_unit_test(test_refused),
		cmocka_unit_test(test_models),	      cmocka_unit_test(test_wanted),
		cmocka_unit_test(test_memory_events), cmocka_unit_test(test_ibs),
		cmocka_unit_test(test_choice),
	};

	return cmocka_run_group_tests(tests, inactive, NULL);
}
