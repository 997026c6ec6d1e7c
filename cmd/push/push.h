/* SPDX-License-Identifier: Apache-2.0 */
/* push.h - what others need of `ojx push`. */
#ifndef OJX_PUSH_H
#define OJX_PUSH_H

#define PUSH_SPOOL ".ojx-push" /* the default of --spool */

/* Why nothing can be sent to the address; NULL: it can. */
const char *push_fault(const char *url);

#endif
