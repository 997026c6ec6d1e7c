/* SPDX-License-Identifier: Apache-2.0 */
/*
 * builder.h - wire records made in memory, for tests.
 *
 * A builder is a growing buffer of records, as a ring or a chunk would hold them. Tests append
 * records with build_*, then hand them to a model (builder_feed) or walk them (builder_next).
 * Lengths and padding are right by construction; a test that needs a bad record changes the bytes
 * of the returned one. If out of memory, the test ends.
 *
 *	struct builder b = BUILDER_INIT;
 *	build_site(&b, 1, "Lcom/acme/Point;", "Lcom/acme/Main;", "run", 12);
 *	build_alloc(&b, 1, 0, 24, 1.0);
 *	build_snapshot(&b, &(struct wire_snapshot){ .context = 1, .weight = 1 }, NULL, 0);
 *	builder_feed(&b, model, 1);
 *	builder_release(&b);
 */
#ifndef OJX_TEST_BUILDER_H
#define OJX_TEST_BUILDER_H

#include <stddef.h>
#include <stdint.h>

#include "file/datafile.h"
#include "model/model.h"
#include "wire/wire.h"

struct builder {
	unsigned char *data; /* records, one after the other */
	size_t len, cap;     /* bytes */
};
#define BUILDER_INIT \
	{            \
		0    \
	}

void builder_release(struct builder *b);

/*
 * Feeds all records to the model as JVM `jvm` and empties the builder. Returns the number that were
 * MODEL_BAD.
 */
size_t builder_feed(struct builder *b, struct model *m, uint32_t jvm);

/* Walks the records: NULL gives the first; NULL follows the last. */
const struct wire_rec *builder_next(const struct builder *b, const struct wire_rec *rec);

/*
 * Every build_* returns its record, which is valid until the next call. Strings are NUL-terminated
 * here and copied without the NUL.
 */

struct build_field {
	const char *name;
	const char *declarer; /* signature; NULL: of the class itself */
	char type;	      /* first character of the field's signature */
	uint32_t offset;
};

/*
 * Sizes of fields and elements follow from their types (references: 4 bytes). All fields are final.
 */
struct wire_class *build_class(struct builder *b, uint32_t id, const char *signature,
			       const struct build_field *fields, uint32_t nfields);

/* The same with the whole signatures of the fields' types; NULL among them: not sent. */
struct wire_class *build_typed_class(struct builder *b, uint32_t id, const char *signature,
				     const struct build_field *fields, uint32_t nfields,
				     const char *const *types);

/* `file` may be NULL. `lines` is sorted by bci. */
struct wire_method *build_method(struct builder *b, uint64_t method, const char *class_signature,
				 const char *name, const char *file, const struct wire_line *lines,
				 uint32_t nlines);

struct wire_stack *build_stack(struct builder *b, uint32_t id, unsigned flags,
			       const struct wire_frame *frames, uint16_t nframes);
struct wire_context *build_context(struct builder *b, uint32_t id, uint32_t class_id,
				   uint32_t stack_id);

/*
 * Builds a context with all it needs: class, method, stack of one frame, and context, all with the
 * id `id`. The source file is "Test.java", the frame is at `line`. Returns the context.
 */
struct wire_context *build_site(struct builder *b, uint32_t id, const char *class_signature,
				const char *method_class_signature, const char *method, int line);

struct wire_thread *build_thread(struct builder *b, uint32_t number, const char *name);
struct wire_alloc *build_alloc(struct builder *b, uint32_t context, uint32_t array_length,
			       uint64_t size, double weight);

/* `snapshot` and `use` provide everything except the record header and, for a snapshot, nslots. */
struct wire_snapshot *build_snapshot(struct builder *b, const struct wire_snapshot *snapshot,
				     const uint32_t *slots, uint16_t nslots);
struct wire_use *build_use(struct builder *b, const struct wire_use *use);
struct wire_unused *build_unused(struct builder *b, uint32_t context, uint32_t reason);
/* The text of the string whose content is `deep`; `chars` is its length if it has no more text. */
struct wire_value *build_value(struct builder *b, uint32_t context, uint64_t deep,
			       const char *text);

/* Records of files. `argv` is NULL-terminated. */
struct file_command *build_command(struct builder *b, const char *const *argv);
struct file_label *build_label(struct builder *b, uint32_t flags, const char *name,
			       const char *value);
struct file_jvm *build_jvm(struct builder *b, int32_t pid, uint32_t engines, const char *vm_name,
			   const char *vm_version, const char *gc);
struct file_status *build_status(struct builder *b, const struct file_status *status);
struct file_count *build_count(struct builder *b, uint32_t context, uint32_t array_length,
			       uint64_t size, uint64_t count, double weight);
struct file_end *build_end(struct builder *b, uint64_t duration_ns, int32_t wait_status);

/* Any other record: `len` bytes (a multiple of WIRE_ALIGN), zeroed, its header filled in. */
void *build_record(struct builder *b, uint16_t type, uint32_t len);

/* Fixed pseudo-random numbers, for tickets and contents: the n-th of a stream (splitmix64). */
uint64_t build_random(uint64_t n);

#endif
