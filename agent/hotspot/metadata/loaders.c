/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loaders.c - see loaders.h. JVMTI names the classes of a loader; their records lead to its
 * ClassLoaderData. Of hidden classes it names none.
 */
#define _GNU_SOURCE

#include "hotspot/metadata/loaders.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "core/jvm.h"
#include "core/peek.h"
#include "core/state.h"
#include "hotspot/vmstructs.h"
#include "wire/wire.h"

#define PACKAGE "jdk/internal/loader/ClassLoaders"
#define NAME	256	    /* bytes of a package's or a module's name; the JDK's are shorter */
#define LOOKS	8	    /* for loaders that are not known, in an epoch, */
#define LOOK_NS 1000000000u /* or in this time, if the epoch is longer */

enum { BOOT, PLATFORM, APPLICATION, LOADERS };

/* The fields of ClassLoaders that hold them. */
static const struct {
	const char *field, *type;
} builtin[LOADERS] = {
	[PLATFORM] = { "PLATFORM_LOADER", "L" PACKAGE "$PlatformClassLoader;" },
	[APPLICATION] = { "APP_LOADER", "L" PACKAGE "$AppClassLoader;" },
};

static struct {
	size_t klass_loader; /* Klass: its ClassLoaderData */
	size_t object;	     /* ClassLoaderData: a handle of the loader */
	const int *mirror;   /* java.lang.Class: the offset of its Klass */
} at;

static _Atomic uintptr_t known[LOADERS]; /* ClassLoaderData; 0: not known */

bool loader_stays(uintptr_t loader)
{
	for (int i = 0; loader && i < LOADERS; i++)
		if (atomic_load_explicit(&known[i], memory_order_relaxed) == loader)
			return true;
	return false;
}

bool loaders_init(void *dl)
{
	const struct vmstructs_wanted wanted[] = {
		{ "Klass", "_class_loader_data", .offset = &at.klass_loader },
		{ "ClassLoaderData", "_class_loader", .offset = &at.object },
	};
	/* without it none of the three is found */
	const struct vmstructs_wanted mirror[] = {
		{ "java_lang_Class", "_klass_offset", .address = (uintptr_t **)&at.mirror },
	};

	vmstructs_find(dl, mirror, 1);
	return vmstructs_find(dl, wanted, 2) == 2;
}

/* The ClassLoaderData of a class. 0 if a collection came in between. */
static uintptr_t loader_of(jclass type)
{
	uintptr_t klass = 0, loader = 0;
	uint64_t epoch = epoch_now();

	if (!type || !at.mirror || epoch == UINT64_MAX ||
	    !peek(handle_address(type) + (size_t)*at.mirror, &klass, sizeof klass) ||
	    !epoch_is(epoch) || !peek(klass + at.klass_loader, &loader, sizeof loader))
		return 0;
	return loader;
}

/* The loader in a field of ClassLoaders, without running Java code; NULL: unknown. */
static jobject loader_object(JNIEnv *jni, int i)
{
	jclass type = (*jni)->FindClass(jni, PACKAGE);
	jfieldID field =
		type ? (*jni)->GetStaticFieldID(jni, type, builtin[i].field, builtin[i].type)
		     : NULL;

	(*jni)->ExceptionClear(jni);
	return field ? (*jni)->GetStaticObjectField(jni, type, field) : NULL;
}

/* Its ClassLoaderData, found by any class that it has made; 0: it has made none yet. */
static uintptr_t find_loader(JNIEnv *jni, jobject wanted)
{
	jclass *types = NULL;
	uintptr_t found = 0;
	jint n = 0;

	if (!wanted ||
	    (*ojx.jvmti)->GetClassLoaderClasses(ojx.jvmti, wanted, &n, &types) != JVMTI_ERROR_NONE)
		return 0;
	for (jint i = 0; i < n; i++) {
		jobject loader = NULL;
		if (!found &&
		    (*ojx.jvmti)->GetClassLoader(ojx.jvmti, types[i], &loader) ==
			    JVMTI_ERROR_NONE &&
		    loader && (*jni)->IsSameObject(jni, loader, wanted))
			found = loader_of(types[i]);
		(*jni)->DeleteLocalRef(jni, loader);
		(*jni)->DeleteLocalRef(jni, types[i]);
	}
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)types);
	return found;
}

