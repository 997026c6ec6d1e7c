/* SPDX-License-Identifier: Apache-2.0 */
/* curl.c - see curl.h. */
#define _GNU_SOURCE
#include "push/curl.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/xmalloc.h"

enum { CONNECT_S = 10, TRY_S = 60, TRIES = 100, NOT_FOUND = 127 };

/* As execvp finds it. */
bool curl_is_there(void)
{
	const char *path = getenv("PATH");

	for (path = path ? path : "/usr/bin:/bin";;) {
		size_t len = strcspn(path, ":");
		char *file = xasprintf("%.*s/curl", len ? (int)len : 1, len ? path : ".");
		bool found = access(file, X_OK) == 0;
		free(file);
		if (found || !path[len])
			return found;
		path += len + 1;
	}
}

/* ---- what curl reads --------------------------------------------------------------------- */

/* A setting of curl's configuration. Control characters would end it, and are left out. */
static void put_setting(FILE *out, const char *name, const char *before, const char *value,
			size_t len)
{
	fprintf(out, "%s = \"%s", name, before);
	for (size_t i = 0; i < len; i++) {
		if (value[i] == '"' || value[i] == '\\')
			putc('\\', out);
		if (!iscntrl((unsigned char)value[i]))
			putc(value[i], out);
	}
	fputs("\"\n", out);
}

static void put_text(FILE *out, const char *name, const char *before, const char *value)
{
	put_setting(out, name, before, value, strlen(value));
}

static int hex_value(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* Decodes %XX in place. The new length. */
static size_t decode(char *text, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++, n++) {
		text[n] = text[i];
		if (text[i] != '%' || i + 2 >= len || !isxdigit((unsigned char)text[i + 1]) ||
		    !isxdigit((unsigned char)text[i + 2]))
			continue;
		text[n] = (char)(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
		i += 2;
	}
	return n;
}

/* Of OpenTelemetry's form "name=value,name2=value2". */
static void put_headers(FILE *out, const char *headers)
{
	while (*headers) {
		size_t len = strcspn(headers, ",");
		size_t blank = strspn(headers, " \t");
		const char *equals = memchr(headers, '=', len);
		if (equals && blank < len) {
			const char *name = headers + blank;
			char *value = xstrndup(equals + 1, len - (size_t)(equals + 1 - headers));
			char *line = xasprintf("%.*s: ", (int)(equals - name), name);
			size_t n = strlen(line), value_len = decode(value, strlen(value));
			line = xrealloc(line, n + value_len + 1);
			memcpy(line + n, value, value_len);
			put_setting(out, "header", "", line, n + value_len);
			free(value);
			free(line);
		}
		headers += len + (headers[len] == ',');
	}
}

/* curl waits between tries, longer each time, or as long as the receiver says. */
static void put_settings(FILE *out, const struct curl_post *p)
{
	put_text(out, "url", "", p->url);
	put_text(out, "data-binary", "@", p->file);
	put_text(out, "header", "Content-Type: ", p->type);
	put_text(out, "header", "", "Expect:");
	put_headers(out, p->headers ? p->headers : "");
	fprintf(out, "connect-timeout = %d\nmax-time = %d\n", CONNECT_S, TRY_S);
	if (p->retry_s > 0)
		fprintf(out, "retry = %d\nretry-connrefused\nretry-max-time = %u\n", TRIES,
			p->retry_s);
	fputs("silent\nshow-error\noutput = \"/dev/null\"\nwrite-out = \"%{http_code}\\n\"\n", out);
}

/* ---- running it -------------------------------------------------------------------------- */

__attribute__((noreturn)) static void exec_curl(int in, int out, int err)
{
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	/* -q: first, so that the user's ~/.curlrc changes nothing */
	execlp("curl", "curl", "-q", "--config", "-", (char *)NULL);
	_exit(NOT_FOUND);
}

/* The first line of a file, without "curl: "; and how long it is. */
static size_t first_line(FILE *from, char *to, size_t room)
{
	rewind(from);
	if (!fgets(to, (int)room, from))
		to[0] = '\0';
	to[strcspn(to, "\r\n")] = '\0';
	if (strncmp(to, "curl: ", 6) == 0)
		memmove(to, to + 6, strlen(to + 6) + 1);
	return strlen(to);
}

static int run(FILE *in, FILE *out, FILE *err)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		return -1;
	if (pid == 0)
		exec_curl(fileno(in), fileno(out), fileno(err));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND) {
		errno = ENOENT;
		return -1;
	}
	return 0;
}

static void read_answer(struct curl_answer *answer, FILE *out, FILE *err)
{
	char code[16];

	first_line(out, code, sizeof code);
	answer->http = atoi(code);
	if (answer->http > 0)
		snprintf(answer->why, sizeof answer->why, "HTTP status %d", answer->http);
	else if (first_line(err, answer->why, sizeof answer->why) == 0)
		snprintf(answer->why, sizeof answer->why, "no answer");
}

int curl_post(const struct curl_post *p, struct curl_answer *answer)
{
	FILE *file[3] = { tmpfile(), tmpfile(), tmpfile() };
	int result = -1;

	*answer = (struct curl_answer){ .http = 0 };
	if (file[0] && file[1] && file[2]) {
		put_settings(file[0], p);
		if (fflush(file[0]) == 0 && !ferror(file[0])) {
			rewind(file[0]);
			result = run(file[0], file[1], file[2]);
		}
	}
	int error = errno;
	if (result == 0)
		read_answer(answer, file[1], file[2]);
	for (int i = 0; i < 3; i++)
		if (file[i])
			fclose(file[i]);
	errno = error;
	return result;
}
