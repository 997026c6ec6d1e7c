/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_text.h - writes JSON, value by value: to a stream, or into memory, where several threads
 * write parts of one document. It is for documents that are too long to be built as a tree.
 *
 * A stream that fails is remembered; nothing is written after it. json_text_end tells of it.
 */
#ifndef OJX_JSON_TEXT_H
#define OJX_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/memtext.h"

struct json_text {
	FILE *out;    /* what is in `text` goes there; NULL: it stays in memory */
	bool html;    /* it is safe inside an HTML page: '<' is escaped */
	bool rounded; /* numbers have the digits of json_text_figure */
	bool failed;
	bool breaks; /* the next value, or bracket, begins on a new line */
	char last;   /* byte that was written to `out`; 0: none */
	char *text;
	size_t len, room;
	/* of a string that is written to a stream */
	FILE *stream;
	char *piece;
	size_t piece_len;
};
#define JSON_TEXT_INIT          \
	{                       \
		.failed = false \
	}

void json_text_release(struct json_text *t);

/* Forgets the text, and keeps the memory. */
void json_text_clear(struct json_text *t);

/*
 * Each adds a value: a member of that name, or, with name NULL, an element of an array or the whole
 * document. What is opened must be closed, by '}' or ']'.
 */
void json_text_open(struct json_text *t, const char *name, char bracket);
void json_text_close(struct json_text *t, char bracket);
void json_text_null(struct json_text *t, const char *name);
void json_text_bool(struct json_text *t, const char *name, bool value);
/*
 * Whole numbers are exact up to 10^15; others have nine decimals, and 15 digits at most. A number
 * that is not finite was not measured, and gives null.
 */
void json_text_number(struct json_text *t, const char *name, double value);
/* All digits of a whole number. */
void json_text_whole(struct json_text *t, const char *name, int64_t value);
/* Six significant digits, enough for an estimate. */
void json_text_short(struct json_text *t, const char *name, double value);
/* The same for a figure that is shown: six decimals of a share, all digits of a large number. */
void json_text_figure(struct json_text *t, const char *name, double value);
/* [low, high]; null if one of them is not known. */
void json_text_range(struct json_text *t, const char *name, double low, double high);
/* Text from any source, made valid UTF-8; NULL gives null. */
void json_text_string(struct json_text *t, const char *name, const char *string);
/* The same for some bytes; for a text that is ended here. */
void json_text_bytes(struct json_text *t, const char *name, const char *bytes, size_t len);
void json_text_memtext(struct json_text *t, const char *name, struct memtext *text);
/* [1,2,3]; an element that is equal to `nothing` is -1. */
void json_text_ids(struct json_text *t, const char *name, const uint32_t *ids, size_t n,
		   uint32_t nothing);
/* A value that is JSON already. */
void json_text_raw(struct json_text *t, const char *name, const char *json, size_t len);
/* A string that is written to a stream in between. */
FILE *json_text_begin_string(struct json_text *t);
void json_text_end_string(struct json_text *t, const char *name);

/* What comes next begins on a new line. */
void json_text_break(struct json_text *t);
/*
 * Writes to the stream what is not written yet, so that others can write to it. 0; or -1 after a
 * failure.
 */
int json_text_flush(struct json_text *t);
/* Ends the document and its last line, and releases all. 0; or -1 if anything failed. */
int json_text_end(struct json_text *t);

/* The same number by itself, without NUL. Returns its length. */
enum { JSON_NUMBER_MAX = 40 };
size_t json_number_text(char text[JSON_NUMBER_MAX], double value);

#endif
