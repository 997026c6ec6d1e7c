/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inflate.c - see inflate.h: with libdeflate, which takes 0.4 of zlib's time, if it was there when
 * ojx was built.
 */
#define ZLIB_CONST 1

#include "file/inflate.h"

#include <errno.h>

#ifdef OJX_LIBDEFLATE

#include <libdeflate.h>

static struct libdeflate_decompressor *of(struct inflater *inflater)
{
	return (struct libdeflate_decompressor *)inflater;
}

int inflate_to(struct inflater **inflater, void *to, size_t room, const void *packed, size_t len)
{
	size_t used, unpacked;

	if (!*inflater)
		*inflater = (struct inflater *)libdeflate_alloc_decompressor();
	if (!*inflater) {
		errno = ENOMEM;
		return -1;
	}
	if (libdeflate_zlib_decompress_ex(of(*inflater), packed, len, to, room, &used, &unpacked) ==
		    LIBDEFLATE_SUCCESS &&
	    unpacked == room)
		return 0;
	errno = EBADMSG;
	return -1;
}

void inflater_free(struct inflater *inflater)
{
	libdeflate_free_decompressor(of(inflater));
}

#else

#include <zlib.h>

/*
 * The checksum of the chunk covers what is packed, so the one that zlib would compute of the
 * records tells nothing more.
 */
int inflate_to(struct inflater **inflater, void *to, size_t room, const void *packed, size_t len)
{
	z_stream z = {
		.next_in = packed, .avail_in = (uInt)len, .next_out = to, .avail_out = (uInt)room
	};
	int result = inflateInit(&z);

	(void)inflater;
	if (result == Z_OK) {
		inflateValidate(&z, 0);
		result = inflate(&z, Z_FINISH);
		inflateEnd(&z);
	}
	if (result == Z_STREAM_END && z.avail_out == 0)
		return 0;
	errno = result == Z_MEM_ERROR ? ENOMEM : EBADMSG;
	return -1;
}

void inflater_free(struct inflater *inflater)
{
	(void)inflater;
}

#endif
