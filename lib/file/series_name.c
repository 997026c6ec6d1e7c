/* SPDX-License-Identifier: Apache-2.0 */
/* series_name.c - see series_name.h. */
#include "file/series_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PID_DIGITS = 10, NUMBER_DIGITS = 6 };

static const char time_codes[] = "YmdHMS";

/* The pattern's last part. */
static const char *last_part(const char *pattern)
{
	const char *slash = strrchr(pattern, '/');

	return slash ? slash + 1 : pattern;
}

int series_codes(const char *pattern, char why[SERIES_WHY])
{
	const char *last = last_part(pattern);
	int codes = 0;

	for (const char *at = strchr(pattern, '%'); at; at = strchr(at + 2, '%')) {
		if (at[1] && strchr(time_codes, at[1])) {
			codes |= SERIES_HAS_TIME;
		} else if (at[1] == 'p') {
			codes |= SERIES_HAS_PID;
		} else if (at[1] != 'h' && at[1] != '%') {
			snprintf(why, SERIES_WHY,
				 "'%%%.1s' is none of %%Y %%m %%d %%H %%M %%S %%p %%h; %%%% is a "
				 "percent sign",
				 at + 1);
			return -1;
		}
		if (at < last && at[1] != '%') {
			snprintf(why, SERIES_WHY, "the name of a folder cannot have '%%%.1s'",
				 at + 1);
			return -1;
		}
	}
	return codes;
}

static void put_code(FILE *out, char code, const char *host, pid_t pid, const struct tm *tm)
{
	char text[16], format[] = { '%', code, '\0' };

	if (code == 'p')
		fprintf(out, "%d", (int)pid);
	else if (code == 'h')
		fputs(host, out);
	else if (strchr(time_codes, code) && strftime(text, sizeof text, format, tm) > 0)
		fputs(text, out);
	else
		fputc('%', out);
}

char *series_name(const char *pattern, const char *host, pid_t pid, time_t when)
{
	char *name = NULL;
	size_t len;
	FILE *out = open_memstream(&name, &len);
	struct tm tm = { .tm_mday = 1 };

	if (!out)
		return NULL;
	localtime_r(&when, &tm);
	for (const char *at = pattern; *at; at++) {
		if (*at == '%' && at[1])
			put_code(out, *++at, host, pid, &tm);
		else
			fputc(*at, out);
	}
	bool whole = !ferror(out);
	if (fclose(out) == 0 && whole)
		return name;
	free(name);
	return NULL;
}

const char *series_end(const char *name)
{
	size_t len = strlen(name), end = strlen(SERIES_DATA);

	return len >= end && strcmp(name + len - end, SERIES_DATA) == 0 ? name + len - end
									: name + len;
}

char *series_folder(const char *pattern)
{
	const char *last = last_part(pattern);
	char *folder = NULL, *name = NULL;

	if (last == pattern)
		return strdup(".");
	folder = strndup(pattern, (size_t)(last - pattern));
	if (folder) /* which has no codes but %% */
		name = series_name(folder, "", 0, 0);
	free(folder);
	return name;
}

/* ---- matching ---------------------------------------------------------------------------- */

/* Length of the digits at the beginning. */
static size_t digits(const char *text)
{
	return strspn(text, "0123456789");
}

/* Length of ".2" or a higher number at the beginning. */
static size_t number(const char *name)
{
	size_t n = name[0] == '.' ? digits(name + 1) : 0;
	bool fits = n > 0 && n <= NUMBER_DIGITS && name[1] != '0';

	return fits && strtol(name + 1, NULL, 10) > 1 ? 1 + n : 0;
}

/*
 * Whether a name goes on at `at` with a number or not, then `end`, perhaps ".part". Several numbers
 * (".2.2") are of earlier builds.
 */
static bool matches_end(const char *name, size_t at, const char *end, struct series_match *m)
{
	m->base = at;
	name += at;
	for (size_t n; (n = number(name)) > 0;)
		name += n;
	if (strncmp(name, end, strlen(end)) != 0)
		return false;
	name += strlen(end);
	m->part = strcmp(name, SERIES_PART) == 0;
	return m->part || !*name;
}

static bool matches(const char *pattern, const char *end, const char *host, const char *whole,
		    size_t at, struct series_match *m)
{
	for (; pattern < end; pattern++) {
		char code = *pattern == '%' ? *++pattern : '\0';
		const char *name = whole + at;
		size_t len = strlen(host), n = digits(name);
		if (!code || code == '%') {
			if (*name != *pattern)
				return false;
			at++;
		} else if (code == 'h') {
			if (strncmp(name, host, len) != 0)
				return false;
			at += len;
		} else if (code == 'p') {
			/* digits of the next code may follow */
			for (n = n < PID_DIGITS ? n : PID_DIGITS; n > 0; n--)
				if (matches(pattern + 1, end, host, whole, at + n, m))
					return true;
			return false;
		} else {
			len = code == 'Y' ? 4 : 2;
			if (n < len)
				return false;
			at += len;
		}
	}
	return matches_end(whole, at, end, m);
}

bool series_matches(const char *pattern, const char *host, const char *name, struct series_match *m)
{
	const char *last = last_part(pattern);

	return matches(last, series_end(last), host, name, 0, m);
}
