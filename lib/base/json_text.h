/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_text.h - JSON written member by member into memory: for documents that are too long to be
 * built as a tree, and whose parts are written by several threads.
 *
 * A failure (out of memory) is remembered; nothing is written after it.
 */
#ifndef OJX_JSON_TEXT_H
#define OJX_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct json_text {
	char *text;
	size_t len, room;
	bool failed;
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
/* [low, high]; null if one of them is not known. */
void json_text_range(struct json_text *t, const char *name, double low, double high);
/* Text from any source, made valid UTF-8; NULL gives null. */
void json_text_string(struct json_text *t, const char *name, const char *string);
/* A value that is JSON already. */
void json_text_raw(struct json_text *t, const char *name, const char *json, size_t len);
/* The same number by itself, without NUL. Returns its length. */
enum { JSON_NUMBER_MAX = 40 };
size_t json_number_text(char text[JSON_NUMBER_MAX], double value);
/* A string that is written to a stream in between; NULL after a failure. */
FILE *json_text_begin_string(struct json_text *t);
void json_text_end_string(struct json_text *t, const char *name);

#endif
