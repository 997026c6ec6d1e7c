/* SPDX-License-Identifier: Apache-2.0 */
/* allowance.h - the budget of watches. */
#ifndef OJX_ALLOWANCE_H
#define OJX_ALLOWANCE_H

#include <stdbool.h>
#include <stdint.h>

/* Adds to the budget of watches, ns. Called by the governor. */
void watch_grant(uint64_t ns);

/* [handler] Subtracts the cost of a trap, ns; whether any budget is left. */
void watch_charge(uint64_t ns);
bool watch_affordable(void);

/* [handler] Whether some is saved up, for something that has to last. */
bool watch_saved(void);

#endif
