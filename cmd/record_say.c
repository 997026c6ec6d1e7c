/* SPDX-License-Identifier: Apache-2.0 */
/* record_say.c - messages of `ojx record`: about JVMs that come and go, and at the end. */
#include "record.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/units.h"
#include "cmd.h"
#include "model/analysis.h"
#include "model/cost.h"
#include "model/limits.h"
#include "model/model.h"
#include "report/recording.h"
#include "say.h"

/*
 * ---- what a recording has in it, in a line: for each analysis that was asked for what it is
 * made of. Sums of the model's own counts: no stack is resolved, no report is made.
 */

enum { RECORD_SUM_TEXT = 512 };

/* "100 objects sampled, 4 scanned, ...; dead-store: 31 % of 1000 pairs of accesses; 0 events lost"
 */
static void record_sum(char text[RECORD_SUM_TEXT], const struct model *m,
		       const struct analysis_needs *needs)
{
	struct file_status all = { .sampled = 0 };
	FILE *out = fmemopen(text, RECORD_SUM_TEXT, "w"); /* what does not fit is left out */

	text[0] = '\0';
	for (uint32_t i = 1; i <= model_njvms(m); i++) {
		const struct model_jvm *jvm = model_jvm(m, i);
		if (!jvm->has_status)
			continue;
		all.sampled += jvm->status.sampled;
		all.scanned += jvm->status.scanned;
		all.used += jvm->status.used;
		all.trapped += jvm->status.trapped;
		all.lost += jvm->status.lost;
	}
	if (!out)
		return;
	model_sum_up(out, m, needs, &all);
	fprintf(out, "%" PRIu64 " events lost", all.lost);
	fclose(out);
	text[RECORD_SUM_TEXT - 1] = '\0';
}

/* ---- news -------------------------------------------------------------------------------- */

static const char *refusal(int code)
{
	switch (code) {
	case WIRE_NOT_HOTSPOT:
		return "is not HotSpot";
	case WIRE_TOO_OLD:
		return "is too old, JDK 11 or later is needed";
	case WIRE_NO_SAMPLING:
		return "offers no allocation sampling, which only one agent can use: another one "
		       "has it, such as a profiler (" RECORD_WITHOUT_SAMPLER ")";
	case WIRE_BAD_VERSION:
		return "got an agent of another ojx version, install ojx again";
	case WIRE_TOO_MANY:
		return "is one too many, there is no room for another JVM";
	case WIRE_BUSY:
		return "is recorded by another ojx already";
	case WIRE_NO_VARIABLES:
		return "has no room left in its C library for the agent's variables "
		       "(GLIBC_TUNABLES=glibc.rtld.optional_static_tls=4096 makes room)";
	default:
		return "cannot be profiled";
	}
}

static void say_refused(struct record_say *r, const struct session_news *news)
{
	char vm[2 * WIRE_TEXT + 4] = "";

	r->refused++;
	if (news->vm_name[0] || news->vm_version[0])
		snprintf(vm, sizeof vm, " (%s%s%s)", news->vm_name,
			 news->vm_name[0] && news->vm_version[0] ? " " : "", news->vm_version);
	if (news->error)
		say("pid %d%s: cannot make its shared memory: %s: not profiled", news->pid, vm,
		    strerror(news->error));
	else if (news->code == WIRE_BUSY && news->holder == SESSION_ITSELF)
		say("pid %d%s records itself already, into a file of its agent's: not profiled; "
		    "'jcmd %d JVMTI.agent_load LIBRARY stop' ends that",
		    news->pid, vm, news->pid);
	else if (news->code == WIRE_BUSY && news->holder == WIRE_GONE)
		say("pid %d%s was recorded by an ojx that has ended, and its agent has not left "
		    "yet (a thread may be held up in it): not profiled; try again",
		    news->pid, vm);
	else if (news->code == WIRE_NO_ROOM)
		say("pid %d%s: ulimit -%c leaves %u MB, and the agent needs %u MB, with what it "
		    "leaves to the JVM: not profiled; raise it, or give the JVM less (-Xmx)",
		    news->pid, vm, news->limit == RLIMIT_DATA ? 'd' : 'v', news->left_mb,
		    news->need_mb);
	else if (news->code == WIRE_BUSY && news->holder > 0)
		say("pid %d%s is recorded already, by the ojx with pid %d: not profiled", news->pid,
		    vm, news->holder);
	else
		say("pid %d%s %s: not profiled", news->pid, vm, refusal(news->code));
}

static void say_note(struct record_say *r, const char *text)
{
	for (unsigned i = 0; i < r->nnotes; i++)
		if (strcmp(r->notes[i], text) == 0)
			return;
	if (r->nnotes == RECORD_MAX_NOTES)
		return;
	char *copy = strdup(text);
	if (copy)
		r->notes[r->nnotes++] = copy;
	say("%s", text);
}

