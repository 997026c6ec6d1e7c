/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fates.h - whether a collection that began with an object's snapshot found the object dead. Then
 * the snapshot shows how the object ended: nobody could change it any more.
 *
 * Only of objects that are held (live_heap.h) by a weak reference, and with collectors that move
 * objects in pauses alone.
 */
#ifndef OJX_FATES_H
#define OJX_FATES_H

#include <stdint.h>

struct entry;

/* [pause] A collection begins: no object is asked for yet. */
void fates_begin(void);

/*
 * [pause] The object of an entry whose snapshot was just taken is asked for, if there is room. That
 * may be twice in a pause, to the same end: a pause has time for some hundred entries at most.
 */
void fates_ask(struct entry *e);

/* [pause] The collection is over: entries learn of the fates of their objects. */
void fates_tell(void);

#endif
