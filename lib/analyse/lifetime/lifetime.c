/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lifetime.c - see lifetime.h. A rule looks at the ends of intervals, so it is wrong
 * only as rarely as these. Lines that allocate little get no advice, except on leaks.
 */
#include "analyse/lifetime/lifetime.h"

#include <string.h>

/*
 * ---- A rule looks at the ends of intervals, so it is wrong only as rarely as these. Lines
 * that allocate little get no advice, except on leaks.
 */

#define MUCH   0.01 /* share of the bytes that all lines allocate */
#define HARDLY 0.05 /* share that survives, if "none" do */
#define HALF   0.5
#define HELD   0.05 /* share of what all lines hold */
#define NEARLY 0.9  /* of the time */

/* Places in lifetime_survived. */
enum { ONE, TWO, FIVE, FIFTEEN };

static bool matters(const struct lifetime_line *l)
{
	return !l->row.weak && l->row.share >= MUCH;
}

static bool grows(const struct lifetime_line *l, const char *gc)
{
	(void)gc;
	return l->grows;
}

static bool grows_unused(const struct lifetime_line *l, const char *gc)
{
	return grows(l, gc) && l->uses.idle.range.low >= HALF;
}

static bool holds_much(const struct lifetime_line *l)
{
	return !l->row.weak && l->held_share >= HELD;
}

/* Judges by the interval of the line alone. Among many lines, some seem to grow by chance. */
static bool seems_to_grow(const struct lifetime_line *l, const char *gc)
{
	(void)gc;
	return (matters(l) || holds_much(l)) && l->growth.range.low > 0;
}

static bool is_unused(const struct lifetime_line *l, const char *gc)
{
	(void)gc;
	return holds_much(l) && l->uses.unused.range.low >= HALF;
}

static bool is_dragged(const struct lifetime_line *l, const char *gc)
{
	(void)gc;
	return holds_much(l) && l->uses.drag.range.low >= HALF;
}

static bool dies_at_once(const struct lifetime_line *l, const char *gc)
{
	(void)gc;
	return matters(l) && l->steady && l->survivors[ONE].range.high <= HARDLY;
}

/* Whether the collector copies young objects again and again until it takes them for old. */
static bool copies(const char *gc)
{
	return strcmp(gc, "Serial") == 0 || strcmp(gc, "Parallel") == 0 || strcmp(gc, "G1") == 0;
}

static bool is_copied_and_dies(const struct lifetime_line *l, const char *gc)
{
	return copies(gc) && matters(l) && l->survivors[TWO].range.low >= HALF &&
	       l->survivors[FIFTEEN].range.high < HALF;
}

static bool is_copied_and_stays(const struct lifetime_line *l, const char *gc)
{
	return copies(gc) && matters(l) && l->survivors[FIVE].range.low >= HALF;
}

static bool is_in_use(const struct lifetime_line *l, const char *gc)
{
	(void)gc;
	return holds_much(l) && l->uses.in_use.range.low >= NEARLY;
}

#define GROWTH(possible_) \
	"growth", "makes objects of which ", " more are alive", .possible = possible_
#define DRAGGED \
	"dragged", "makes objects of which ", " are kept after their last use", .possible = false
#define SURVIVED \
	"survived_bytes", "makes objects of which ", " survive a collection", .possible = true
#define NOTHING NULL, NULL, NULL, .possible = false

static const struct lifetime_advice rules[] = {
	{ { "leak-suspect",
	    "What is alive of these objects grows all the time, and most of it is not used for "
	    "seconds.",
	    "See who keeps them and until when. Bound it, or remove what is not needed any more.",
	    GROWTH(false) },
	  grows_unused },
	{ { "leak-suspect", "What is alive of these objects grows all the time.",
	    "See who keeps them and until when. Bound it, or remove what is not needed any more. A "
	    "cache or a result that is still being filled grows, too.",
	    GROWTH(false) },
	  grows },
	{ { "growing", "More of these objects were alive at the last look than before.",
	    "Leak suspect if it goes on: record longer, and see who keeps them and until when "
	    "(ojx heap of two dumps). A cache or a result that is still being filled grows, too.",
	    GROWTH(true) },
	  seems_to_grow },
	{ { "unused", "Most of these objects that survive a collection are not used after it.",
	    "Do not make them, make them when they are needed, or let go of them sooner.",
	    DRAGGED },
	  is_unused },
	{ { "dragged", "These objects are kept long after their last use.",
	    "Set the reference to null after it, hold it in a shorter scope, or weakly.", DRAGGED },
	  is_dragged },
	{ { "dies-at-once",
	    "These objects die before their first collection, and are made all the time.",
	    "Their cost is the allocation. Make fewer, use one again if it can be changed, or keep "
	    "them within a method, so that the compiler can do without them.",
	    NOTHING },
	  dies_at_once },
	{ { "larger-young-generation",
	    "Most of these objects are copied in collections, and then die.",
	    "Make the young generation larger (-Xmn, or -XX:G1NewSizePercent with G1), so that "
	    "they die before they are copied.",
	    SURVIVED },
	  is_copied_and_dies },
	{ { "promote-earlier",
	    "Most of these objects survive five collections and more, and are copied until the "
	    "collector takes them for old.",
	    "If lines like this make up most of what survives, promote earlier "
	    "(-XX:MaxTenuringThreshold), or make these objects once and use them again.",
	    SURVIVED },
	  is_copied_and_stays },
	{ { "in-use", "These objects are used all the time that they are kept.", "Keep them.",
	    NOTHING },
	  is_in_use },
	{ { .name = NULL }, NULL },
};

const struct lifetime_advice *lifetime_advise(const struct lifetime_line *l, const char *gc)
{
	for (const struct lifetime_advice *rule = rules; rule->rule.name; rule++)
		if (rule->match(l, gc))
			return rule;
	return NULL;
}
