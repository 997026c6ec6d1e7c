/* SPDX-License-Identifier: Apache-2.0 */
/*
 * keep.h - whether a sampled object is kept for a snapshot, or only counted; and whether it is
 * worth a watch.
 *
 * The VM samples densely, and most samples are of few lines of code. Of a line of which enough is
 * known, one sample in 2^exponent is kept and stands for the others' contents, too. The tool says
 * the exponents (wire_controls.h). In between, the agent itself sees to it that no line gets many
 * in one go: of each that it kept STEP of in a tick it keeps half as many from then on.
 *
 * All of that is settled before the object is seen, by what came before it. So a kept object of
 * weight w * 2^exponent makes sums unbiased, whatever the exponent rests on.
 */
#ifndef OJX_KEEP_H
#define OJX_KEEP_H

#include "core/state.h"

struct thread;

struct keep {
	bool decided;
	bool counted;	  /* only that; else it is kept */
	uint8_t exponent; /* of 2, by which it was less likely to be kept */
};

/*
 * Whether samples are only counted at times: not with --exact or an interval of the user's, nor
 * where objects are followed, which is about those that there are many of.
 */
bool keep_chooses(void);

/* Decides about an object of a known context. */
void keep_by_context(struct keep *k, struct thread *t, uint32_t context);

/*
 * Decides about one of a new stack of `n` frames, innermost first; leaves it open where no line is
 * known for it. Whose context is only counted need not be known in full: returns how many frames,
 * from the innermost on, reach to its line; 0: all are wanted.
 */
uint32_t keep_by_frames(struct keep *k, struct thread *t, uint32_t class_id,
			const struct wire_frame *frames, uint32_t n);

/* Whether uses of a context's objects are worth a watch, as the tool has it: wire_control_uses. */
uint32_t keep_uses(uint32_t context);

#endif
