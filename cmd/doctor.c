/* SPDX-License-Identifier: Apache-2.0 */
/*
 * doctor.c - `ojx doctor`: whether ojx can record here, and what to do if something is missing.
 *
 * The checks of the machine are the table in lib/host/checks.c. Finally each JDK that is found is
 * recorded: only this shows whether the agent loads, and which of its engines run.
 */
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attach/obstacles.h"
#include "base/json_text.h"
#include "base/memtext.h"
#include "base/outfile.h"
#include "cmd.h"
#include "common_options.h"
#include "host/checks.h"
#include "host/jdks.h"
#include "jvms.h"
#include "out_of_memory.h"
#include "record.h"
#include "say.h"
#include "smoke_test.h"
#include "version.h"
#include "wire/wire.h"

enum { OLDEST_JDK = 11 };

struct doctor {
	struct simple_output out;
	struct json_text json;
	char ojx[PATH_MAX];  /* this program */
	const char *report;  /* the file of --report; NULL: none */
	struct memtext kept; /* what goes there */
	bool failed;	     /* something that recording cannot do without is missing */
};

/* ---- saying ------------------------------------------------------------------------------ */

static void put_text(FILE *out, const struct style *s, const char *name,
		     const struct check_result *r)
{
	static const enum ink inks[] = { INK_GREEN, INK_YELLOW, INK_RED };

	fprintf(out, "%s%-7s%s  %-16s  ", style_on(s, inks[r->state]), check_state_name(r->state),
		style_off(s, inks[r->state]), name);
	style_put(out, s, r->found);
	fputc('\n', out);
	if (r->advice[0]) {
		fprintf(out, "%27s", "");
		style_put(out, s, r->advice);
		fputc('\n', out);
	}
	fflush(out); /* the next check may take a while */
}

static void put_json(struct json_text *j, const char *name, const struct check_result *r)
{
	json_text_break(j);
	json_text_open(j, NULL, '{');
	json_text_string(j, "check", name);
	json_text_string(j, "state", check_state_name(r->state));
	json_text_string(j, "found", r->found);
	json_text_string(j, "advice", r->advice[0] ? r->advice : NULL);
	json_text_close(j, '}');
	json_text_flush(j);
}

static void put(struct doctor *d, const char *name, const struct check_result *r)
{
	static const struct style plain = { .utf8 = true };

	if (d->out.json)
		put_json(&d->json, name, r);
	else
		put_text(stdout, &d->out.style, name, r);
	if (d->report)
		put_text(d->kept.in, &plain, name, r);
}

/* ---- the file for those who help --------------------------------------------------------- */

/* The user's folder can have his name; what is in it is told from there. */
static void put_without_home(FILE *out, const char *text)
{
	const char *home = getenv("HOME");
	size_t len = home ? strlen(home) : 0;

	while (len > 1 && home[len - 1] == '/')
		len--;
	for (const char *at; len > 1 && (at = strstr(text, home)); text = at + len) {
		fwrite(text, 1, (size_t)(at - text), out);
		fputc('~', out);
	}
	fputs(text, out);
}

static void begin_report(struct doctor *d)
{
	if (!d->report)
		return;
	version_put_facts(memtext_begin(&d->kept));
	fputc('\n', d->kept.in);
}

/* Ends it with the line that sums up. 0, or -1 after a message. */
static int write_report(struct doctor *d, const char *sum)
{
	struct outfile f;

	if (!d->report)
		return 0;
	fprintf(d->kept.in, "\n%s\n", sum);
	char *text = memtext_end(&d->kept);
	int result = outfile_open(&f, d->report, false);
	if (result == 0) {
		put_without_home(f.out, text);
		result = outfile_close(&f, true);
	}
	free(text);
	return result < 0 ? say_error("cannot write '%s': %s", d->report, strerror(errno)) : 0;
}

/* ---- JDKs -------------------------------------------------------------------------------- */

