/* SPDX-License-Identifier: Apache-2.0 */
/* javaoption.h - the options of the `java` command that take a value. */
#ifndef OJX_JAVAOPTION_H
#define OJX_JAVAOPTION_H

#include <stdbool.h>

/* Whether the value of this option is the next argument: "-cp", but not "--class-path=a.jar". */
bool javaoption_takes_next(const char *option);

#endif