void record_say_news(const struct session_news *news, void *arg)
{
	struct record_say *r = arg;
	char text[LIMITS_TEXT];

	switch (news->kind) {
	case SESSION_WAITING:
		break;
	case SESSION_JOINED:
		if (r->verbose)
			say("pid %d (%s %s): connected", news->pid, news->vm_name,
			    news->vm_version);
		break;
	case SESSION_RECORDING:
		if (r->verbose)
			say("pid %d: recording", news->pid);
		break;
	case SESSION_LEFT:
		if (r->verbose)
			say("pid %d: ended", news->pid);
		break;
	case SESSION_REFUSED:
		say_refused(r, news);
		break;
	case SESSION_NOTE:
		if (!r->quiet)
			say_note(r, news->text);
		break;
	case SESSION_DAMAGED:
		say("pid %d sent damaged records: they are left out and counted as lost (the "
		    "first: %s)",
		    news->pid, news->text);
		break;
	case SESSION_LIMIT:
		if (!r->quiet && !(r->limits & 1U << news->code))
			say("so far %s",
			    limits_say(text, (enum wire_limit)news->code, news->count));
		r->limits |= 1U << news->code;
		break;
	case SESSION_FULL:
		say("'%s' is near its --max-size: from now on objects of new contexts are counted "
		    "as '(other)'",
		    r->output);
		break;
	case SESSION_UNWRITTEN:
		say("cannot write '%s': %s: recording ends here, the program goes on", r->output,
		    strerror(news->code));
		break;
	}
}

void record_say_release(struct record_say *r)
{
	while (r->nnotes > 0)
		free(r->notes[--r->nnotes]);
}

/* ---- summary ----------------------------------------------------------------------------- */

struct sums {
	uint64_t sampled, counted;
	double counted_us, kept_us; /* CPU time of both kinds of samples */
	uint64_t ticks, located, trapped, predicted;
	uint64_t traps, undecoded;
	uint64_t refused[WIRE_LIMITS];
};

static struct sums sum_up(const struct model *m)
{
	struct sums sums = { 0 };

	for (uint32_t i = 1; i <= model_njvms(m); i++) {
		const struct model_jvm *jvm = model_jvm(m, i);
		if (!jvm->has_status)
			continue;
		sums.sampled += jvm->status.sampled;
		sums.counted += jvm->status.counted;
		sums.counted_us += (double)jvm->status.counted_ns / 1e3;
		sums.kept_us +=
			((double)jvm->status.callback_ns - (double)jvm->status.counted_ns) / 1e3;
		sums.ticks += jvm->status.ticks;
		sums.located += jvm->status.located;
		sums.trapped += jvm->status.trapped;
		sums.predicted += jvm->status.predicted;
		sums.traps += jvm->status.traps;
		sums.undecoded += jvm->status.undecoded;
		for (int k = 0; k < WIRE_LIMITS; k++)
			sums.refused[k] += jvm->status.refused[k];
	}
	return sums;
}

static void say_limits(const struct sums *sums)
{
	char text[LIMITS_TEXT];

	for (int i = 0; i < WIRE_LIMITS; i++)
		if (sums->refused[i])
			say_summary("record: %s",
				    limits_say(text, (enum wire_limit)i, sums->refused[i]));
}

void record_say_summary(const struct record_say *r, const struct model *m, uint64_t bytes)
{
	struct sums sums = sum_up(m);
	char size[UNITS_TEXT], cpu[UNITS_TEXT], text[RECORD_SUM_TEXT];
	const struct cost cost = cost_of(m);

	record_sum(text, m, &r->needs);
	say_summary("record: wrote %s to '%s': %s", units_bytes(size, (double)bytes), r->output,
		    text);
	say_limits(&sums);
	if (r->verbose && sums.counted && sums.sampled > sums.counted)
		say_summary("record: of %" PRIu64 " samples %" PRIu64
			    " were only counted, at %.1f us each; the others took %.1f us",
			    sums.sampled, sums.counted, sums.counted_us / (double)sums.counted,
			    sums.kept_us / (double)(sums.sampled - sums.counted));
	if (r->verbose && sums.ticks)
		say_summary("record: accesses: %" PRIu64 " samples in Java code, %" PRIu64
			    " of the heap; %" PRIu64 " of %" PRIu64
			    " addresses were first accessed by the predicted instruction",
			    sums.ticks, sums.located, sums.predicted, sums.trapped);
	if (r->verbose && sums.undecoded)
		say_summary("record: of %" PRIu64 " traps of debug registers, %" PRIu64
			    " were by instructions that were not understood and gave no evidence",
			    sums.traps, sums.undecoded);
	uint64_t uncounted;
	bool exact = recording_exact(m, &uncounted);
	if (exact && uncounted)
		say_summary("record: the counts are exact but %" PRIu64 " allocations lost",
			    uncounted);
	else if (exact)
		say_summary("record: the counts are exact");
	if (!isnan(cost.whole) && exact)
		say_summary("record: cost %.0f %% of %s of CPU time measured, about %.0f %% with "
			    "what it does to caches (--exact: whatever it takes)",
			    cost.measured, units_seconds(cpu, cost_cpu_seconds(m)), cost.whole);
	else if (!isnan(cost.whole))
		say_summary("record: cost %.1f %% of %s of CPU time measured, about %.1f %% with "
			    "what it does to caches (budget %.3g %%%s)",
			    cost.measured, units_seconds(cpu, cost_cpu_seconds(m)), cost.whole,
			    r->budget,
			    r->paced && cost.whole > r->budget
				    ? ", but -F or -c sets the rate of access samples"
				    : "");
	if (!sums.sampled && !sums.ticks && model_ncontexts(m) == 0)
		say_summary(
			"record: there is nothing to see: the program allocated too little, or ended too early");
	else if (strcmp(r->output, OJX_DATA) == 0)
		say_summary("record: to see it: ojx report");
	else if (strcmp(r->output, "-") != 0)
		say_summary("record: to see it: ojx report -i '%s'", r->output);
}
