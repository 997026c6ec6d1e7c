/* SPDX-License-Identifier: Apache-2.0 */
/* telling_slots.h - slots of JDK classes in which 0 tells something of the object. */
#ifndef OJX_TELLING_SLOTS_H
#define OJX_TELLING_SLOTS_H

#include <stdbool.h>

#include "model/model.h"

/*
 * The slot, as a bit, that is 0 in a Throwable if and only if it has no stack trace of its own:
 * its class overrides fillInStackTrace, or it was made with writableStackTrace = false. 0: unknown.
 */
uint32_t trace_depth_slot(const struct model_class *c);

/* Whether the fields of the class are known, and none is Throwable's. */
bool is_no_throwable(const struct model_class *c);

#endif
