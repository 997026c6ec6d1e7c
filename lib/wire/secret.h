/* SPDX-License-Identifier: Apache-2.0 */
/*
 * secret.h - the secret of a recording: the keyed hash of contents, and where the secret comes
 * from.
 *
 * Hashes of contents are for comparing, and a hash of a short or likely value is as good as the
 * value itself: one tries all values. So each hash that leaves the agent is keyed with the
 * recording's secret, which is in no record. docs/privacy.md says what that hides.
 *
 * The function is SipHash-2-4 (Aumasson and Bernstein, 2012) of two words, little-endian. It is a
 * pseudorandom function: values that are known together with their hashes tell nothing about other
 * hashes.
 */
#ifndef OJX_WIRE_SECRET_H
#define OJX_WIRE_SECRET_H

#include <stdint.h>

struct wire_secret {
	uint64_t key[2];
};

static inline uint64_t wire_secret_turn(uint64_t x, int bits)
{
	return x << bits | x >> (64 - bits);
}

static inline void wire_secret_round(uint64_t v[4])
{
	v[0] += v[1];
	v[2] += v[3];
	v[1] = wire_secret_turn(v[1], 13) ^ v[0];
	v[3] = wire_secret_turn(v[3], 16) ^ v[2];
	v[0] = wire_secret_turn(v[0], 32);
	v[2] += v[1];
	v[0] += v[3];
	v[1] = wire_secret_turn(v[1], 17) ^ v[2];
	v[3] = wire_secret_turn(v[3], 21) ^ v[0];
	v[2] = wire_secret_turn(v[2], 32);
}

static inline void wire_secret_add(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	wire_secret_round(v);
	wire_secret_round(v);
	v[0] ^= word;
}

/*
 * The hash of a value. `place` says what it is a value of: equal values at different places have
 * unrelated hashes.
 */
static inline uint64_t wire_secret_hash(const struct wire_secret *s, uint64_t value, uint64_t place)
{
	uint64_t v[4] = { s->key[0] ^ 0x736f6d6570736575u, s->key[1] ^ 0x646f72616e646f6du,
			  s->key[0] ^ 0x6c7967656e657261u, s->key[1] ^ 0x7465646279746573u };

	wire_secret_add(v, value);
	wire_secret_add(v, place);
	wire_secret_add(v, UINT64_C(16) << 56); /* the number of bytes so far */
	v[2] ^= 0xff;
	for (int i = 0; i < 4; i++)
		wire_secret_round(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/*
 * Tells the secret from others, and nothing else of it: hashes of two recordings are of one secret
 * if their fingerprints are equal. Never 0.
 */
static inline uint64_t wire_secret_fingerprint(const struct wire_secret *s)
{
	return wire_secret_hash(s, 0, UINT64_MAX) | 1;
}

/* Makes a new secret. NULL, or the reason why not. */
const char *secret_make(struct wire_secret *secret);

/*
 * Reads the secret that recordings share: 32 hexadecimal digits, in a file or a pipe that only this
 * user can read. Makes the file if it is missing. NULL, or the reason why not.
 */
const char *secret_share(struct wire_secret *secret, const char *path);

#endif
