/* SPDX-License-Identifier: Apache-2.0 */
/*
 * insn_vector.c - finds the row of a vector instruction and the size of its operand. See
 * insn_private.h.
 */
#include "insn/insn_private.h"

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
