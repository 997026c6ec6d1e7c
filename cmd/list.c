/* SPDX-License-Identifier: Apache-2.0 */
/*
 * list.c - `ojx list`: the analyses, the engines that give them evidence and the events of this machine, each with
 * whether it can be had here. What can be had is found out by trying it.
 */
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "checks.h"
#include "cmd.h"
#include "columns.h"
#include "json_put.h"
#include "machine.h"
#include "options.h"
#include "say.h"
#include "table.h"
#include "terminal.h"

enum format { FORMAT_TEXT, FORMAT_JSON };
static const char *const formats[] = { "text", "json", NULL };

/* What was found out once, for all lines. */
struct facts {
	char watch[512], timer[512]; /* why not; empty: available */
};

/* One line. */
struct line {
	const char *kind, *name;
	const char *why; /* not; "" where it is available */
	const char *help;
};

struct lister {
	enum format as;
	struct table table;
	size_t said;
};

/* ---- output ------------------------------------------------------------------------------ */

static void put_json(const struct lister *l, const struct line *line)
{
	printf("%s{\"kind\":\"%s\",\"name\":", l->said ? ",\n" : "", line->kind);
	json_put_text(stdout, line->name);
	printf(",\"available\":%s,\"why_not\":", line->why[0] ? "false" : "true");
	json_put_text(stdout, line->why[0] ? line->why : NULL);
	fputs(",\"about\":", stdout);
	json_put_text(stdout, line->help);
	putchar('}');
}

static void put(struct lister *l, const struct line *line)
{
	bool available = !line->why[0];

	if (l->as == FORMAT_JSON) {
		put_json(l, line);
	} else {
		table_add(&l->table, strdup(line->kind), INK_DIM);
		table_add(&l->table, strdup(line->name), INK_BOLD);
		table_add(&l->table, strdup(available ? "yes" : "no"),
			  available ? INK_GREEN : INK_YELLOW);
		table_add(&l->table, strdup(available ? line->help : line->why), INK_PLAIN);
	}
	l->said++;
}

/* ---- what there is ------------------------------------------------------------------------- */

static void find_out(struct facts *f)
{
	struct check_result r = { .state = CHECK_OK };
	struct machine_breakpoints b;
	int error;

	*f = (struct facts){ .watch = "" };
	machine_breakpoints(&b);
	if (b.slots == 0) {
		check_perf_error(&r, b.error);
		memcpy(f->watch, r.found, sizeof f->watch);
	} else if (b.traps == 0) {
		strcpy(f->watch,
		       "debug registers do not signal: the machine does not pass traps on");
	}
	error = machine_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	if (error) {
		check_perf_error(&r, error);
		memcpy(f->timer, r.found, sizeof f->timer);
	}
}

static void list_analyses(struct lister *l, const struct facts *f)
{
	for (const struct analysis *a = analyses; a->name; a++) {
		const char *why = !a->waste ? "" : f->watch[0] ? f->watch : f->timer;
		put(l, &(struct line){ "analysis", a->name, why, a->help });
	}
}

static void list_engines(struct lister *l, const struct facts *f)
{
	put(l, &(struct line){ "engine", "watch", f->watch,
			       "contents at the first use, by debug registers" });
	put(l, &(struct line){ "engine", "scan", "", "contents at the end of life" });
	put(l, &(struct line){
		       "sampler", "allocation", "",
		       "one allocation in every so many bytes, by the JVM (JDK 11 or later)" });
	put(l, &(struct line){ "sampler", "clock", f->watch[0] ? f->watch : f->timer,
			       "the next access of a thread, after so much of its CPU time" });
}

/* Events of the kernel and of the processor that ojx uses, or that samplers may use. */
static const struct event {
	const char *name, *help;
	uint32_t type;
	uint64_t config;
} events[] = {
	{ "task-clock", "CPU time of a thread", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK },
	{ "page-faults", "pages touched for the first time", PERF_TYPE_SOFTWARE,
	  PERF_COUNT_SW_PAGE_FAULTS },
	{ "cpu-cycles", "PMU: cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "instructions", "PMU: instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ "cache-misses", "PMU: misses of the last cache", PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_CACHE_MISSES },
	{ "dTLB-load-misses", "PMU: loads whose page was not in the TLB", PERF_TYPE_HW_CACHE,
	  PERF_COUNT_HW_CACHE_DTLB | PERF_COUNT_HW_CACHE_OP_READ << 8 |
		  PERF_COUNT_HW_CACHE_RESULT_MISS << 16 },
	{ NULL, NULL, 0, 0 },
};

static void list_events(struct lister *l)
{
	for (const struct event *e = events; e->name; e++) {
		struct check_result r = { .state = CHECK_OK };
		int error = machine_event(e->type, e->config);
		if (error)
			check_perf_error(&r, error);
		put(l, &(struct line){ "event", e->name, r.found, e->help });
	}
}

/* ---- the command ------------------------------------------------------------------------- */

static int run(struct lister *l, const struct style *s)
{
	static const char *const headings[] = { "kind", "name", "here", "what it is, or why not" };
	struct facts facts;
	int result = 0;

	if (l->as == FORMAT_JSON)
		fputs("{\"list\":[\n", stdout);
	for (size_t i = 0; i < 4; i++)
		table_add_column(&l->table, i == 3 ? COLUMN_HEAD : 0, 0);
	for (size_t i = 0; i < 4; i++)
		table_add(&l->table, strdup(headings[i]), INK_BOLD);
	find_out(&facts);
	list_analyses(l, &facts);
	list_engines(l, &facts);
	list_events(l);
	if (l->as == FORMAT_JSON)
		fputs("\n]}\n", stdout);
	else if (table_put(&l->table, stdout, s) < 0)
		result = say_error("out of memory");
	table_release(&l->table);
	return result;
}

int cmd_list(int argc, char **argv)
{
	const char *format = formats[FORMAT_TEXT], *color = terminal_colors[COLOR_AUTO];
	const struct option_row rows[] = {
		OPT_STRING(0, "format", "FORMAT", &format, "text (default) or json"),
		OPT_STRING(0, "color", "WHEN", &color, "auto (default), always or never"),
		OPT_END,
	};
	const struct option_command command = {
		.name = "list",
		.synopsis = "[OPTION]...",
		.about = "Shows what can be recorded: the analyses, the engines and samplers that "
			 "give them evidence, and the events of this machine; each with whether it "
			 "can be had here, or why not.",
		.rows = rows,
		.notes = "'ojx doctor' says what to do about what is missing.\n",
	};
	int first = options_parse(&command, argc, argv);

	if (first == OPTIONS_HELP)
		return 0;
	if (first >= 0 && first < argc) {
		say("'%s' is more than 'ojx list' takes", argv[first]);
		first = OPTIONS_ERROR;
	}
	int as = first < 0 ? -1 : options_choice("format", format, formats);
	int ink = as < 0 ? -1 : options_choice("color", color, terminal_colors);
	if (ink < 0)
		return EXIT_USAGE;
	struct lister l = { .as = (enum format)as, .table = TABLE_INIT };
	const struct style s = terminal_style(stdout, (enum terminal_color)ink);
	return run(&l, &s) < 0 ? EXIT_ERROR : 0;
}
