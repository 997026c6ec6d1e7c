/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reader.h - reads the heap and the VM's descriptions of classes, in place or through the kernel.
 *
 * In place: in a pause of a collector that does nothing to the heap outside of pauses. Otherwise
 * whole pages are copied through the kernel (peek.h) and kept until reader_forget, since the call
 * costs far more than the copying and what belongs together was mostly allocated together. A page
 * that is not there is no fault then. What was read so is good if the epoch has not moved since
 * reader_forget.
 *
 * A reader belongs to one thread. It is made before a pause needs it.
 */
#ifndef OJX_READER_H
#define OJX_READER_H

#include "core/state.h"

#define READER_MAX 1024 /* bytes at a time */

struct reader;

/* `in_place`: as above. NULL where memory lacks, or where the kernel's help is needed and not to be
 * had. */
struct reader *reader_new(bool in_place);
void reader_free(struct reader *r);

/* [pause] Whether it reads in place. */
bool reader_in_place(const struct reader *r);

/* The addresses that objects can have, where they are read in place. */
void reader_limit(struct reader *r, uintptr_t low, uintptr_t high);

/* [pause] Drops what is kept. */
void reader_forget(struct reader *r);

/* [pause] So many pages may be copied until the next call. */
void reader_allow(struct reader *r, uint32_t pages);

/*
 * [pause] n <= READER_MAX bytes of an object at `at`, until the next call; NULL where they cannot
 * be read or are outside of the heap.
 */
const unsigned char *reader_object(struct reader *r, uintptr_t at, size_t n);

/*
 * [pause] The same of a description of a class. `known`: it was there before, and an object says
 * that it is still; the first time the kernel reads it where it can, so that a wrong address does
 * no harm.
 */
const unsigned char *reader_class(struct reader *r, uintptr_t at, size_t n, bool known);

#endif
