/* SPDX-License-Identifier: Apache-2.0 */
/*
 * version.c - `ojx version`: the version, and with -v what a report of a fault needs: how this
 * program was built, with which libraries, and what it runs on. Names of hosts, users and folders
 * are not among that.
 */
#define _GNU_SOURCE /* gnu_get_libc_version */

#include "version.h"

#include <capstone/capstone.h>
#include <cjson/cJSON.h>
#include <curses.h>
#include <elfutils/version.h>
#include <gnu/libc-version.h>
#include <perfmon/pfmlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zip.h>
#include <zlib.h>

#include "cmd.h"
#include "host/machine.h"
#include "options.h"
#include "say.h"
#include "version_commit.h" /* made by the Makefile */
#include "wire/wire.h"
#include "wire/wire_file.h"

enum { FACT_TEXT = 256 };

/* ---- how it was built -------------------------------------------------------------------- */

static void say_build(char *text)
{
	snprintf(text, FACT_TEXT, "commit %s, for " OJX_ARCH ", %s %s", OJX_COMMIT,
#ifdef __clang__
		 "clang", __clang_version__
#else
		 "gcc", __VERSION__
#endif
	);
}

static void say_formats(char *text)
{
	snprintf(text, FACT_TEXT, "file %u, records %u, wire %u", DATAFILE_VERSION,
		 WIRE_RECORDS_VERSION, OJX_WIRE_VERSION);
}

static void say_libraries(char *text)
{
	int major, minor, pfm = pfm_get_version();

	cs_version(&major, &minor);
	snprintf(text, FACT_TEXT,
		 "Capstone %d.%d, libpfm %d.%d, elfutils %d.%d, cJSON %s, libzip %s, zlib %s, %s",
		 major, minor, PFM_MAJ_VERSION(pfm), PFM_MIN_VERSION(pfm), _ELFUTILS_VERSION / 1000,
		 _ELFUTILS_VERSION % 1000, cJSON_Version(), zip_libzip_version(), zlibVersion(),
		 curses_version());
}

static void say_libc(char *text)
{
	snprintf(text, FACT_TEXT, "glibc %s", gnu_get_libc_version());
}

/* ---- what it runs on --------------------------------------------------------------------- */

/* The value behind "KEY" in a file of lines, without quotes; `text` is "" if there is none. */
static void read_value(const char *path, const char *key, char *text)
{
	char line[FACT_TEXT];
	FILE *f = fopen(path, "re");

	text[0] = '\0';
	while (f && !text[0] && fgets(line, sizeof line, f)) {
		if (strncmp(line, key, strlen(key)) != 0)
			continue;
		char *value = line + strlen(key);
		value += strspn(value, " \t:=\"");
		value[strcspn(value, "\"\n")] = '\0';
		snprintf(text, FACT_TEXT, "%s", value);
	}
	if (f)
		fclose(f);
}

static void say_system(char *text)
{
	char name[FACT_TEXT];
	struct utsname u;

	read_value("/etc/os-release", "PRETTY_NAME", name);
	if (uname(&u) < 0)
		u.release[0] = u.machine[0] = '\0';
	snprintf(text, FACT_TEXT, "%.80s, Linux %.80s, %.40s%s", name[0] ? name : "?", u.release,
		 u.machine, machine_in_container() ? ", in a container" : "");
}

/* Some kernels name the model, others (those for Arm) the number that a maker has for it. */
static void say_processor(char *text)
{
	char model[FACT_TEXT], maker[FACT_TEXT], part[FACT_TEXT];

	read_value("/proc/cpuinfo", "model name", model);
	read_value("/proc/cpuinfo", "CPU implementer", maker);
	read_value("/proc/cpuinfo", "CPU part", part);
	if (!model[0] && part[0])
		snprintf(model, sizeof model, "implementer %.40s, part %.40s", maker, part);
	snprintf(text, FACT_TEXT, "%ld of %.200s, pages of %ld KiB", sysconf(_SC_NPROCESSORS_ONLN),
		 model[0] ? model : "an unknown model", sysconf(_SC_PAGESIZE) / 1024);
}

/* ---- the table --------------------------------------------------------------------------- */

static const struct {
	const char *name;
	void (*say)(char *text);
} facts[] = {
	{ "built", say_build },	   { "formats", say_formats }, { "libraries", say_libraries },
	{ "C library", say_libc }, { "system", say_system },   { "processors", say_processor },
};

void version_put_facts(FILE *out)
{
	char text[FACT_TEXT];

	fputs("ojx " OJX_VERSION "\n", out);
	for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
		facts[i].say(text);
		fprintf(out, "%-10s  %s\n", facts[i].name, text);
	}
}

int cmd_version(int argc, char **argv)
{
	bool verbose = false;
	const struct option_row rows[] = {
		OPT_BOOL('v', "verbose", &verbose,
			 "say how ojx was built, with which libraries, and what it runs on, as a "
			 "report of a fault needs it"),
		OPT_END,
	};
	const struct option_command cmd = {
		.name = "version",
		.synopsis = "[OPTION]...",
		.about = "Shows the version.",
		.rows = rows,
	};
	int first = options_parse(&cmd, argc, argv);

	if (first == OPTIONS_HELP)
		return 0;
	if (first >= 0 && first < argc) {
		say("'%s' is more than 'ojx version' takes", argv[first]);
		return EXIT_USAGE;
	}
	if (first < 0)
		return EXIT_USAGE;
	if (verbose)
		version_put_facts(stdout);
	else
		puts("ojx " OJX_VERSION);
	return 0;
}
