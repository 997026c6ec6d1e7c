/* SPDX-License-Identifier: Apache-2.0 */
/* window_send.h - tells the tool what objects in windows (windows.h) hold. */
#ifndef OJX_WINDOW_SEND_H
#define OJX_WINDOW_SEND_H

#include <stdbool.h>

struct link_ring;

/* Service thread: reads the windows that pauses have taken, and sends their contents. `final`: for
 * the last time. */
void window_send(struct link_ring *ring, bool final);

#endif
