/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thinning.h - decides whether a sampled object is kept for a snapshot or only counted, and whether
 * it is worth a watch.
 *
 * The VM samples densely, and most samples come from few lines of code. Once enough is known of a
 * line, one sample in 2^exponent is kept; it stands for the contents of the others, too. The tool
 * tells the agent for how many bytes each kept one is to stand (wire_layout.h). Samples of large
 * objects stand for many bytes by themselves, and more of them are kept. Between two of the tool's
 * messages the agent limits bursts itself: each time that a line has kept STEP samples in a tick,
 * its share is halved for the rest of the tick.
 *
 * The exponent is known before the object's contents are looked at. It depends on earlier objects
 * and on the size of this one. So sums are unbiased if a kept object of weight w counts as
 * w * 2^exponent.
 */
#ifndef OJX_THINNING_H
#define OJX_THINNING_H

#include "core/state.h"

struct allocation;

struct thinning {
	bool decided;
	bool counted;	  /* only counted, not kept */
	bool by_stack;	  /* if it were only counted, its callers would not be told */
	uint8_t exponent; /* the object was kept with probability 1/2^exponent */
};

/*
 * Whether some samples may be only counted. Not with --exact, nor if the user sets the interval.
 * Not if objects are followed either: that is about the lines with the most objects.
 */
bool thinning_chooses(void);

/* Decides about an object whose context is known. */
void thinning_by_context(struct thinning *to, const struct allocation *a);

/*
 * Decides about an object with a new stack of `n` frames, innermost first. Leaves it undecided if
 * no line is known for the stack. An object that is only counted needs no callers beyond its line:
 * returns the number of frames from the innermost one to the line. 0: all frames are needed.
 */
uint32_t thinning_by_frames(struct thinning *to, const struct allocation *a,
			    const struct wire_frame *frames, uint32_t n);

/*
 * What the tool says of whether uses of a context's objects are worth a watch: wire_control_uses.
 */
uint32_t thinning_uses(uint32_t context);

#endif
