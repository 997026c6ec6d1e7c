/* SPDX-License-Identifier: Apache-2.0 */
/* window_send.h - tells the tool what objects in windows (windows.h) hold. */
#ifndef OJX_WINDOW_SEND_H
#define OJX_WINDOW_SEND_H

#include "core/part.h"

extern const struct part windows_part;

#endif
