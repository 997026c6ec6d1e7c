/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reader.h - reads the heap and the VM's descriptions of classes, in place or through the kernel.
 *
 * In place: in a pause of a collector that changes the heap only in pauses. Otherwise copies whole
 * pages through the kernel (peek.h) and keeps them until reader_forget: a call costs far more than
 * the copying, and objects that belong together were mostly allocated together. A missing page is
 * no fault then. Such copies are valid if the epoch has not changed since reader_forget.
 *
 * A reader belongs to one thread. It must exist before a pause needs it.
 */
#ifndef OJX_READER_H
#define OJX_READER_H

#include "core/state.h"

#define READER_MAX 1024 /* bytes at a time */

struct reader;

/*
 * `in_place`: as above. NULL when out of memory, or if the kernel's help is needed but not
 * available.
 */
struct reader *reader_new(bool in_place);
void reader_free(struct reader *r);

/* The range of object addresses, for reading in place. */
void reader_limit(struct reader *r, uintptr_t low, uintptr_t high);

/* [pause] Whether it reads in place. */
bool reader_in_place(const struct reader *r);

/* [pause] Drops the copied pages. */
void reader_forget(struct reader *r);

/*
 * [pause] An object at `at` will be read. Its page is copied together with the next one that is
 * missing; in place, it is fetched into the caches.
 */
void reader_want(struct reader *r, uintptr_t at);

/* [pause] The same for n bytes of the VM's description of a class. */
void reader_want_class(struct reader *r, uintptr_t at, size_t n);

/* [pause] The number of pages that may be copied until the next call. */
void reader_allow(struct reader *r, uint32_t pages);

/*
 * [pause] n <= READER_MAX bytes of an object at `at`, valid until the next call; NULL if they
 * cannot be read or lie outside the heap.
 */
const unsigned char *reader_object(struct reader *r, uintptr_t at, size_t n);

/*
 * [pause] The same for the VM's description of a class. `known`: it was read before, and an object
 * still refers to it. Otherwise the kernel reads it if it can, so that a wrong address does no
 * harm.
 */
const unsigned char *reader_class(struct reader *r, uintptr_t at, size_t n, bool known);

#endif
