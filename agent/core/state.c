/* SPDX-License-Identifier: Apache-2.0 */
/* state.c - see state.h. */
#include "core/state.h"

struct agent ojx;
