/* SPDX-License-Identifier: Apache-2.0 */
/*
 * curl.h - posting a file by HTTP with the program curl, which knows TLS, proxies and certificates.
 */
#ifndef OJX_CURL_H
#define OJX_CURL_H

#include <stdbool.h>

struct curl_post {
	const char *url;
	const char *type;    /* of the content */
	const char *headers; /* "name=value,name2=value2", percent-encoded; NULL: none */
	const char *file;
	unsigned retry_s; /* how long to try again while the receiver is away or busy; 0: once */
};

enum { CURL_WHY = 160 };

struct curl_answer {
	int http; /* the status; 0: there was no answer */
	char why[CURL_WHY];
};

/* Whether the program is found. */
bool curl_is_there(void);

/*
 * Posts the file and waits. 0 and an answer; or -1 with errno if curl could not be run. Of the
 * headers, which may be secret, nothing is on a command line.
 */
int curl_post(const struct curl_post *p, struct curl_answer *answer);

#endif
