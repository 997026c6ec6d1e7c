/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hprof_format.c - see hprof_private.h: how a heap dump begins; and how other files begin that
 * somebody may take for one: what they are, and what to do.
 */
#include <stdio.h>

#include "heap/hprof_private.h"

#define PACKED(name, program) "packed by " name, "'" program " FILE | ojx heap -' reads it"
#define WRITE_ONE	      "'jcmd PID GC.heap_dump FILE' writes a heap dump"

enum { TAR_AT = 257 };

static const struct other {
	uint16_t at;
	uint8_t len;
	const char *head, *what, *advice;
} others[] = {
	{ 0, 3, "BZh", PACKED("bzip2", "bzip2 -dc") },
	{ 0, 6,
	  "\xfd"
	  "7zXZ",
	  PACKED("xz", "xz -dc") },
	{ 0, 4, "\x28\xb5\x2f\xfd", PACKED("zstd", "zstd -dc") },
	{ 0, 4, "\x04\x22\x4d\x18", PACKED("lz4", "lz4 -dc") },
	{ 0, 4, "PK\3\4", PACKED("zip", "unzip -p") },
	{ 0, 6, "7z\xbc\xaf\x27\x1c", PACKED("7-Zip", "7z x -so") },
	{ 0, 2, "\x1f\x8b", PACKED("gzip twice", "gzip -dc") },
	{ TAR_AT, 5, "ustar", "a tar archive",
	  "'tar -xOf FILE | ojx heap -' reads the dump in it" },
	{ 2, 18, "portable heap dump", "a heap dump of OpenJ9 (PHD), which has no contents",
	  "Eclipse MAT with DTFJ shows it; a HotSpot JVM writes what ojx reads" },
	{ 0, 11, "// Version:", "a classic heap dump of OpenJ9, which has no contents",
	  "a HotSpot JVM writes what ojx reads" },
	{ 0, 4, "FLR", "a recording of JFR, which has no contents of objects", WRITE_ONE },
	{ 0, 8, "OJXDATA", "a recording of ojx", "'ojx report -i FILE' shows it" },
	{ 0, 20, "JAVA PROFILE 1.0.1, ", "the text format of the hprof agent",
	  "its option 'format=b' writes the binary one" },
	{ 0, 18, "JAVA PROFILE 1.0.3", "a dump of Android (version 1.0.3)",
	  "'hprof-conv FILE NEW' converts it" },
	{ 0, 4, "MDMP", "a core file of Windows",
	  "'jhsdb jmap --binaryheap --exe JAVA --core FILE' makes a heap dump of it" },
	{ 1, 19, "num     #instances ", "a class histogram", WRITE_ONE },
	{ 0, 20, "version https://git-", "a pointer of Git LFS",
	  "'git lfs pull' fetches the file" },
	{ 0, 5, "<html", "a page of HTML, as a failed download leaves it", "fetch it again" },
	{ 0, 9, "<!DOCTYPE", "a page of HTML, as a failed download leaves it", "fetch it again" },
	{ 0, 20, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "no heap dump: it begins with zeroes",
	  WRITE_ONE },
};

static int refuse(struct hprof *h, const char *what, const char *advice)
{
	snprintf(h->error, sizeof h->error, "it is %s: %s", what, advice);
	return -1;
}

/* What is no dump. Returns -1. */
static int name_it(struct hprof *h, const unsigned char *data, size_t size)
{
	enum { TYPE_AT = 16, CORE = 4 };

	if (size > TYPE_AT + 1 && memcmp(data,
					 "\x7f"
					 "ELF",
					 4) == 0)
		return data[TYPE_AT] == CORE || data[TYPE_AT + 1] == CORE
			       ? refuse(h, "a core file",
					"'jhsdb jmap --binaryheap --exe JAVA --core FILE' makes a "
					"heap dump of it")
			       : refuse(h, "a program or a library", WRITE_ONE);
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		const struct other *o = &others[i];
		if (size >= (size_t)o->at + o->len && memcmp(data + o->at, o->head, o->len) == 0)
			return refuse(h, o->what, o->advice);
	}
	if (size > 13 && memcmp(data, "JAVA PROFILE ", 13) == 0)
		return hprof_fail(h, 13, "it is neither version 1.0.1 nor 1.0.2");
	return hprof_fail(h, 0, "it is no heap dump: 'JAVA PROFILE' is missing");
}

int hprof_check_header(struct hprof *h, const unsigned char *data, size_t size, size_t *first)
{
	static const char *const versions[] = { "JAVA PROFILE 1.0.1", "JAVA PROFILE 1.0.2" };
	size_t len = strlen(versions[0]) + 1;

	if (size == 0) {
		snprintf(h->error, sizeof h->error, "it is empty");
		return -1;
	}
	if (size < len || (memcmp(data, versions[0], len) != 0 && memcmp(data, versions[1], len)))
		return name_it(h, data, size);
	*first = len + 4 + 8;
	if (size < *first)
		return hprof_fail(h, size, "it ends within its header");
	h->id_size = hprof_u32(data + len);
	if (h->id_size != 4 && h->id_size != 8)
		return hprof_fail(h, len, "identifiers have neither 4 nor 8 bytes");
	return 0;
}
