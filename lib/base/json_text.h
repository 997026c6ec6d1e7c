/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_text.h - writes JSON, value by value: to a stream, or into memory, where several threads
 * write parts of one document. It is for documents that are too long to be built as a tree.
 *
 * A failure is remembered; nothing is written after it. json_text_end tells of it.
 */
#ifndef OJX_JSON_TEXT_H
#define OJX_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memtext.h"

struct json_text {
	FILE *out; /* what is in `text` goes there; NULL: it stays in memory */
	bool html; /* it is safe inside an HTML page: '<' is escaped */
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
/* As json_put_figure and json_put_number write it. */
void json_text_figure(struct json_text *t, const char *name, double value);
void json_text_short(struct json_text *t, const char *name, double value);
/* [low, high]; null if one of them is not known. */
void json_text_range(struct json_text *t, const char *name, double low, double high);
/* Text from any source, made valid UTF-8; NULL gives null. */
void json_text_string(struct json_text *t, const char *name, const char *string);
/* A value that is JSON already. */
void json_text_raw(struct json_text *t, const char *name, const char *json, size_t len);
/* A string that is written to a stream in between; NULL after a failure. */
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

/*
 * ---- Single values, where somebody else puts the commas: tables of the page. They are safe in
 * HTML.
 */

/* Write any bytes as a string. Invalid UTF-8 becomes U+FFFD; NULL gives null. */
void json_put_text(FILE *out, const char *text);
void json_put_bytes(FILE *out, const char *text, size_t len);

/* The same for a text that is ended here. 0; or -1 if out of memory, and nothing is written. */
static inline int json_put_memtext(FILE *out, struct memtext *t)
{
	char *text = memtext_end(t);

	json_put_bytes(out, text, t->len);
	free(text);
	return 0;
}

/* Writes six significant digits, enough for an estimate. A number that is not finite gives null. */
void json_put_number(FILE *out, double value);
/*
 * Like json_put_number, for a figure that is shown: six decimals of a share, all digits of a large
 * number.
 */
void json_put_figure(FILE *out, double value);
void json_put_whole(FILE *out, uint64_t value);

/* Writes [1,2,3]; an element equal to `nothing` is written as -1. */
void json_put_ids(FILE *out, const uint32_t *ids, size_t n, uint32_t nothing);

#endif
