/* SPDX-License-Identifier: Apache-2.0 */
/*
 * insn_0f.c - rows of the opcode map 0F: vector and mask register instructions. See insn_private.h.
 */
#include "insn/x86_64/insn_private.h"

/* ---- finds the row of a vector instruction and the size of its operand. See insn_private.h. */

struct rows {
	const struct insn_row *row;
	size_t n;
};

static struct rows rows_of(uint8_t map)
{
	switch (map) {
	case MAP_0F:
		return (struct rows){ insn_rows_0f, insn_nrows_0f };
	case MAP_0F38:
		return (struct rows){ insn_rows_0f38, insn_nrows_0f38 };
	case MAP_0F3A:
		return (struct rows){ insn_rows_0f3a, insn_nrows_0f3a };
	case MAP_5:
	case MAP_6:
		return (struct rows){ insn_rows_fp16, insn_nrows_fp16 };
	default:
		return (struct rows){ NULL, 0 };
	}
}

const struct insn_row *insn_vector_row(const struct insn_reader *r)
{
	const struct rows rows = rows_of(r->map);
	const struct insn_row *row = insn_find_row(r, rows.row, rows.n);

	for (; row && row < rows.row + rows.n && row->map == r->map && row->first <= r->opcode;
	     row++)
		if (row->pp & 1u << r->pp && row->enc & r->enc)
			return row;
	return NULL;
}

static uint8_t element_size(const struct insn_reader *r, const struct insn_row *row)
{
	if (row->element == BY_PP)
		return r->pp & 1 ? 8 : 4; /* 66 or F2 */
	if (row->element == BY_W)
		return r->rex & 8 ? 8 : 4;
	return row->element;
}

/* Size of a load or store of mask registers, by W and the prefix. */
static uint8_t mask_size(const struct insn_reader *r)
{
	bool wide = r->rex & 8, prefixed = r->pp == 1;

	return wide ? (prefixed ? 4 : 8) : prefixed ? 1 : 2;
}

/* Size of a part of the vector, or of an element that is broadcast. */
static uint8_t part(const struct insn_reader *r, unsigned parts, uint8_t element)
{
	return (uint8_t)(r->broadcast && element ? element : r->vector / parts);
}

uint8_t insn_vector_size(const struct insn_reader *r, const struct insn_row *row)
{
	uint8_t element = element_size(r, row);

	if (row->size == SIZE_NONE)
		return mask_size(r);
	if (row->size < FULL)
		return insn_size(r, row->size);
	switch ((enum insn_size)row->size) {
	case FULL:
		return part(r, 1, element);
	case HALF:
		return part(r, 2, element);
	case QUARTER:
		return part(r, 4, element);
	case FULL_MEM:
		return (uint8_t)r->vector;
	case HALF_MEM:
		return (uint8_t)(r->vector / 2);
	case QUART_MEM:
		return (uint8_t)(r->vector / 4);
	case EIGHTH_MEM:
		return (uint8_t)(r->vector / 8);
	case DUP:
		return r->vector == 16 ? 8 : (uint8_t)r->vector;
	case SCALAR:
		return element;
	case PACKED:
		return r->pp >= 2 ? element : part(r, 1, element);
	case HALF_OR_FULL:
		return r->enc == ENC_EVEX && r->rex & 8 ? part(r, 1, 8) : part(r, 2, 4);
	default:
		return 0;
	}
}

#define M   MAP_0F
#define LV  (ENC_LEGACY | ENC_VEX)
#define LVE (ENC_LEGACY | ENC_VEX | ENC_EVEX)
#define VX  ENC_VEX
#define EV  ENC_EVEX
#define NP  PP_NONE

