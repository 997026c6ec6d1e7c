/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compiler_made.h - whether a method has no source of its own: a compiler made it for others.
 *
 * An enum's values() and valueOf(), bridges, and accessors of what is private. They may have a
 * line, that of the class or the file's first, at which nobody can change what they make.
 */
#ifndef OJX_COMPILER_MADE_H
#define OJX_COMPILER_MADE_H

#include <stdbool.h>

#include "wire/wire.h"

/*
 * Never true of a method that a programmer wrote; false if the recording does not say enough. The
 * texts stand behind the record, as in wire.h; the caller has checked that they are all there.
 */
bool compiler_made(const struct wire_method *method);

#endif