static void judge_smoke_test(struct check_result *r, const struct jdk *jdk,
			     const struct smoke_test *t)
{
	bool watch = t->engines & WIRE_ENGINE_WATCH, scan = t->engines & WIRE_ENGINE_SCAN;

	if (!t->recorded) {
		r->state = CHECK_LACKING;
		snprintf(r->found, sizeof r->found, "%s: nothing was recorded", jdk->home);
		snprintf(r->advice, sizeof r->advice, "%s",
			 t->why[0] ? t->why : "the JVM did not load the agent, or did not start");
		return;
	}
	snprintf(r->found, sizeof r->found, "%s: recorded, %s%s%s", jdk->home, watch ? "watch" : "",
		 watch && scan ? " and " : "",
		 scan	 ? "scan"
		 : watch ? ""
			 : "allocations only");
	if (watch && scan && !t->bad)
		return;
	r->state = CHECK_LACKING;
	snprintf(r->advice, sizeof r->advice, "%s", t->why[0] ? t->why : "see above");
}

/* Records a JVM of the JDK; returns whether that worked. */
static bool check_jdk(struct doctor *d, const struct jdk *jdk)
{
	struct check_result r = { .state = CHECK_OK };
	char name[16 + JDK_VERSION], java[PATH_MAX];
	int feature = jdk_feature(jdk->version);
	struct smoke_test t = { 0 };

	snprintf(name, sizeof name, "JDK %s", jdk->version[0] ? jdk->version : "?");
	snprintf(java, sizeof java, "%s/bin/java", jdk->home);
	if (feature && feature < OLDEST_JDK) {
		r.state = CHECK_LACKING;
		snprintf(r.found, sizeof r.found, "%s: too old", jdk->home);
		snprintf(r.advice, sizeof r.advice, "ojx records JDK %d and later", OLDEST_JDK);
	} else if (smoke_test_run(&t, d->ojx, java) < 0) {
		r.state = CHECK_LACKING;
		snprintf(r.found, sizeof r.found, "%s: cannot be tried: %s", jdk->home,
			 strerror(errno));
	} else {
		judge_smoke_test(&r, jdk, &t);
	}
	put(d, name, &r);
	return t.recorded;
}

static int check_jdks(struct doctor *d)
{
	struct jdks jdks;
	bool any = false;

	if (jdks_find(&jdks) < 0)
		out_of_memory();
	for (size_t i = 0; i < jdks.n; i++)
		any |= check_jdk(d, &jdks.jdk[i]);
	if (jdks.n == 0) {
		struct check_result r = { .state = CHECK_FAILED };
		strcpy(r.found, "none in $JAVA_HOME, on $PATH or in /usr/lib/jvm");
		strcpy(r.advice, "install one (such as default-jre-headless), or set JAVA_HOME");
		put(d, "JDK", &r);
	}
	d->failed |= !any;
	jdks_release(&jdks);
	return 0;
}

/* ---- a JVM that runs ------------------------------------------------------------------------ */

/*
 * The agent does without calls that a filter may kill for, so a filter is no obstacle, but a loss.
 */
static void check_filter(const struct target *t, struct check_result *r)
{
	snprintf(r->found, sizeof r->found, "none");
	if (t->seccomp_mode <= 0)
		return;
	r->state = CHECK_LACKING;
	strcpy(r->found, "a filter of system calls, which may kill for what the agent needs");
	strcpy(r->advice,
	       "the agent does without: no watches, no samples of accesses; contents are read through /proc/self/mem");
}

/* Whether it has the sampler cannot be seen before the agent is there. */
static void check_sampler(const struct target *t, struct check_result *r)
{
	char *other = other_agents_find(t);

	snprintf(r->found, sizeof r->found, "no other agent");
	if (t->hidden)
		snprintf(r->found, sizeof r->found, "unknown whether there is another agent");
	if (other) {
		r->state = CHECK_LACKING;
		snprintf(r->found, sizeof r->found, "another agent: %.400s", other);
		strcpy(r->advice, "if it samples allocations, as profilers do, ojx cannot: only "
				  "one agent can; " RECORD_WITHOUT_SAMPLER);
	}
	free(other);
}

