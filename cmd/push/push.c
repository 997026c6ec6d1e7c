/* SPDX-License-Identifier: Apache-2.0 */
/*
 * push.c - `ojx push`: sends what recordings tell to a receiver of OpenTelemetry's profiles.
 *
 * Each recording becomes a file in the outbox, and the outbox is sent, the oldest file first. What
 * cannot be sent now waits there for the next `ojx push` to the same address.
 */
#define _GNU_SOURCE
#include "push/push.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "base/xmalloc.h"
#include "cmd.h"
#include "options.h"
#include "push/curl.h"
#include "push/outbox.h"
#include "say.h"

enum { MAX_RETRY_S = 3600 };

/*
 * Statuses that tell of the request, but may be others the next time: no right to send, a receiver
 * that does not take profiles yet, or one that is busy.
 */
static const int later[] = { 401, 403, 404, 407, 408, 425, 429 };
enum { LATERS = sizeof later / sizeof later[0] };

struct push {
	const char *url, *under;
	char *address; /* the URL with its path */
	uint64_t most; /* bytes that may wait */
	uint64_t retry_ns;
	bool quiet;
	struct outbox outbox;
	size_t sent;
};

#define PROFILES_PATH "/v1development/profiles"

const char *push_fault(const char *url)
{
	size_t scheme = strncmp(url, "http://", 7) == 0	   ? 7
			: strncmp(url, "https://", 8) == 0 ? 8
							   : 0;

	if (!scheme || strcspn(url + scheme, "/?#") == 0)
		return "it is not the address of a receiver, such as http://localhost:4318";
	for (const char *c = url; *c; c++)
		if ((unsigned char)*c <= ' ' || *c == 127)
			return "an address has no blanks and no control characters";
	if (!curl_is_there())
		return "the program 'curl', which sends, is not there: install it";
	return NULL;
}

/* OpenTelemetry's path, unless there is one. */
static char *address_of(const char *url)
{
	const char *host = strstr(url, "//") + 2;
	const char *path = host + strcspn(host, "/?#");

	if (*path && strcmp(path, "/") != 0)
		return xstrdup(url);
	return xasprintf("%.*s%s", (int)(path - url), url, PROFILES_PATH);
}

/* ---- sending ----------------------------------------------------------------------------- */

enum outcome { SENT, REFUSED, LATER };

/* Posts one file. What the receiver does not take will never be taken, so it does not wait. */
static enum outcome post(const struct push *p, const char *path, char why[CURL_WHY])
{
	const struct curl_post job = {
		.url = p->address,
		.type = "application/x-protobuf",
		.headers = getenv("OTEL_EXPORTER_OTLP_PROFILES_HEADERS")
				   ? getenv("OTEL_EXPORTER_OTLP_PROFILES_HEADERS")
				   : getenv("OTEL_EXPORTER_OTLP_HEADERS"),
		.file = path,
		.retry_s = (unsigned)(p->retry_ns / (uint64_t)OPT_S),
	};
	struct curl_answer answer;

	if (curl_post(&job, &answer) < 0) {
		snprintf(why, CURL_WHY, "cannot run 'curl': %s", strerror(errno));
		return LATER;
	}
	memcpy(why, answer.why, CURL_WHY);
	if (answer.http / 100 == 2)
		return SENT;
	for (size_t i = 0; i < LATERS; i++)
		if (answer.http == later[i])
			return LATER;
	return answer.http / 100 == 4 ? REFUSED : LATER;
}

/* One that waits. False: no other can be sent now. */
static bool send_one(struct push *p, const char *path, bool *failed)
{
	char why[CURL_WHY] = "";
	int fd = outbox_lock(path);

	if (fd < 0)
		return true; /* another process has sent it, or does */
	enum outcome outcome = post(p, path, why);
	if (outcome == LATER) {
		say("cannot send to '%s': %s", p->address, why);
		*failed = true;
	} else {
		unlink(path);
	}
	if (outcome == REFUSED) {
		say("'%s' does not take the profile: %s; it is not kept", p->address, why);
		*failed = true;
	}
	p->sent += outcome == SENT;
	close(fd);
	return outcome != LATER;
}

static void say_waiting(const struct push *p)
{
	struct outbox_list l;
	char size[UNITS_TEXT];

	if (outbox_list(&p->outbox, &l) == 0 && l.n > 0)
		say("%zu profile%s (%s) wait%s in '%s' for the next 'ojx push'", l.n,
		    l.n == 1 ? "" : "s", units_bytes(size, (double)l.bytes), l.n == 1 ? "s" : "",
		    p->outbox.dir);
	outbox_list_release(&l);
}

