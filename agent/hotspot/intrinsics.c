/* SPDX-License-Identifier: Apache-2.0 */
/*
 * intrinsics.c - see intrinsics.h. Array.newInstance has a frame wherever it is called, except in
 * Arrays.copyOf: there the compiler's code makes the array itself.
 */
#include "hotspot/intrinsics.h"

#include <stdbool.h>
#include <stddef.h>

#include "hotspot/metadata.h"

enum role {
	ROLE_CALLED, /* called by any method; has no frame in compiled code */
	ROLE_COPY,   /* calls ROLE_INSTANCE, or allocates itself */
	ROLE_INSTANCE,
};

static const struct {
	const char *class, *name, *signature;
	bool is_static;
	uint8_t role;
} known[] = {
	{ "java/lang/Object", "clone", "()Ljava/lang/Object;", false, ROLE_CALLED },
	{ "java/lang/System", "arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;II)V", true,
	  ROLE_CALLED },
	{ "java/lang/StringUTF16", "toBytes", "([CII)[B", true, ROLE_CALLED },
	{ "java/lang/reflect/Array", "newArray", "(Ljava/lang/Class;I)Ljava/lang/Object;", true,
	  ROLE_CALLED },
	{ "jdk/internal/misc/Unsafe", "allocateInstance", "(Ljava/lang/Class;)Ljava/lang/Object;",
	  false, ROLE_CALLED },
	{ "jdk/internal/misc/Unsafe", "allocateUninitializedArray0",
	  "(Ljava/lang/Class;I)Ljava/lang/Object;", false, ROLE_CALLED },
	{ "java/util/Arrays", "copyOf",
	  "([Ljava/lang/Object;ILjava/lang/Class;)[Ljava/lang/Object;", true, ROLE_COPY },
	{ "java/util/Arrays", "copyOfRange",
	  "([Ljava/lang/Object;IILjava/lang/Class;)[Ljava/lang/Object;", true, ROLE_COPY },
	{ "java/lang/reflect/Array", "newInstance", "(Ljava/lang/Class;I)Ljava/lang/Object;", true,
	  ROLE_INSTANCE },
};

#define KNOWN (sizeof known / sizeof known[0])

static uint64_t methods[KNOWN]; /* 0: missing */

void intrinsics_init(JNIEnv *jni)
{
	for (size_t i = 0; i < KNOWN; i++) {
		jclass type = (*jni)->FindClass(jni, known[i].class);
		jmethodID method = NULL;
		if (type && known[i].is_static)
			method = (*jni)->GetStaticMethodID(jni, type, known[i].name,
							   known[i].signature);
		else if (type)
			method = (*jni)->GetMethodID(jni, type, known[i].name, known[i].signature);
		(*jni)->ExceptionClear(jni);
		methods[i] = metadata_number_of(method);
		if (type)
			(*jni)->DeleteLocalRef(jni, type);
	}
}

/* [handler] Whether the method of frame `at` exists and has this role. */
static bool is(const struct wire_frame *frames, uint32_t n, uint32_t at, enum role role)
{
	for (size_t i = 0; at < n && i < KNOWN; i++)
		if (methods[i] && methods[i] == frames[at].method)
			return known[i].role == role;
	return false;
}

uint32_t intrinsics_of(const struct wire_frame *frames, uint32_t n)
{
	uint32_t skip = is(frames, n, 0, ROLE_CALLED);

	if (is(frames, n, skip, ROLE_INSTANCE) && is(frames, n, skip + 1, ROLE_COPY))
		skip++;
	if (is(frames, n, skip, ROLE_COPY))
		skip++;
	return skip < n ? skip : 0;
}
