/* SPDX-License-Identifier: Apache-2.0 */
/* scan.h - takes snapshots of whole objects: in GC pauses, between them, and at the end. */
#ifndef OJX_SCAN_H
#define OJX_SCAN_H

#include "core/part.h"

/* Sets ojx.scan_on. */
extern const struct part scan_part;

#endif
