/* SPDX-License-Identifier: Apache-2.0 */
/* load.c - see load.h. */
#include "load.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyse/analyses.h"
#include "base/memtext.h"
#include "cmd.h"
#include "out_of_memory.h"
#include "say.h"
#include "source/sources.h"

struct load {
	struct model *model;
	struct selection *selection; /* NULL: all */
	struct progress *progress;   /* NULL: not shown */
	int error;		     /* errno of the record at which reading ended */
	uint64_t bad;		     /* records that make no sense, which an agent alone wrote */
	bool cut;		     /* the recording ends in the middle */
};

static int feed_record(uint32_t jvm, uint64_t time_ns, const struct wire_rec *rec, uint32_t len,
		       void *arg)
{
	struct load *load = arg;

	progress_add(load->progress, len);
	model_set_time(load->model, time_ns);
	enum model_fed fed = load->selection ? selection_feed(load->selection, load->model, jvm,
							      time_ns, rec, len)
					     : model_feed(load->model, jvm, rec, len);
	if (fed != MODEL_BAD)
		return 0;
	if (model_can_skip(jvm, rec)) {
		load->bad++;
		return 0;
	}
	load->error = errno;
	return -1;
}

static int load_from(const char *path, struct load *load, struct file_header *header,
		     uint64_t *end_ns)
{
	const char *name = strcmp(path, "-") == 0 ? "standard input" : path;

	struct stat st;
	load->progress = show_progress_now();
	progress_begin(load->progress, "reading",
		       stat(path, &st) == 0 && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0);
	memset(header, 0, sizeof *header);
	*end_ns = 0;
	errno = 0;
	enum datafile_result result = datafile_read(path, header, end_ns, feed_record, load);
	int error = errno;
	load->cut = result == DATAFILE_TRUNCATED;
	if (load->error == ENOMEM || (result == DATAFILE_ERRNO && error == ENOMEM))
		out_of_memory();
	if (result == DATAFILE_TRUNCATED)
		say("'%s' is still being written or cut short: showing what is there", name);
	else if (result != DATAFILE_OK)
		return load_say_unreadable(name, result, error);
	if (load->bad)
		say("'%s' has %" PRIu64 " records that make no sense: they are left out", name,
		    load->bad);
	return 0;
}

/* Lists the threads, each name once. */
static void say_threads(const struct model *m)
{
	enum { MOST = 20 };
	const char *said[MOST];
	size_t n = 0, more = 0;
	struct memtext gathered;
	FILE *out = memtext_begin(&gathered);

	if (!out)
		return;
	for (uint32_t jvm = 1; jvm <= model_njvms(m); jvm++) {
		for (uint32_t i = 1; i < WIRE_THREADS; i++) {
			const char *name = model_shown_thread(m, jvm, i, false);
			size_t k = 0;
			while (name && k < n && strcmp(said[k], name) != 0)
				k++;
			if (!name || k < n)
				continue;
			if (n == MOST) {
				more++;
				continue;
			}
			fprintf(out, "%s'%s'", n ? ", " : "", name);
			said[n++] = name;
		}
	}
	char *list = memtext_end(&gathered);
	if (!list)
		return;
	if (more)
		say("threads of the recording: %s, and %zu more", list, more);
	else
		say("threads of the recording: %s", list);
	free(list);
}

/* No thread matches the pattern: it is a mistake, or nothing was sampled. */
static int check_threads(const char *path, const struct selection *w, const struct model *m)
{
	if (!w->thread_glob || w->matching)
		return 0;
	if (!w->threads)
		return say_error(
			"'%s' does not say which thread did what (--thread): nothing was sampled",
			path);
	say("'%s': no thread has a name that matches '%s'", path, w->thread_glob);
	say_threads(m);
	return -1;
}

static int read_model(struct load *load, const char *path, struct file_header *header,
		      uint64_t *end_ns)
{
	struct selection *selection = load->selection;
	int result = load_from(path, load, header, end_ns);

	if (!selection)
		return result;
	if (result == 0)
		selection_end(selection, load->model);
	selection_release(selection);
	return result == 0 ? check_threads(path, selection, load->model) : result;
}

