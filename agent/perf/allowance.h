/* SPDX-License-Identifier: Apache-2.0 */
/* allowance.h - what watches may cost. */
#ifndef OJX_ALLOWANCE_H
#define OJX_ALLOWANCE_H

#include <stdbool.h>
#include <stdint.h>

/* Adds to what watches may cost, ns; from the governor. */
void watch_grant(uint64_t ns);

/* [handler] Takes away from it what a trap has cost; whether there is some left. */
void watch_charge(uint64_t ns);
bool watch_affordable(void);

#endif