/* Goes through the table until something is in the way. */
static void check_target(struct doctor *d, const struct target *t)
{
	struct check_result r;

	for (const struct obstacle *o = obstacles; o->name && !d->failed; o++) {
		r = (struct check_result){ .state = CHECK_OK };
		o->check(t, &r);
		put(d, o->name, &r);
		d->failed = r.state == CHECK_FAILED;
	}
	if (d->failed)
		return;
	r = (struct check_result){ .state = CHECK_OK };
	check_filter(t, &r);
	put(d, "seccomp", &r);
	r = (struct check_result){ .state = CHECK_OK };
	check_sampler(t, &r);
	put(d, "sampler", &r);
}

/* Ends the output. 0, or -1 after a message. */
static int say_can_record(struct doctor *d, const char *text)
{
	if (write_report(d, text) < 0)
		return -1;
	if (!d->out.json) {
		printf("\n%s\n", text);
		return 0;
	}
	simple_end_array(&d->json);
	json_text_break(&d->json);
	json_text_bool(&d->json, "can_record", !d->failed);
	return simple_end_json(&d->json);
}

/* Returns the exit status. */
static int run_target(struct doctor *d, const char *list)
{
	struct target t;
	char text[64];
	pid_t pid;
	size_t n = 1;

	if (select_jvms(list, &pid, &n) >= 0)
		return EXIT_ERROR;
	target_read(&t, pid);
	begin_report(d);
	if (d->out.json)
		simple_begin_json(&d->json, "checks");
	check_target(d, &t);
	snprintf(text, sizeof text, "ojx %s attach to pid %d.", d->failed ? "cannot" : "can",
		 (int)pid);
	int said = say_can_record(d, text);
	target_release(&t);
	return d->failed || said < 0 ? EXIT_ERROR : 0;
}

/* ---- the command ------------------------------------------------------------------------- */

static int run(struct doctor *d)
{
	ssize_t n = readlink("/proc/self/exe", d->ojx, sizeof d->ojx - 1);

	if (n < 0)
		return say_error("cannot read '/proc/self/exe': %s", strerror(errno));
	d->ojx[n] = '\0';
	begin_report(d);
	if (d->out.json)
		simple_begin_json(&d->json, "checks");
	for (const struct check *c = checks; c->name; c++) {
		struct check_result r = { .state = CHECK_OK };
		c->run(&r);
		put(d, c->name, &r);
		d->failed |= r.state == CHECK_FAILED;
	}
	if (check_jdks(d) < 0)
		return -1;
	int said =
		say_can_record(d, d->failed ? "ojx cannot record here." : "ojx can record here.");
	return d->failed ? -1 : said;
}

int cmd_doctor(int argc, char **argv)
{
	struct doctor d = { .failed = false };
	const char *pid = NULL;
	const struct simple_command as = {
		.name = "doctor",
		.synopsis = "[OPTION]...",
		.about = "Tries everything that ojx needs of this machine, including a short "
			 "recording of each JDK, and says what to do if something is missing. With "
			 "-p: whether ojx can attach to a JVM that runs, which is not touched.",
		.notes = "Exit status: 0 if ojx can record here, or that JVM; 1 if not.\n",
		.own = { OPT_STRING('p', "pid", "PID", &pid,
				    "look at the JVM with this process id, or whose main class or "
				    "jar matches this pattern, in place of the machine"),
			 OPT_STRING(
				 0, "report", "FILE", &d.report,
				 "also write the result to FILE, with what 'ojx version -v' says, for "
				 "a report of a fault; it has no names of hosts or users"),
			 OPT_END },
	};
	int status = simple_parse(&as, argc, argv, &d.out);

	if (status < 0 && pid)
		status = run_target(&d, pid);
	if (status >= 0)
		return status;
	return run(&d) < 0 ? EXIT_ERROR : 0;
}
