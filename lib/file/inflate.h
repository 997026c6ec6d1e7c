/* SPDX-License-Identifier: Apache-2.0 */
/* inflate.h - unpacks what datafile.c packed. */
#ifndef OJX_INFLATE_H
#define OJX_INFLATE_H

#include <stddef.h>

/* What a reader keeps from chunk to chunk; NULL: nothing yet. Free with inflater_free. */
struct inflater;

/*
 * Unpacks the zlib stream at the beginning of `len` bytes into exactly `room` bytes. 0, or -1 with
 * errno: EBADMSG if it is none or of another length, or ENOMEM.
 */
int inflate_to(struct inflater **inflater, void *to, size_t room, const void *packed, size_t len);
void inflater_free(struct inflater *inflater);

#endif
