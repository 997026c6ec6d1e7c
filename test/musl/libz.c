/* SPDX-License-Identifier: Apache-2.0 */
/* libz.c - what Debian's libz.a takes of glibc and musl lacks; jvms.sh makes a libz for musl. */
#include <stdarg.h>
#include <stdio.h>

int __snprintf_chk(char *text, size_t size, int flag, size_t room, const char *format, ...);
int __vsnprintf_chk(char *text, size_t size, int flag, size_t room, const char *format,
		    va_list list);

int __vsnprintf_chk(char *text, size_t size, int flag, size_t room, const char *format,
		    va_list list)
{
	(void)flag;
	return vsnprintf(text, size < room ? size : room, format, list);
}

int __snprintf_chk(char *text, size_t size, int flag, size_t room, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	int length = __vsnprintf_chk(text, size, flag, room, format, list);
	va_end(list);
	return length;
}
