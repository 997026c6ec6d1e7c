/* SPDX-License-Identifier: Apache-2.0 */
/*
 * evidence_bounds.h - how much evidence is kept. docs/file-format.md describes the rule; reader and
 * writer must have the same bounds.
 */
#ifndef OJX_EVIDENCE_BOUNDS_H
#define OJX_EVIDENCE_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EVIDENCE_CAP	  8192u	     /* of one kind and context, initially */
#define EVIDENCE_MANY	  (1u << 18) /* in all contexts together; the cap may then sink to... */
#define EVIDENCE_FEW	  512u	     /* ...this */
#define EVIDENCE_TOO_MANY (1u << 21) /* in all contexts together; it may then sink to... */
#define EVIDENCE_LEAST	  64u	     /* ...this */

/* Whether `kept` pieces of evidence in all contexts together are too many for this cap. */
static inline bool evidence_too_much(size_t kept, uint32_t cap)
{
	return (kept > EVIDENCE_MANY && cap > EVIDENCE_FEW) ||
	       (kept > EVIDENCE_TOO_MANY && cap > EVIDENCE_LEAST);
}

#endif
