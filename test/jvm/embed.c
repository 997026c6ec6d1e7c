/* SPDX-License-Identifier: Apache-2.0 */
/*
 * embed LIBJVM CLASSPATH BYTES N - a program with an embedded JVM. Its own threads have signal
 * stacks that are BYTES larger than the kernel's minimum, as those of Rust and of some C++
 * libraries. Each calls Rough.work(N). Prints the results.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <jni.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#define THREADS 3
#define PAGE	4096
#define LEAST	2048 /* bytes that the kernel needs, if it does not tell */
#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

typedef jint create_vm(JavaVM **vm, void **jni, void *args);

static JavaVM *vm;
static size_t signal_stack;
static jint work;

static void die(const char *what)
{
	fprintf(stderr, "embed: %s\n", what);
	exit(2);
}

/* Below it is a guard page, so that an overflow is noticed. */
static void make_signal_stack(void)
{
	unsigned char *memory = mmap(NULL, signal_stack + PAGE, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	stack_t stack = { .ss_sp = memory + PAGE, .ss_size = signal_stack };

	if (memory == MAP_FAILED || mprotect(memory, PAGE, PROT_NONE) != 0 ||
	    sigaltstack(&stack, NULL) != 0)
		die("no stack for signals");
}

static void *run(void *result)
{
	JNIEnv *jni = NULL;

	make_signal_stack();
	if ((*vm)->AttachCurrentThread(vm, (void **)&jni, NULL) != JNI_OK)
		die("a thread cannot be attached");
	jclass type = (*jni)->FindClass(jni, "Rough");
	jmethodID method = type ? (*jni)->GetStaticMethodID(jni, type, "work", "(I)J") : NULL;
	if (!method)
		die("Rough.work is not there");
	*(jlong *)result = (*jni)->CallStaticLongMethod(jni, type, method, work);
	(*vm)->DetachCurrentThread(vm);
	return NULL;
}

static void start_vm(const char *library, const char *class_path)
{
	JavaVMOption option[2] = { { .optionString = NULL }, { .optionString = "-Xmx128m" } };
	JavaVMInitArgs args = { .version = JNI_VERSION_1_8, .nOptions = 2, .options = option };
	void *dl = dlopen(library, RTLD_NOW | RTLD_GLOBAL);
	create_vm *create = NULL;
	void *jni = NULL;

	if (!dl)
		die(dlerror());
	*(void **)&create = dlsym(dl, "JNI_CreateJavaVM");
	if (!create || asprintf(&option[0].optionString, "-Djava.class.path=%s", class_path) < 0 ||
	    create(&vm, &jni, &args) != JNI_OK)
		die("no JVM");
	free(option[0].optionString);
}

int main(int argc, char **argv)
{
	pthread_t thread[THREADS];
	jlong result[THREADS] = { 0 };

	if (argc != 5)
		die("embed LIBJVM CLASSPATH BYTES N");
	start_vm(argv[1], argv[2]);
	signal_stack = getauxval(AT_MINSIGSTKSZ);
	signal_stack = (signal_stack ? signal_stack : LEAST) + strtoul(argv[3], NULL, 0);
	signal_stack = (signal_stack + PAGE - 1) / PAGE * PAGE;
	work = (jint)strtol(argv[4], NULL, 0);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, run, &result[i]) != 0)
			die("no thread");
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < THREADS; i++)
		printf("embedded %lld\n", (long long)result[i]);
	fflush(stdout);
	(*vm)->DestroyJavaVM(vm);
	return 0;
}
