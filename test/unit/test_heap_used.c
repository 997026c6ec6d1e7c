/* SPDX-License-Identifier: Apache-2.0 */
/* test_heap_used.c - how much a heap holds, from what JDK 11 to 25 answer to GC.heap_info. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "attach/live_dump.h"

#define K 1024.0
#define M (1024 * K)

static const struct {
	const char *answer;
	double bytes;
} cases[] = {
	{ "0\n garbage-first heap   total 37888K, used 10158K [0x00000000f8000000, 0x...)\n"
	  "  region size 1024K, 1 young (1024K), 0 survivors (0K)\n"
	  " Metaspace       used 3061K, capacity 4486K, committed 4864K, reserved 1056768K\n"
	  "  class space    used 302K, capacity 386K, committed 512K, reserved 1048576K\n",
	  10158 * K },
	{ "0\ngarbage-first heap   total reserved 131072K, committed 40960K, used 12136K [0x0)\n"
	  " region size 1024K, 1 young (1024K), 0 survivors (0K)\n",
	  12136 * K },
	{ "0\n def new generation   total 39296K, used 1397K [0x00000000f8000000, 0x...)\n"
	  "  eden space 34944K,   4% used [0x00000000f8000000, 0x00000000f815d730, 0x...)\n"
	  "  from space 4352K,   0% used [0x00000000fa220000, 0x00000000fa220000, 0x...)\n"
	  " tenured generation   total 87424K, used 10218K [0x00000000faaa0000, 0x...)\n"
	  "   the space 87424K,  11% used [0x00000000faaa0000, 0x00000000fb49a8f0, 0x...)\n"
	  " Metaspace       used 127K, committed 320K, reserved 1114112K\n",
	  11615 * K },
	{ "0\nPSYoungGen      total 38400K, used 1664K [0x00000000fd580000, 0x...)\n"
	  " eden space 33280K, 5% used [0x00000000fd580000,0x00000000fd720038,0x...)\n"
	  "ParOldGen       total 87552K, used 11008K [0x00000000f8000000, 0x...)\n"
	  " object space 87552K, 12% used [0x00000000f8000000,0x00000000f8ac02c8,0x...)\n",
	  12672 * K },
	{ "0\n ZHeap           used 14M, capacity 128M, max capacity 128M\n"
	  " Metaspace       used 134K, committed 384K, reserved 1114112K\n"
	  "  class space    used 4K, committed 128K, reserved 1048576K\n",
	  14 * M },
	{ "0\nZHeap            used 16M, capacity 128M, max capacity 128M\n"
	  " Cache           112M (1)\n  size classes   64M (1)\n",
	  16 * M },
	{ "0\nShenandoah Heap\n 128M max, 128M soft max, 128M committed, 10599K used\n"
	  " 512 x 256K regions\nStatus: not cancelled\n"
	  " Metaspace       used 134K, committed 384K, reserved 1114112K\n",
	  10599 * K },
	{ "0\nPSYoungGen      total 3G, used 2G", 2048 * M },
	/* nothing that is understood */
	{ "1\njava.lang.IllegalArgumentException: Unknown diagnostic command\n", -1 },
	{ "0\nunused 5K\nis used", -1 },
	{ "used", -1 },
	{ "", -1 },
};

static void test_answers(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_float_equal(heap_used(cases[i].answer), cases[i].bytes, 0);
}

int unit_heap_used(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_answers) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
