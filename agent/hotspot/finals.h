/* SPDX-License-Identifier: Apache-2.0 */
/*
 * finals.h - which bytes of an object lie in final fields, from the VM's own description of them.
 *
 * What a final field holds does not change once its object is made. So it stays comparable for
 * ever, wherever the object is moved. Nothing here calls JVMTI, since it runs in pauses, too.
 */
#ifndef OJX_FINALS_H
#define OJX_FINALS_H

#include <stdbool.h>
#include <stdint.h>

#include "hotspot/reader.h"

#define FINALS_BYTES 256u /* of an object; fields beyond count as not final */

struct finals {
	uintptr_t described; /* where the VM describes the fields; 0: nothing is known yet */
	uint64_t epoch;	     /* in which that was checked last */
	uint64_t bits[FINALS_BYTES / 64];
};

/* At VMInit: whether this VM's description is understood. shape_measure checks that it is. */
bool finals_init(void);

/* For good: nothing counts as final any more. */
void finals_off(void);

/*
 * [pause] Brings `f` up to date for the class at `klass`, which is no array's. False if the VM's
 * description cannot be read.
 */
bool finals_read(struct finals *f, struct reader *r, uintptr_t klass, uint64_t epoch);

/* [pause] Whether the byte at an offset in the object lies in a final field. */
static inline bool finals_has(const struct finals *f, uint32_t offset)
{
	return offset < FINALS_BYTES && f->bits[offset / 64] >> offset % 64 & 1;
}

#endif
