/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quota.h - how many sampled objects of each line of code the agent takes a snapshot of, and of
 * which lines it watches objects (wanted_uses.h).
 *
 * A few lines make most of a program's allocations, and most samples are of these. The verdict of a
 * line needs a hundred snapshots at most, mostly fewer, whatever it allocates. So of each line
 * QUOTA are wanted each time that its allocations have doubled: with N samples of a line so far,
 * one in 2^k is kept, such that N / 2^k lies between QUOTA and twice that. Snapshots so taken count
 * for the whole run, late ones as much as early ones, and their effective number (Kish) is 2.7 to 3
 * times QUOTA.
 *
 * What the agent is told (wire_controls.h) rests on what came before. It is told lines, so that
 * contexts that were never met before share what is known of their line.
 */
#ifndef OJX_QUOTA_H
#define OJX_QUOTA_H

#include "model/model.h"
#include "wire/wire.h"

#define QUOTA 128

struct quota;

/*
 * For one JVM of a model, which both outlive the quota, as do the controls. NULL if out of
 * memory. Release with quota_free.
 */
struct quota *quota_new(const struct model *model, uint32_t jvm, struct wire_controls *controls);
void quota_free(struct quota *q);

/* A record that the model has taken; those of allocations, snapshots and uses count. */
void quota_take(struct quota *q, const struct wire_rec *rec);

/* Tells the agent what follows from all that has come. */
void quota_tell(struct quota *q);

/* The exponent of a context's line as last told; 0 where its line is not known. */
unsigned quota_exponent(const struct quota *q, uint32_t context);

#endif
