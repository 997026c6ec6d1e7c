/* SPDX-License-Identifier: Apache-2.0 */
/* limits.c - see limits.h. */
#include "model/limits.h"

#include <stdio.h>

#include "base/units.h"

#define SHORTER "record for a shorter time, or only some classes (--class)"

static const struct {
	const char *name;
	const char *what; /* follows the count */
	uint64_t most;	  /* 0: the text has no place for it */
	const char *why;  /* %s: most */
	const char *advice;
} limits[WIRE_LIMITS] = {
	[WIRE_LIMIT_RINGS] = { "rings", "events lost", 0,
			       "more threads sent than have a ring, 256 at a time",
			       "what the others do is told all the same" },
	[WIRE_LIMIT_UNREAD] = { "unread", "events lost", 0, "ojx did not get to read them in time",
				"leave it a processor, or have fewer (--interval, -F)" },
	[WIRE_LIMIT_THREADS] = { "threads", "samples lost", WIRE_MOST_THREADS,
				 "they were on threads beyond %s at a time",
				 "what the others do is told all the same" },
	[WIRE_LIMIT_WAITING] = { "waiting", "samples of accesses lost", 0,
				 "more waited than there is room for", "have fewer (-F, -c)" },
	[WIRE_LIMIT_DEFINITIONS] = { "definitions", "classes, methods and stacks left out", 0,
				     "the 16 MB for their texts are full: what is theirs counts as "
				     "'(other)'",
				     SHORTER },
	[WIRE_LIMIT_CLASSES] = { "classes", "samples left out", WIRE_MOST_CLASSES,
				 "they are of classes beyond %s", SHORTER },
	[WIRE_LIMIT_CLASS_NAMES] = { "class_names", "objects of unknown class",
				     WIRE_MOST_CLASS_NAMES,
				     "they are of classes beyond %s that no sample made known",
				     SHORTER },
	[WIRE_LIMIT_METHODS] = { "methods", "methods without a name", WIRE_MOST_METHODS,
				 "there are more than %s: in stacks they are '[unknown]'",
				 SHORTER },
	[WIRE_LIMIT_STACKS] = { "stacks", "stacks left out", WIRE_MOST_STACKS,
				"there are more than %s: what is theirs counts as '(other)'",
				"record for a shorter time, or less deep (--max-stack)" },
	[WIRE_LIMIT_CONTEXTS] = { "contexts", "samples without a context", WIRE_MOST_CONTEXTS,
				  "there are about %s: what is theirs counts as '(other)'",
				  SHORTER },
	[WIRE_LIMIT_THREAD_NAMES] = { "thread_names", "threads not told apart",
				      WIRE_MOST_THREAD_NAMES, "there are more than %s names",
				      "--thread leaves them out" },
	[WIRE_LIMIT_SIZES] = { "sizes", "samples not considered for watches", WIRE_MOST_SIZES,
			       "more than %s sizes of objects have been seen", SHORTER },
	[WIRE_LIMIT_DESCRIPTORS] = { "descriptors", "watches and samplers not opened",
				     WIRE_MOST_EVENTS,
				     "they may have an eighth of the descriptors that ulimit -n "
				     "permits, and %s at most",
				     "raise ulimit -n" },
	[WIRE_LIMIT_MEMORY] = { "memory", "requests for memory refused", 0,
				"a limit is near (ulimit -v, ulimit -d, or a cgroup's)",
				"raise it to have all of the recording" },
};

const char *limits_name(enum wire_limit limit)
{
	return limits[limit].name;
}

const char *limits_say(char text[LIMITS_TEXT], enum wire_limit limit, uint64_t count)
{
	char number[UNITS_TEXT], most[UNITS_TEXT], why[LIMITS_TEXT / 2];

	snprintf(most, sizeof most, "%llu", (unsigned long long)limits[limit].most);
	snprintf(why, sizeof why, limits[limit].why, most); /* NOLINT: our own texts */
	snprintf(text, LIMITS_TEXT, "%s %s: %s; %s", units_count(number, (double)count),
		 limits[limit].what, why, limits[limit].advice);
	return text;
}
