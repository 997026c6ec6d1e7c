/* SPDX-License-Identifier: Apache-2.0 */
/* parts.h - the table of the agent's parts (core/part.h). */
#ifndef OJX_AGENT_PARTS_H
#define OJX_AGENT_PARTS_H

#include "core/part.h"

extern const struct part *const agent_parts[];
extern const uint32_t agent_nparts;

#endif
