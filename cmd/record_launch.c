/* SPDX-License-Identifier: Apache-2.0 */
/* record_launch.c - see record_launch.h. */
#include "record_launch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "record/clibrary.h"
#include "record/dumpflags.h"
#include "record/jvmkind.h"
#include "say.h"

static int find_program(struct record_launch *r, const char *name)
{
	r->program = launch_find(name);
	if (r->program)
		return -1;
	int status = errno == ENOENT || errno == ENOTDIR ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
	say("cannot run '%s': %s", name, strerror(errno));
	return status;
}

int record_launch_find_agent(struct record_launch *r)
{
	char tried[2][4096];

	r->agent = launch_find_agent(tried);
	if (r->agent)
		return -1;
	say("cannot find the agent: neither '%s' nor '%s' can be read; build or install ojx again",
	    tried[0], tried[1]);
	return EXIT_RECORD;
}

int record_launch_find(struct record_launch *r, const struct record_options *o)
{
	int status = find_program(r, o->command[0]);

	return status < 0 ? record_launch_find_agent(r) : status;
}

int record_launch_settle(struct record_launch *r, bool verbose)
{
	if (agentfile_settle(&r->settled, r->agent) < 0) {
		say(errno == EINVAL
			    ? "cannot use the agent '%s': its path has a '=', and no copy can be "
			      "kept in $XDG_CACHE_HOME or ~/.cache"
			    : "cannot use the agent '%s': out of memory",
		    r->agent);
		return EXIT_RECORD;
	}
	if (verbose && r->settled.error)
		say("the agent is used in place, as no copy can be kept in $XDG_CACHE_HOME or "
		    "~/.cache (%s): a JVM that must load it after it was removed will not start",
		    strerror(r->settled.error));
	return -1;
}

static void say_how(const struct record_launch *r, bool children)
{
	if (r->plan.how == LAUNCH_AGENTPATH)
		say("'%s' is a java launcher: it gets the agent by -agentpath", r->program);
	else if (r->plan.how == LAUNCH_ENVIRONMENT)
		say("%s: JVMs get the agent by JAVA_TOOL_OPTIONS, and each says that it picked "
		    "them up",
		    children ? "with --children" : "not a java launcher");
}

/* Whether a JVM of the command would not start with the agent; says why. */
static bool must_do_without(const struct record_launch *r, const struct record_options *o)
{
	char *dump = dumpflags_find(o->command, jvmkind_is_launcher(r->program));
	bool musl = !dump && clibrary_is_musl(r->program), without = dump || musl;

	if (dump)
		say("%s: a JVM that writes an archive of its classes cannot have an agent: the "
		    "command runs without it, and nothing is recorded",
		    dump);
	else if (musl)
		say("'%s' runs with the C library musl (Alpine), and the agent needs glibc: the "
		    "command runs without it, and nothing is recorded",
		    r->program);
	free(dump);
	return without;
}

int record_launch_plan(struct record_launch *r, const struct record_options *o,
		       const char *socket_path)
{
	bool without = must_do_without(r, o);
	int status = without ? -1 : record_launch_settle(r, o->verbose);
	const char *agent = without ? NULL : r->settled.path;

	if (status >= 0)
		return status;
	if (launch_plan(&r->plan, o->command, r->program, agent, socket_path, o->children) < 0) {
		say("out of memory");
		return EXIT_RECORD;
	}
	if (o->verbose)
		say_how(r, o->children);
	return -1;
}

void record_launch_release(struct record_launch *r)
{
	launch_release(&r->plan);
	agentfile_release(&r->settled);
	free(r->program);
	free(r->agent);
}