const struct insn_row insn_rows_0f[] = {
	/* map, first, last, prefixes, encodings, operand, size, element, flags */
	{ M, 0x10, 0x10, NP | PP_66, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x10, 0x10, PP_F3 | PP_F2, LVE, LOAD, SCALAR, BY_PP, NUMBER },
	{ M, 0x11, 0x11, NP | PP_66, LVE, STORE, FULL_MEM, 0, 0 },
	{ M, 0x11, 0x11, PP_F3 | PP_F2, LVE, STORE, SCALAR, BY_PP, NUMBER },
	{ M, 0x12, 0x12, NP | PP_66, LVE, LOAD, SIZE_8, 0, 0 },
	{ M, 0x12, 0x12, PP_F3, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x12, 0x12, PP_F2, LVE, LOAD, DUP, 0, 0 },
	{ M, 0x13, 0x13, NP | PP_66, LVE, STORE, SIZE_8, 0, 0 },
	{ M, 0x14, 0x15, NP | PP_66, LVE, LOAD, FULL, BY_PP, 0 },
	{ M, 0x16, 0x16, NP | PP_66, LVE, LOAD, SIZE_8, 0, 0 },
	{ M, 0x16, 0x16, PP_F3, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x17, 0x17, NP | PP_66, LVE, STORE, SIZE_8, 0, 0 },
	{ M, 0x28, 0x28, NP | PP_66, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x29, 0x29, NP | PP_66, LVE, STORE, FULL_MEM, 0, 0 },
	{ M, 0x2a, 0x2a, PP_F3 | PP_F2, LVE, LOAD, SCALAR, BY_W, 0 },
	{ M, 0x2b, 0x2b, NP | PP_66, LVE, STORE, FULL_MEM, 0, 0 },
	{ M, 0x2c, 0x2d, PP_F3 | PP_F2, LVE, LOAD, SCALAR, BY_PP, NUMBER | WRITES_REG },
	{ M, 0x2e, 0x2f, NP | PP_66, LVE, LOAD, SCALAR, BY_PP, NUMBER },
	/* mask registers */
	{ M, 0x41, 0x42, NP | PP_66, VX, NO_MEMORY, 0, 0, 0 },
	{ M, 0x44, 0x47, NP | PP_66, VX, NO_MEMORY, 0, 0, 0 },
	{ M, 0x4a, 0x4b, NP | PP_66, VX, NO_MEMORY, 0, 0, 0 },
	{ M, 0x50, 0x50, NP | PP_66, LV, NO_MEMORY, 0, 0, WRITES_REG },
	{ M, 0x51, 0x51, PP_ALL, LVE, LOAD, PACKED, BY_PP, NUMBER },
	{ M, 0x52, 0x53, NP, LV, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x52, 0x53, PP_F3, LV, LOAD, SIZE_4, 0, NUMBER },
	{ M, 0x54, 0x57, NP | PP_66, LVE, LOAD, FULL, BY_PP, 0 },
	{ M, 0x58, 0x59, PP_ALL, LVE, LOAD, PACKED, BY_PP, NUMBER },
	{ M, 0x5a, 0x5a, NP, LVE, LOAD, HALF, 4, 0 },
	{ M, 0x5a, 0x5a, PP_66, LVE, LOAD, FULL, 8, 0 },
	{ M, 0x5a, 0x5a, PP_F3 | PP_F2, LVE, LOAD, SCALAR, BY_PP, NUMBER },
	{ M, 0x5b, 0x5b, NP, LVE, LOAD, FULL, BY_W, 0 },
	{ M, 0x5b, 0x5b, PP_66 | PP_F3, LVE, LOAD, FULL, 4, 0 },
	{ M, 0x5c, 0x5f, PP_ALL, LVE, LOAD, PACKED, BY_PP, NUMBER },
	{ M, 0x60, 0x61, PP_66, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x62, 0x62, PP_66, LVE, LOAD, FULL, 4, 0 },
	{ M, 0x63, 0x65, PP_66, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x66, 0x66, PP_66, LVE, LOAD, FULL, 4, 0 },
	{ M, 0x67, 0x69, PP_66, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x6a, 0x6b, PP_66, LVE, LOAD, FULL, 4, 0 },
	{ M, 0x6c, 0x6d, PP_66, LVE, LOAD, FULL, 8, 0 },
	{ M, 0x6e, 0x6e, PP_66, LVE, LOAD, SCALAR, BY_W, 0 },
	{ M, 0x6f, 0x6f, PP_66 | PP_F3, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x6f, 0x6f, PP_F2, EV, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x70, 0x70, PP_66, LVE, LOAD, FULL, 4, IMM8 },
	{ M, 0x70, 0x70, PP_F3 | PP_F2, LVE, LOAD, FULL_MEM, 0, IMM8 },
	{ M, 0x71, 0x71, PP_66, LVE, LOAD, FULL_MEM, 0, IMM8 | REGISTER_SSE },
	{ M, 0x72, 0x72, PP_66, LVE, LOAD, FULL, BY_W, IMM8 | REGISTER_SSE },
	{ M, 0x73, 0x73, PP_66, LVE, LOAD, FULL, 8, IMM8 | REGISTER_SSE },
	{ M, 0x74, 0x75, PP_66, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x76, 0x76, PP_66, LVE, LOAD, FULL, 4, 0 },
	{ M, 0x77, 0x77, NP, LV, NO_MEMORY, 0, 0, NO_MODRM },
	{ M, 0x78, 0x79, NP, EV, LOAD, FULL, BY_W, 0 },
	{ M, 0x78, 0x79, PP_66, EV, LOAD, HALF_OR_FULL, BY_W, 0 },
	{ M, 0x78, 0x79, PP_F3 | PP_F2, EV, LOAD, SCALAR, BY_PP, NUMBER | WRITES_REG },
	{ M, 0x7a, 0x7a, PP_66 | PP_F3, EV, LOAD, HALF_OR_FULL, BY_W, 0 },
	{ M, 0x7a, 0x7a, PP_F2, EV, LOAD, FULL, BY_W, 0 },
	{ M, 0x7b, 0x7b, PP_66, EV, LOAD, HALF_OR_FULL, BY_W, 0 },
	{ M, 0x7b, 0x7b, PP_F3 | PP_F2, EV, LOAD, SCALAR, BY_W, 0 },
	{ M, 0x7c, 0x7d, PP_66 | PP_F2, LV, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x7e, 0x7e, PP_66, LVE, STORE, SCALAR, BY_W, WRITES_RM },
	{ M, 0x7e, 0x7e, PP_F3, LVE, LOAD, SIZE_8, 0, 0 },
	{ M, 0x7f, 0x7f, PP_66 | PP_F3, LVE, STORE, FULL_MEM, 0, 0 },
	{ M, 0x7f, 0x7f, PP_F2, EV, STORE, FULL_MEM, 0, 0 },
	/* mask registers; W and the prefix give the size */
	{ M, 0x90, 0x90, NP | PP_66, VX, LOAD, SIZE_NONE, 0, 0 },
	{ M, 0x91, 0x91, NP | PP_66, VX, STORE, SIZE_NONE, 0, 0 },
	{ M, 0x92, 0x92, NP | PP_66 | PP_F2, VX, NO_MEMORY, 0, 0, 0 },
	{ M, 0x93, 0x93, NP | PP_66 | PP_F2, VX, NO_MEMORY, 0, 0, WRITES_REG },
	{ M, 0x98, 0x99, NP | PP_66, VX, NO_MEMORY, 0, 0, 0 },
	{ M, 0xc2, 0xc2, PP_ALL, LVE, LOAD, PACKED, BY_PP, NUMBER | IMM8 },
	{ M, 0xc4, 0xc4, PP_66, LVE, LOAD, SIZE_2, 0, IMM8 },
	{ M, 0xc5, 0xc5, PP_66, LVE, NO_MEMORY, 0, 0, IMM8 | WRITES_REG },
	{ M, 0xc6, 0xc6, NP | PP_66, LVE, LOAD, FULL, BY_PP, IMM8 },
	{ M, 0xd0, 0xd0, PP_66 | PP_F2, LV, LOAD, FULL_MEM, 0, 0 },
	{ M, 0xd1, 0xd3, PP_66, LVE, LOAD, SIZE_16, 0, 0 },
	{ M, 0xd4, 0xd4, PP_66, LVE, LOAD, FULL, 8, 0 },
	{ M, 0xd5, 0xd5, PP_66, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0xd6, 0xd6, PP_66, LVE, STORE, SIZE_8, 0, 0 },
	{ M, 0xd7, 0xd7, PP_66, LV, NO_MEMORY, 0, 0, WRITES_REG },
	{ M, 0xd8, 0xda, PP_66, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0xdb, 0xdb, PP_66, LVE, LOAD, FULL, BY_W, 0 },
	{ M, 0xdc, 0xde, PP_66, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0xdf, 0xdf, PP_66, LVE, LOAD, FULL, BY_W, 0 },
	{ M, 0xe0, 0xe0, PP_66, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0xe1, 0xe2, PP_66, LVE, LOAD, SIZE_16, 0, 0 },
	{ M, 0xe3, 0xe5, PP_66, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0xe6, 0xe6, PP_66 | PP_F2, LVE, LOAD, FULL, 8, 0 },
	{ M, 0xe6, 0xe6, PP_F3, LVE, LOAD, HALF_OR_FULL, BY_W, 0 },
	{ M, 0xe7, 0xe7, PP_66, LVE, STORE, FULL_MEM, 0, 0 },
	{ M, 0xe8, 0xea, PP_66, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0xeb, 0xeb, PP_66, LVE, LOAD, FULL, BY_W, 0 },
	{ M, 0xec, 0xee, PP_66, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0xef, 0xef, PP_66, LVE, LOAD, FULL, BY_W, 0 },
	{ M, 0xf0, 0xf0, PP_F2, LV, LOAD, FULL_MEM, 0, 0 },
	{ M, 0xf1, 0xf3, PP_66, LVE, LOAD, SIZE_16, 0, 0 },
	{ M, 0xf4, 0xf4, PP_66, LVE, LOAD, FULL, 8, 0 },
	{ M, 0xf5, 0xf6, PP_66, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0xf8, 0xf9, PP_66, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0xfa, 0xfa, PP_66, LVE, LOAD, FULL, 4, 0 },
	{ M, 0xfb, 0xfb, PP_66, LVE, LOAD, FULL, 8, 0 },
	{ M, 0xfc, 0xfd, PP_66, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0xfe, 0xfe, PP_66, LVE, LOAD, FULL, 4, 0 },
};

const size_t insn_nrows_0f = sizeof insn_rows_0f / sizeof *insn_rows_0f;