/* The reason why there is nothing to show; NULL if there is something. */
static const char *find_nothing(const struct model *m, const struct selection *part, bool cut)
{
	if (model_njvms(m) == 0 && cut)
		return "it ends before any JVM was recorded";
	if (model_njvms(m) == 0)
		return "no JVM was recorded: the command started none, or none that ojx supports";
	for (size_t i = 0; i < model_ncontexts(m); i++) {
		const struct model_context *c = model_context(m, i);
		if (c->sampled || c->nsnapshots || c->nuses)
			return NULL;
	}
	if (model_has_findings(m))
		return NULL;
	if (part && part->thread_glob)
		return "nothing was recorded of those threads (--thread), or not in that time";
	if (part && selection_is_timed(part))
		return "nothing was recorded in that time; times are those of flushes, see --time";
	return "nothing was sampled: the program allocated too little, or ended too early";
}

/* Of a model that has all records: finds out the rest. `cut`: the recording was cut short. */
static void load_finish(struct loaded *l, const struct file_header *header, uint64_t end_ns,
			const struct selection *selection, bool cut)
{
	l->nothing = find_nothing(l->model, selection, cut);
	recording_collect(&l->recording, l->model, header, end_ns);
	recording_narrow(&l->recording, selection);
}

int load_recording(struct loaded *l, const char *path, struct selection *selection)
{
	struct load load = { .model = model_new(analyses), .selection = selection };
	struct file_header header;
	uint64_t end_ns;

	*l = (struct loaded){ .model = load.model };
	xgiven(l->model);
	if (read_model(&load, path, &header, &end_ns) < 0)
		return -1;
	model_set_machine(l->model, &header);
	load_finish(l, &header, end_ns, selection, load.cut);
	return 0;
}

int load_inputs(struct loaded *l, const struct inputs *in, const struct common_options *o)
{
	/* a copy: what is found of it differs between recordings */
	static const char *const words[] = { "--time", "--thread" };
	struct selection selection = o->selection;

	if (in->n == 1)
		return load_recording(l, in->file[0].path, o->has_selection ? &selection : NULL);
	*l = (struct loaded){ .model = NULL };
	if (o->has_selection)
		return say_error("%s shows a part of one recording, not of several",
				 words[!o->time]);
	struct file_header header;
	if (load_pooled(l, in, &o->filter, &header) < 0)
		return -1;
	load_finish(l, &header, 0, NULL, false);
	return 0;
}

struct sources *load_sources(const struct option_list *paths)
{
	struct sources *s = sources_new();
	const char *bad = NULL;

	for (size_t i = 0; i < paths->n; i++) {
		if (sources_add(s, paths->item[i], &bad) == 0)
			continue;
		if (errno == ENOMEM)
			out_of_memory();
		say("--source-path: cannot read '%s': %s", bad,
		    errno == EINVAL ? "neither a folder nor a zip archive" : strerror(errno));
		sources_free(s);
		return NULL;
	}
	return s;
}

/* Whether a JVM is of that version; *other receives the version of one that is not. True if no JVM
 * says its version. */
static bool is_recorded(const struct model *m, const char *version, const char **other)
{
	*other = NULL;
	for (uint32_t i = 1; i <= model_njvms(m); i++) {
		const struct model_jvm *jvm = model_jvm(m, i);
		if (!jvm || !jvm->info.vm_version[0])
			continue;
		if (jdk_release_is_of(version, jvm->info.vm_version))
			return true;
		*other = jvm->info.vm_version;
	}
	return !*other;
}

/*
 * Leaves out the src.zip of a JDK of another version than each JVM of the recording, and says so:
 * its lines are others.
 */
static void fit_sources(struct sources *s, const struct model *m)
{
	char version[JDK_VERSION_MAX];
	const char *other;

	for (size_t i = 0; i < sources_count(s); i++) {
		const char *path = sources_element(s, i);
		if (!jdk_release_version(path, version) || is_recorded(m, version, &other))
			continue;
		say("--source-path: '%s' is of Java %s, the recorded JVM is %s: it is left out",
		    path, version, other);
		sources_leave_out(s, i);
	}
}

int load_and_use(struct common_options *o, const struct inputs *in, load_use *use, void *arg)
{
	struct loaded l = { .model = NULL };
	int result = -1;

	/* first: a mistake there is said at once */
	struct sources *sources = load_sources(&o->source_path);
	show_progress_start(o->quiet);
	if (sources && load_inputs(&l, in, o) == 0) {
		fit_sources(sources, l.model);
		if (o->full)
			recording_show_all(&l.recording);
		result = use(&l, sources, arg);
	}
	show_progress_stop();
	sources_free(sources);
	model_free(l.model);
	return result;
}
