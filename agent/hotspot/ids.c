/* SPDX-License-Identifier: Apache-2.0 */
/* ids.c - see ids.h. */
#include "hotspot/ids.h"

#include "core/hashtable.h"
#include "core/jvm.h"
#include "core/link.h"
#include "hotspot/metadata/metadata.h"

#define LOADED_MAX 20000 /* classes that get ids when they are loaded; 150 bytes each and more */
#define ASKED_MAX  32768 /* methods of stacks from the VM; as many can be named */
#define FIRST	   512	 /* slots of the first tier */
#define LEAST	   200	 /* unknown frames that matter, */
#define CLASSES	   500	 /* prepared in a round */
#define PART	   10	 /* if they are so large a part */

static struct hashtable_slot slots[HASHTABLE_SLOTS(FIRST)];
static const struct hashtable asked = { slots, FIRST };
static _Atomic uint32_t nasked, nloaded, nclasses;
static _Atomic uint64_t nmethods;	     /* of the classes that got all their ids */
static _Atomic uint64_t frames, missed;	     /* in handlers */
static _Atomic bool wanted, by_event, ended; /* ended: LOADED_MAX was reached */

/* Whether AsyncGetCallTrace depends on ids from the beginning. */
static void expect_classes(void)
{
	if (metadata_known())
		return;
	atomic_store_explicit(&wanted, true, memory_order_release);
	atomic_store_explicit(&by_event, true, memory_order_release);
	jvm_enable(JVMTI_EVENT_CLASS_PREPARE);
}

void ids_missed(uint32_t unknown, uint32_t n, bool carrier)
{
	uint64_t all = atomic_fetch_add_explicit(&frames, n, memory_order_relaxed) + n;

	if (!unknown)
		return;
	uint64_t bad = atomic_fetch_add_explicit(&missed, unknown, memory_order_relaxed) + unknown;
	if (carrier || (bad >= LEAST && bad > all / PART))
		atomic_store_explicit(&wanted, true, memory_order_relaxed);
}

/* Whether all classes shall have ids. Asks for the event of later ones, too. */
static bool are_wanted(void)
{
	if (!atomic_load_explicit(&wanted, memory_order_acquire))
		return false;
	if (!atomic_exchange_explicit(&by_event, true, memory_order_acq_rel))
		jvm_enable(JVMTI_EVENT_CLASS_PREPARE);
	return true;
}

/* Makes the ids of a class that was there before, or of one that was just loaded. */
static void prepare_class(jclass type, bool loaded)
{
	jint n = 0;
	jmethodID *methods = NULL;

	if (!ojx.jvmti) /* a late event of the session before */
		return;
	if (loaded && atomic_fetch_add_explicit(&nloaded, 1, memory_order_relaxed) >= LOADED_MAX) {
		if (!atomic_exchange_explicit(&ended, true, memory_order_acq_rel))
			link_note("the program loads very many classes: methods of those that it "
				  "loads from now on can be [unknown] in uses and accesses");
		return;
	}
	if ((*ojx.jvmti)->GetClassMethods(ojx.jvmti, type, &n, &methods) != JVMTI_ERROR_NONE)
		return;
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)methods);
	atomic_fetch_add_explicit(&nclasses, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&nmethods, (uint64_t)n, memory_order_relaxed);
}

bool ids_may_ask(void)
{
	static _Atomic bool told;

	if (!metadata_known() || atomic_load_explicit(&nasked, memory_order_relaxed) < ASKED_MAX)
		return true;
	if (!atomic_exchange_explicit(&told, true, memory_order_acq_rel))
		link_note("the JVM has told %u methods on stacks: from now on stacks that only it "
			  "can walk are left out",
			  ASKED_MAX);
	return false;
}

void ids_count(const jvmtiFrameInfo *from, uint32_t n)
{
	bool mine = false;

	for (uint32_t i = 0; i < n; i++)
		if (hashtable_claim(&asked, (uint64_t)(uintptr_t)from[i].method, &mine) && mine)
			atomic_fetch_add_explicit(&nasked, 1, memory_order_relaxed);
}

/* Notes how many there are, in verbose recordings. */
static void end(const struct part_turn *turn)
{
	(void)turn;
	if (ojx.config.flags & WIRE_VERBOSE)
		link_note("jmethodIDs: at most %u for stacks, %lu for %u classes",
			  atomic_load_explicit(&nasked, memory_order_relaxed),
			  (unsigned long)atomic_load_explicit(&nmethods, memory_order_relaxed),
			  atomic_load_explicit(&nclasses, memory_order_relaxed));
}

/* ---- classes that are there already -------------------------------------------------------- */

/* Local references of the thread that prepares them. */
static jclass *classes;
static jint nlisted, prepared;
static bool listed;

static void list_classes(JNIEnv *jni)
{
	listed = true;
	if ((*jni)->PushLocalFrame(jni, JVM_LOCAL_REFERENCES) != 0)
		return;
	if ((*ojx.jvmti)->GetLoadedClasses(ojx.jvmti, &nlisted, &classes) == JVMTI_ERROR_NONE &&
	    classes)
		return;
	classes = NULL;
	(*jni)->PopLocalFrame(jni, NULL);
}

/* Forgets those that are left. On the thread that has listed them. */
static void drop_classes(JNIEnv *jni)
{
	if (!classes)
		return;
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)classes);
	classes = NULL;
	(*jni)->PopLocalFrame(jni, NULL);
}

/*
 * Gives ids to the methods of the classes that were loaded before, `n` classes at each call. Always
 * on the same thread, which keeps a frame of local references until all have been done.
 */
static void prepare_classes(JNIEnv *jni, uint32_t n)
{
	if (!listed)
		list_classes(jni);
	if (!classes)
		return;
	for (; n > 0 && prepared < nlisted; n--)
		prepare_class(classes[prepared++], false);
	if (prepared == nlisted)
		drop_classes(jni);
}

/* ---- as a part of the agent ---------------------------------------------------------------- */

static const char *init(const struct part_start *start)
{
	if (!ojx.walks)
		return PART_UNASKED;
	expect_classes();
	if (are_wanted() && !ojx.attached) /* few; otherwise the service thread does it in slices */
		prepare_classes(start->jni, UINT32_MAX);
	return NULL;
}

static void class_loaded(jclass type)
{
	prepare_class(type, true);
}

static void serve(const struct part_turn *turn)
{
	bool interrupts = atomic_load_explicit(&ojx.watch_on, memory_order_acquire) ||
			  atomic_load_explicit(&ojx.sampling_on, memory_order_acquire);

	if (turn->final)
		return; /* perhaps on another thread */
	if (!interrupts)
		drop_classes(turn->jni);
	else if (are_wanted())
		prepare_classes(turn->jni, CLASSES);
}

const struct part ids_part = {
	.name = "ids of methods",
	.init = init,
	.loaded = class_loaded,
	.serve = serve,
	.end = end,
	.release = drop_classes,
};
