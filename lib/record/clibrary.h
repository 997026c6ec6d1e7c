/* SPDX-License-Identifier: Apache-2.0 */
/* clibrary.h - which C library a program runs with. */
#ifndef OJX_CLIBRARY_H
#define OJX_CLIBRARY_H

#include <stdbool.h>

/*
 * Whether the program, an ELF file or a script, is loaded by musl's dynamic linker, as in Alpine.
 * The agent cannot be loaded there: it needs glibc. For a script the program that runs it counts.
 */
bool clibrary_is_musl(const char *program);

#endif
