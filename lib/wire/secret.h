/* SPDX-License-Identifier: Apache-2.0 */
/* secret.h - where the secret of a recording comes from (wire_secret.h). */
#ifndef OJX_WIRE_SECRET_SOURCE_H
#define OJX_WIRE_SECRET_SOURCE_H

#include "wire/wire_secret.h"

/* Makes a new secret. NULL, or the reason why not. */
const char *secret_make(struct wire_secret *secret);

/*
 * Reads the secret that recordings share: 32 hexadecimal digits, in a file or a pipe that only this
 * user can read. Makes the file if it is missing. NULL, or the reason why not.
 */
const char *secret_share(struct wire_secret *secret, const char *path);

#endif
