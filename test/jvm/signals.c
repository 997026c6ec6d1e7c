/* SPDX-License-Identifier: Apache-2.0 */
/* The native half of Signals.java. */
#include <jni.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int sent;

static void handler(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)context;
	if (info->si_code <= 0) /* by a process, not by the kernel */
		atomic_fetch_add(&sent, 1);
}

JNIEXPORT void JNICALL Java_Signals_block(JNIEnv *jni, jclass class)
{
	sigset_t set;

	(void)jni;
	(void)class;
	sigfillset(&set);
	sigdelset(&set, SIGSEGV); /* the JVM's own */
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

JNIEXPORT jboolean JNICALL Java_Signals_isHandled(JNIEnv *jni, jclass class)
{
	struct sigaction now;

	(void)jni;
	(void)class;
	return sigaction(SIGTRAP, NULL, &now) == 0 && now.sa_handler != SIG_DFL;
}

JNIEXPORT void JNICALL Java_Signals_handle(JNIEnv *jni, jclass class)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };

	(void)jni;
	(void)class;
	sigemptyset(&action.sa_mask);
	sigaction(SIGTRAP, &action, NULL);
}

JNIEXPORT void JNICALL Java_Signals_crash(JNIEnv *jni, jclass class)
{
	(void)jni;
	(void)class;
	*(volatile int *)sizeof(int) = 1;
}

JNIEXPORT jint JNICALL Java_Signals_send(JNIEnv *jni, jclass class)
{
	(void)jni;
	(void)class;
	raise(SIGTRAP);
	return atomic_load(&sent);
}