static uintptr_t find(JNIEnv *jni, int i)
{
	if (i == BOOT)
		return loader_of((*jni)->FindClass(jni, "java/lang/Object"));
	return find_loader(jni, loader_object(jni, i));
}

/* Looks for those that are not known yet. */
static void look(JNIEnv *jni)
{
	for (int i = 0; i < LOADERS; i++) {
		if (atomic_load_explicit(&known[i], memory_order_relaxed) ||
		    (*jni)->PushLocalFrame(jni, JVM_LOCAL_REFERENCES) != 0)
			continue;
		atomic_store_explicit(&known[i], find(jni, i), memory_order_relaxed);
		(*jni)->ExceptionClear(jni);
		(*jni)->PopLocalFrame(jni, NULL);
	}
}

/*
 * Whether to look once more, since this loader may be one of the three by now. Each look lists the
 * classes of a loader, and a program may have thousands of loaders: hidden classes have one each.
 */
static bool may_look(uintptr_t loader)
{
	static uint64_t epoch = UINT64_MAX, since;
	static uintptr_t in_vain; /* the last one that it was in vain for */
	static uint32_t looks;
	uint64_t now = now_ns();

	if (epoch != epoch_now() || now - since > LOOK_NS) {
		epoch = epoch_now();
		since = now;
		looks = 0;
		in_vain = 0;
	}
	if (in_vain == loader || looks == LOOKS)
		return false;
	in_vain = loader;
	looks++;
	return true;
}

/* Whether a module has a name that only those of the JDK have. */
static bool is_jdk_module(JNIEnv *jni, jobject module)
{
	jclass type = (*jni)->GetObjectClass(jni, module);
	jfieldID field = (*jni)->GetFieldID(jni, type, "name", "Ljava/lang/String;");
	jstring name = field ? (*jni)->GetObjectField(jni, module, field) : NULL;
	char text[NAME] = "";

	if (name && (*jni)->GetStringUTFLength(jni, name) < NAME)
		(*jni)->GetStringUTFRegion(jni, name, 0, (*jni)->GetStringLength(jni, name), text);
	return strncmp(text, "jdk.", 4) == 0 || strncmp(text, "java.", 5) == 0;
}

bool loader_has_jdk_class(JNIEnv *jni, jobject loader, const char *signature, size_t len)
{
	const char *end = len ? memrchr(signature, '/', len) : NULL;
	size_t n = end ? (size_t)(end - signature) - 1 : 0; /* without the L */
	char package[NAME];
	jobject module = NULL;
	bool found = false;

	if (n == 0 || n >= NAME)
		return false;
	memcpy(package, signature + 1, n);
	package[n] = '\0';
	if ((*ojx.jvmti)->GetNamedModule(ojx.jvmti, loader, package, &module) == JVMTI_ERROR_NONE &&
	    module)
		found = is_jdk_module(jni, module);
	(*jni)->ExceptionClear(jni);
	return found;
}

/* Whether the application's loader has a class from a module of the JDK, such as a compiler. */
static bool is_given(JNIEnv *jni, uintptr_t loader, const char *signature, size_t len)
{
	if (loader != atomic_load_explicit(&known[APPLICATION], memory_order_relaxed) ||
	    (*jni)->PushLocalFrame(jni, JVM_LOCAL_REFERENCES) != 0)
		return false;
	jobject object = loader_object(jni, APPLICATION);
	bool given = object && loader_has_jdk_class(jni, object, signature, len);
	(*jni)->PopLocalFrame(jni, NULL);
	return given;
}

uint32_t loader_flags(JNIEnv *jni, uintptr_t loader, const char *signature, size_t len)
{
	uintptr_t object = 0;

	if (!loader_stays(loader) && at.mirror && may_look(loader))
		look(jni);
	if (!peek(loader + at.object, &object, sizeof object))
		return 0;
	bool platform = !object ||
			loader == atomic_load_explicit(&known[PLATFORM], memory_order_relaxed) ||
			is_given(jni, loader, signature, len);
	return WIRE_METHOD_LOADER | (platform ? WIRE_METHOD_PLATFORM : 0u);
}
