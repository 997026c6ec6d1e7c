/* SPDX-License-Identifier: Apache-2.0 */
/* record_sampler.h - what -e, --sampler, -F and -c say together: what to look for, and by which
 * samples. */
#ifndef OJX_RECORD_SAMPLER_H
#define OJX_RECORD_SAMPLER_H

#include "record_settings.h"

/*
 * Sorts what -e names into analyses, which go to o->needs, and events, and chooses the samplers:
 * o->event. Says what is wrong. Returns -1 to go on, or the exit status.
 */
int record_sampler_choose(struct record_options *o);

#endif
