/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire_sizes.c - the sizes of the structs in wire.h. The build fails if a compiler pads a struct
 * differently, or if a change breaks existing files.
 */
#include "wire/wire.h"
#include "wire/wire_file.h"

_Static_assert(sizeof(struct wire_rec) == 8, "record header changed size");
_Static_assert(sizeof(struct wire_hello) == 160, "wire_hello changed size");
_Static_assert(sizeof(struct wire_welcome) == 40, "wire_welcome changed size");
_Static_assert(sizeof(struct wire_event) == 64, "wire_event changed size");
_Static_assert(sizeof(struct wire_config) == 576, "wire_config changed size");
_Static_assert(sizeof(struct wire_layout) == 72, "wire_layout changed size");
_Static_assert(sizeof(struct wire_controls) == 147456, "wire_controls changed size");
_Static_assert(sizeof(struct wire_ring) == 128, "wire_ring changed size");
_Static_assert(sizeof(struct wire_class) == 24, "wire_class changed size");
_Static_assert(sizeof(struct wire_field) == 16, "wire_field changed size");
_Static_assert(sizeof(struct wire_method) == 32, "wire_method changed size");
_Static_assert(sizeof(struct wire_line) == 4, "wire_line changed size");
_Static_assert(sizeof(struct wire_loads) == 24, "wire_loads changed size");
_Static_assert(sizeof(struct wire_frame) == 16, "wire_frame changed size");
_Static_assert(sizeof(struct wire_stack) == 16, "wire_stack changed size");
_Static_assert(sizeof(struct wire_context) == 24, "wire_context changed size");
_Static_assert(sizeof(struct wire_thread) == 16, "wire_thread changed size");
_Static_assert(sizeof(struct wire_alloc) == 32, "wire_alloc changed size");
_Static_assert(sizeof(struct wire_callers) == 24, "wire_callers changed size");
_Static_assert(sizeof(struct wire_snapshot) == 64, "wire_snapshot changed size");
_Static_assert(sizeof(struct wire_value) == 32, "wire_value changed size");
_Static_assert(sizeof(struct wire_use) == 64, "wire_use changed size");
_Static_assert(sizeof(struct wire_unused) == 16, "wire_unused changed size");
_Static_assert(sizeof(struct wire_waste) == 64, "wire_waste changed size");
_Static_assert(sizeof(struct wire_access) == 64, "wire_access changed size");
_Static_assert(sizeof(struct wire_view) == 32, "wire_view changed size");
_Static_assert(sizeof(struct wire_window_content) == 32, "wire_window_content changed size");
_Static_assert(sizeof(struct wire_window) == 48, "wire_window changed size");
_Static_assert(sizeof(struct wire_window) +
			       WIRE_WINDOW_CONTENTS * sizeof(struct wire_window_content) <=
		       WIRE_BLOCK,
	       "a window's contents do not fit in a block");
_Static_assert(sizeof(struct wire_next_use) == 64, "wire_next_use changed size");
_Static_assert(((WIRE_UNSEEN | WIRE_UNHELD) & (WIRE_EVIDENCE_FLAGS & ~WIRE_SAMPLED)) == 0,
	       "a flag has two meanings");
_Static_assert((WIRE_UNSEEN & WIRE_UNHELD) == 0, "a flag has two meanings");
_Static_assert(WIRE_LAST_DEFINITION < WIRE_ALLOC, "a definition has the type of an event");
_Static_assert((int)WIRE_LAST_EVENT < (int)FILE_COMMAND,
	       "an event has a type that only files have");
_Static_assert(WIRE_NEXT_USE <= WIRE_LAST_EVENT && WIRE_WINDOW <= WIRE_LAST_EVENT,
	       "the tool would refuse an event");