/* Sends what waits. 0, or -1 after a message. */
static int send_all(struct push *p)
{
	struct outbox_list l;
	bool failed = false;

	if (outbox_list(&p->outbox, &l) < 0) {
		outbox_list_release(&l);
		return say_error("cannot read '%s': %s", p->outbox.dir, strerror(errno));
	}
	for (size_t i = 0; i < l.n; i++)
		if (!send_one(p, l.path[i], &failed))
			break;
	outbox_list_release(&l);
	if (failed)
		say_waiting(p);
	return failed ? -1 : 0;
}

/* ---- the command ------------------------------------------------------------------------- */

/* Puts what the recording tells into the outbox. 0, or -1 after a message. */
static int add(const struct push *p, const char *recording)
{
	char *path = outbox_new(&p->outbox);
	char *output = xasprintf("--output=%s", path), *input = xasprintf("--input=%s", recording);
	char *argv[] = { (char[]){ "report" }, (char[]){ "--format=otlp" }, output, input, NULL };
	int status = cmd_report(4, argv);

	free(path);
	free(output);
	free(input);
	return status == 0 ? 0 : -1;
}

static int run(struct push *p, char **recordings)
{
	int result = 0;

	if (outbox_open(&p->outbox, p->under, p->address) < 0)
		return say_error("cannot make a folder for '%s' in '%s': %s", p->address, p->under,
				 strerror(errno));
	for (; *recordings; recordings++)
		if (add(p, *recordings) < 0)
			result = -1;
	size_t removed = outbox_trim(&p->outbox, p->most);
	if (removed > 0)
		say("%zu profile%s that waited longest %s removed: more than --spool-size waits",
		    removed, removed == 1 ? "" : "s", removed == 1 ? "is" : "are");
	if (send_all(p) < 0)
		result = -1;
	if (!p->quiet && p->sent > 0)
		say_summary("sent %zu profile%s to %s", p->sent, p->sent == 1 ? "" : "s",
			    p->address);
	return result;
}

int cmd_push(int argc, char **argv)
{
	static char default_file[] = OJX_DATA;
	char *default_files[] = { default_file, NULL };
	struct push p = { .under = PUSH_SPOOL,
			  .most = 64u << 20,
			  .retry_ns = 60 * (uint64_t)OPT_S };
	const struct option_row rows[] = {
		OPT_STRING(0, "spool", "DIR", &p.under,
			   "keep in DIR what cannot be sent now (default " PUSH_SPOOL ")"),
		OPT_SIZE(0, "spool-size", "BYTES", &p.most, 0, 1e15,
			 "keep at most BYTES for an address (default 64m); the oldest go first"),
		OPT_TIME(0, "retry", "TIME", &p.retry_ns, OPT_S, 0, MAX_RETRY_S,
			 "try for TIME while the receiver is away or busy, with longer and longer "
			 "pauses (default 60s; 0: once)"),
		OPT_BOOL('q', "quiet", &p.quiet, "report only errors"),
		OPT_END,
	};
	const struct option_command command = {
		.name = "push",
		.synopsis = "[OPTION]... URL [FILE]...",
		.about = "Sends what the recordings FILE (default " OJX_DATA ") tell to URL, a "
			 "receiver of OpenTelemetry's profiles such as http://localhost:4318. What "
			 "cannot be sent waits for the next 'ojx push' to the same address.",
		.rows = rows,
		.notes =
			"A URL without a path gets " PROFILES_PATH ". Headers, such as those that\n"
			"authorise, are taken from OTEL_EXPORTER_OTLP_HEADERS.\n",
		.options_anywhere = true,
	};
	int first = options_parse(&command, argc, argv);

	if (first < 0)
		return first == OPTIONS_HELP ? 0 : EXIT_USAGE;
	if (first == argc) {
		say("no address to send to (see 'ojx push --help')");
		return EXIT_USAGE;
	}
	const char *fault = push_fault(argv[first]);
	if (fault) {
		say("cannot send to '%s': %s", argv[first], fault);
		return EXIT_USAGE;
	}
	p.url = argv[first];
	p.address = address_of(p.url);
	int result = run(&p, first + 1 < argc ? argv + first + 1 : default_files);
	outbox_release(&p.outbox);
	free(p.address);
	return result < 0 ? EXIT_ERROR : 0;
}
