/* SPDX-License-Identifier: Apache-2.0 */
/*
 * list.c - `ojx list`: the analyses, the engines that provide their evidence, and the events of
 * this machine, each with whether it is available here, which is found out by trying.
 */
#define _GNU_SOURCE

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/analyses.h"
#include "attach/obstacles.h"
#include "attach/target.h"
#include "base/json_text.h"
#include "base/memtext.h"
#include "base/table.h"
#include "cmd.h"
#include "common_options.h"
#include "host/checks.h"
#include "host/machine.h"
#include "host/sampling.h"
#include "out_of_memory.h"
#include "report/columns.h"
#include "say.h"

/* ---- `ojx list jvms`: the JVMs that run, and whether they can be recorded. */

static const char *text(const char *s)
{
	return s && *s ? s : "?";
}

static void put_jvm_json(struct json_text *j, const struct target *t,
			 const struct check_result *why)
{
	char user[USERS_NAME];

	json_text_break(j);
	json_text_open(j, NULL, '{');
	json_text_whole(j, "pid", t->process.pid);
	json_text_string(j, "user", users_name(t->uid, user));
	json_text_string(j, "jdk", t->version[0] ? t->version : NULL);
	json_text_string(j, "main", t->main);
	json_text_bool(j, "attachable", !why);
	json_text_string(j, "why_not", why ? why->found : NULL);
	json_text_string(j, "advice", why ? why->advice : NULL);
	json_text_close(j, '}');
}

/* Other users chose most of these words. */
static void add(struct table *table, const struct style *s, const struct target *t,
		const struct check_result *why)
{
	char user[USERS_NAME];

	fprintf(table_cell(table, INK_BOLD), "%d", (int)t->process.pid);
	table_add(table, users_name(t->uid, user), INK_PLAIN);
	style_put(table_cell(table, INK_PLAIN), s, text(t->version));
	style_put(table_cell(table, why ? INK_YELLOW : INK_GREEN), s, why ? why->found : "yes");
	style_put(table_cell(table, INK_PLAIN), s, text(t->main));
}

static int put_all(const struct jvms *all, const struct simple_output *out, struct table *table,
		   struct json_text *j)
{
	static const char *const headings[] = { "pid", "user", "JDK", "attach", "main" };
	static const unsigned flags[] = { TABLE_RIGHT, 0, 0, TABLE_HEAD, TABLE_TAIL };

	for (size_t i = 0; i < 5; i++)
		table_add_column(table, flags[i], 0);
	for (size_t i = 0; i < 5; i++)
		table_add(table, headings[i], INK_BOLD);
	for (size_t i = 0; i < all->n; i++) {
		struct check_result r;
		bool obstacle = obstacles_find(&all->jvm[i], true, &r);
		if (out->json)
			put_jvm_json(j, &all->jvm[i], obstacle ? &r : NULL);
		else
			add(table, &out->style, &all->jvm[i], obstacle ? &r : NULL);
	}
	if (out->json)
		return 0;
	table_put(table, stdout, &out->style);
	return 0;
}

/* Writes them to standard output. 0, or -1 after a message. */
static int list_jvms(const struct simple_output *out)
{
	struct table table = TABLE_INIT;
	struct json_text j = JSON_TEXT_INIT;
	struct jvms *all = xgiven(jvms_find());

	if (all->n == 0 && !out->json)
		say("no JVM runs that ojx can see");
	if (out->json)
		simple_begin_json(&j, "jvms");
	int result = all->n > 0 ? put_all(all, out, &table, &j) : 0;
	if (out->json) {
		simple_end_array(&j);
		result |= simple_end_json(&j);
	}
	table_release(&table);
	jvms_free(all);
	return result;
}

/* Facts that all lines need. */
struct facts {
	char watch[512], timer[512]; /* reason why it is not available; empty: it is */
};

/* One line. */
struct line {
	const char *kind, *name;
	const char *why; /* reason why it is not available; "" if it is */
	const char *help;
};

struct lister {
	struct simple_output out;
	struct table table;
	struct json_text json;
	bool no_pmu; /* its events have one row together, where people read */
	size_t events;
};

/* ---- output ------------------------------------------------------------------------------ */

static void put_json(struct json_text *j, const struct line *line)
{
	json_text_break(j);
	json_text_open(j, NULL, '{');
	json_text_string(j, "kind", line->kind);
	json_text_string(j, "name", line->name);
	json_text_bool(j, "available", !line->why[0]);
	json_text_string(j, "why_not", line->why[0] ? line->why : NULL);
	json_text_string(j, "about", line->help);
	json_text_close(j, '}');
}

static void put(struct lister *l, const struct line *line)
{
	bool available = !line->why[0];

	if (l->out.json) {
		put_json(&l->json, line);
	} else {
		table_add(&l->table, line->kind, INK_DIM);
		table_add(&l->table, line->name, INK_BOLD);
		table_add(&l->table, available ? "yes" : "no", available ? INK_GREEN : INK_YELLOW);
		table_add(&l->table, available ? line->help : line->why, INK_PLAIN);
	}
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
	for (int i = 0; analyses[i]; i++)
		for (const struct analysis_event *e = analyses[i]->events; e->name; e++) {
			const char *why = !e->needs.watches ? ""
					  : f->watch[0]	    ? f->watch
							    : f->timer;
			put(l, &(struct line){ "analysis", e->name, why, e->help });
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
	for (int which = SAMPLING_PEBS; which < SAMPLING_NONE; which++) {
		const struct sampling_row *row = &sampling_rows[which];
		struct wire_event events[WIRE_EVENTS];
		char why[SAMPLING_WHY];
		sampling_events((enum sampling_sampler)which, PMU_WANT_LOADS, events, why);
		if (which == SAMPLING_CLOCK)
			why[0] = '\0'; /* without perf's timer there is another one */
		put(l, &(struct line){ "sampler", row->name, why, row->help });
	}
}

/* Events with a name on every processor and kernel. */
static const struct event {
	const char *name, *help;
	uint32_t type;
	uint64_t config;
} events[] = {
	{ "task-clock", "CPU time of a thread", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK },
	{ "page-faults", "pages touched for the first time", PERF_TYPE_SOFTWARE,
	  PERF_COUNT_SW_PAGE_FAULTS },
	{ "cpu-cycles", "cycles, which nothing samples: the sign that there is a PMU",
	  PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ NULL, NULL, 0, 0 },
};

static void list_events(struct lister *l)
{
	for (const struct event *e = events; e->name; e++) {
		struct check_result r = { .state = CHECK_OK };
		int error = machine_event(e->type, e->config);
		if (error)
			check_perf_error(&r, error);
		if (e->type == PERF_TYPE_HARDWARE)
			l->no_pmu = error != 0 && !l->out.json;
		if (!l->no_pmu)
			put(l, &(struct line){ "event", e->name, r.found, e->help });
		l->events += l->no_pmu;
	}
}

/* Lists an event of the processor that samples accesses. */
static void list_memory_event(const char *name, const char *help, void *arg)
{
	struct lister *l = arg;
	struct wire_event e;
	char why[SAMPLING_WHY];

	l->events++;
	if (l->no_pmu)
		return;
	sampling_event(name, &e, why);
	put(l, &(struct line){ "event", name, why, help });
}

/* In place of those of the PMU, which all lack the same. */
static void list_no_pmu(struct lister *l)
{
	struct check_result r = { .state = CHECK_OK };
	char name[32];

	check_perf_error(&r, machine_event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES));
	snprintf(name, sizeof name, "%zu of the PMU", l->events);
	put(l, &(struct line){ "event", name, r.found, "" });
}

/* ---- the command ------------------------------------------------------------------------- */

static int run(struct lister *l)
{
	static const char *const headings[] = { "kind", "name", "here", "what it is, or why not" };
	struct facts facts;
	int result = 0;

	if (l->out.json)
		simple_begin_json(&l->json, "list");
	for (size_t i = 0; i < 4; i++)
		table_add_column(&l->table, i == 3 ? COLUMN_HEAD : 0, 0);
	for (size_t i = 0; i < 4; i++)
		table_add(&l->table, headings[i], INK_BOLD);
	find_out(&facts);
	list_analyses(l, &facts);
	list_engines(l, &facts);
	list_events(l);
	pmu_memory_events(list_memory_event, l);
	if (l->no_pmu)
		list_no_pmu(l);
	if (l->out.json) {
		simple_end_array(&l->json);
		result = simple_end_json(&l->json);
	} else
		table_put(&l->table, stdout, &l->out.style);
	table_release(&l->table);
	return result;
}

int cmd_list(int argc, char **argv)
{
	static const struct simple_command as = {
		.name = "list",
		.synopsis = "[OPTION]... [jvms]",
		.about = "Shows what can be recorded: the analyses, the engines and samplers that "
			 "give them evidence, and the events of this machine; and whether each is "
			 "available here, or why not. With 'jvms': the JVMs that run, and whether "
			 "-p can record them.",
		.notes = "'ojx doctor' says what to do about what is missing.\n",
		.own = { OPT_END },
		.operand = "jvms",
	};
	struct lister l = { .table = TABLE_INIT };
	int status = simple_parse(&as, argc, argv, &l.out);

	if (status >= 0)
		return status;
	if (l.out.operand)
		return list_jvms(&l.out) < 0 ? EXIT_ERROR : 0;
	return run(&l) < 0 ? EXIT_ERROR : 0;
}
