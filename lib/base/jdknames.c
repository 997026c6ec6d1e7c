/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jdknames.c - names that a reader takes for the JDK's: its public classes in java.lang, java.io,
 * java.util, java.util.concurrent, java.net, java.nio, java.text, java.time, java.math and some
 * packages within these, of JDK 17 to 25. A class of a program that has one of these names is
 * shown with its package (names_short).
 *
 * The list is part of the program, and not what a recording happens to have loaded. So a place has
 * the same name in each recording, and comparisons of two recordings and keys find it again.
 */
#include "base/javaname.h"

#include <string.h>

/* By the first letter; a blank before and after each name. */
static const char *const names['Z' - 'A' + 1] = {
	['A' - 'A'] = " AbstractCollection AbstractExecutorService AbstractList AbstractMap "
		      "AbstractMethodError AbstractOwnableSynchronizer AbstractQueue "
		      "AbstractQueuedLongSynchronizer AbstractQueuedSynchronizer "
		      "AbstractSequentialList AbstractSet Adler32 Annotation Appendable "
		      "ArithmeticException ArrayBlockingQueue ArrayDeque "
		      "ArrayIndexOutOfBoundsException ArrayList ArrayStoreException Arrays "
		      "AssertionError AtomicBoolean AtomicInteger AtomicIntegerArray "
		      "AtomicIntegerFieldUpdater AtomicLong AtomicLongArray AtomicLongFieldUpdater "
		      "AtomicMarkableReference AtomicReference AtomicReferenceArray "
		      "AtomicReferenceFieldUpdater AtomicStampedReference "
		      "AttributedCharacterIterator AttributedString Authenticator AutoCloseable ",
	['B' - 'A'] = " Base64 BaseStream Bidi BigDecimal BigInteger BindException BitSet "
		      "BlockingDeque BlockingQueue Boolean BootstrapMethodError BreakIterator "
		      "BrokenBarrierException Buffer BufferOverflowException "
		      "BufferUnderflowException BufferedInputStream BufferedOutputStream "
		      "BufferedReader BufferedWriter Byte ByteArrayInputStream "
		      "ByteArrayOutputStream ByteBuffer ByteOrder ",
	['C' - 'A'] = " CRC32 CRC32C CacheRequest CacheResponse Calendar Callable "
		      "CancellationException CharArrayReader CharArrayWriter CharBuffer "
		      "CharConversionException CharSequence Character CharacterIterator "
		      "CheckedInputStream CheckedOutputStream Checksum ChoiceFormat Class "
		      "ClassCastException ClassCircularityError ClassFormatError ClassLoader "
		      "ClassNotFoundException ClassValue Clock CloneNotSupportedException "
		      "Cloneable Closeable CollationElementIterator CollationKey Collator "
		      "Collection Collections Collector Collectors CompactNumberFormat Comparable "
		      "Comparator Compiler CompletableFuture CompletionException CompletionService "
		      "CompletionStage ConcurrentHashMap ConcurrentLinkedDeque "
		      "ConcurrentLinkedQueue ConcurrentMap ConcurrentModificationException "
		      "ConcurrentNavigableMap ConcurrentSkipListMap ConcurrentSkipListSet "
		      "Condition ConnectException Console ContentHandler ContentHandlerFactory "
		      "CookieHandler CookieManager CookiePolicy CookieStore CopyOnWriteArrayList "
		      "CopyOnWriteArraySet CountDownLatch CountedCompleter Currency CyclicBarrier ",
	['D' - 'A'] = " DataFormatException DataInput DataInputStream DataOutput DataOutputStream "
		      "DatagramPacket DatagramSocket DatagramSocketImpl DatagramSocketImplFactory "
		      "Date DateFormat DateFormatSymbols DateTimeException DayOfWeek DecimalFormat "
		      "DecimalFormatSymbols Deflater DeflaterInputStream DeflaterOutputStream "
		      "DelayQueue Delayed Deprecated Deque Dictionary Double DoubleAccumulator "
		      "DoubleAdder DoubleBuffer DoubleStream DoubleSummaryStatistics "
		      "DuplicateFormatFlagsException Duration ",
	['E' - 'A'] = " EOFException EmptyStackException Enum EnumConstantNotPresentException "
		      "EnumMap EnumSet Enumeration Error EventListener EventListenerProxy "
		      "EventObject Exception ExceptionInInitializerError Exchanger "
		      "ExecutionException Executor ExecutorCompletionService ExecutorService "
		      "Executors Externalizable ",
	['F' - 'A'] = " FieldPosition File FileDescriptor FileFilter FileInputStream FileNameMap "
		      "FileNotFoundException FileOutputStream FilePermission FileReader FileWriter "
		      "FilenameFilter FilterInputStream FilterOutputStream FilterReader "
		      "FilterWriter Float FloatBuffer Flow Flushable ForkJoinPool ForkJoinTask "
		      "ForkJoinWorkerThread Format FormatFlagsConversionMismatchException "
		      "Formattable FormattableFlags Formatter FormatterClosedException "
		      "FunctionalInterface Future FutureTask ",
	['G' - 'A'] = " GZIPInputStream GZIPOutputStream Gatherer Gatherers GregorianCalendar ",
	['H' - 'A'] = " HashMap HashSet Hashtable HexFormat HttpCookie HttpRetryException "
		      "HttpURLConnection ",
	['I' - 'A'] = " IDN IO IOError IOException IdentityHashMap IllegalAccessError "
		      "IllegalAccessException IllegalArgumentException IllegalCallerException "
		      "IllegalFormatCodePointException IllegalFormatConversionException "
		      "IllegalFormatException IllegalFormatFlagsException "
		      "IllegalFormatPrecisionException IllegalFormatWidthException "
		      "IllegalMonitorStateException IllegalStateException "
		      "IllegalThreadStateException IllformedLocaleException "
		      "IncompatibleClassChangeError IndexOutOfBoundsException Inet4Address "
		      "Inet6Address InetAddress InetSocketAddress Inflater InflaterInputStream "
		      "InflaterOutputStream InheritableThreadLocal InputMismatchException "
		      "InputStream InputStreamReader Instant InstantSource InstantiationError "
		      "InstantiationException IntBuffer IntStream IntSummaryStatistics Integer "
		      "InterfaceAddress InternalError InterruptedException InterruptedIOException "
		      "InvalidClassException InvalidMarkException InvalidObjectException "
		      "InvalidPropertiesFormatException Iterable Iterator ",
	['J' - 'A'] = " JarURLConnection ",
	['L' - 'A'] = " LayerInstantiationException LineNumberInputStream LineNumberReader "
		      "LinkageError LinkedBlockingDeque LinkedBlockingQueue LinkedHashMap "
		      "LinkedHashSet LinkedList LinkedTransferQueue List ListFormat ListIterator "
		      "ListResourceBundle LocalDate LocalDateTime LocalTime Locale Lock "
		      "LockSupport Long LongAccumulator LongAdder LongBuffer LongStream "
		      "LongSummaryStatistics ",
	['M' - 'A'] = " MalformedURLException Map MappedByteBuffer MatchException MatchResult "
		      "Matcher Math MathContext MessageFormat MissingFormatArgumentException "
		      "MissingFormatWidthException MissingResourceException Module ModuleLayer "
		      "Month MonthDay MulticastSocket ",
	['N' - 'A'] = " NavigableMap NavigableSet NegativeArraySizeException NetPermission "
		      "NetworkInterface NoClassDefFoundError NoRouteToHostException "
		      "NoSuchElementException NoSuchFieldError NoSuchFieldException "
		      "NoSuchMethodError NoSuchMethodException Normalizer NotActiveException "
		      "NotSerializableException NullPointerException Number NumberFormat "
		      "NumberFormatException ",
	['O' - 'A'] = " Object ObjectInput ObjectInputFilter ObjectInputStream "
		      "ObjectInputValidation ObjectOutput ObjectOutputStream ObjectStreamClass "
		      "ObjectStreamConstants ObjectStreamException ObjectStreamField Objects "
		      "Observable Observer OffsetDateTime OffsetTime Optional "
		      "OptionalDataException OptionalDouble OptionalInt OptionalLong "
		      "OutOfMemoryError OutputStream OutputStreamWriter Override ",
	['P' - 'A'] = " Package ParseException ParsePosition PasswordAuthentication Pattern "
		      "PatternSyntaxException Period Phaser PipedInputStream PipedOutputStream "
		      "PipedReader PipedWriter PortUnreachableException PrimitiveIterator "
		      "PrintStream PrintWriter PriorityBlockingQueue PriorityQueue Process "
		      "ProcessBuilder ProcessHandle Properties PropertyPermission "
		      "PropertyResourceBundle ProtocolException ProtocolFamily Proxy ProxySelector "
		      "PushbackInputStream PushbackReader ",
	['Q' - 'A'] = " Queue ",
	['R' - 'A'] = " Random RandomAccess RandomAccessFile ReadOnlyBufferException ReadWriteLock "
		      "Readable Reader Record RecursiveAction RecursiveTask ReentrantLock "
		      "ReentrantReadWriteLock ReflectiveOperationException "
		      "RejectedExecutionException RejectedExecutionHandler ResourceBundle "
		      "ResponseCache RoundingMode RuleBasedCollator Runnable RunnableFuture "
		      "RunnableScheduledFuture Runtime RuntimeException RuntimePermission ",
	['S' - 'A'] = " SafeVarargs Scanner ScheduledExecutorService ScheduledFuture "
		      "ScheduledThreadPoolExecutor ScopedValue SecureCacheResponse "
		      "SecurityException SecurityManager Semaphore SequenceInputStream "
		      "SequencedCollection SequencedMap SequencedSet Serial Serializable "
		      "SerializablePermission ServerSocket ServiceConfigurationError ServiceLoader "
		      "Set Short ShortBuffer SimpleDateFormat SimpleTimeZone Socket SocketAddress "
		      "SocketException SocketImpl SocketImplFactory SocketOption SocketOptions "
		      "SocketPermission SocketTimeoutException SortedMap SortedSet Spliterator "
		      "Spliterators SplittableRandom StableValue Stack StackOverflowError "
		      "StackTraceElement StackWalker StampedLock StandardProtocolFamily "
		      "StandardSocketOptions Stream StreamCorruptedException StreamSupport "
		      "StreamTokenizer StrictMath String StringBuffer StringBufferInputStream "
		      "StringBuilder StringCharacterIterator StringIndexOutOfBoundsException "
		      "StringJoiner StringReader StringTokenizer StringWriter "
		      "StructureViolationException StructuredTaskScope SubmissionPublisher "
		      "SuppressWarnings SyncFailedException SynchronousQueue System ",
	['T' - 'A'] = " Thread ThreadDeath ThreadFactory ThreadGroup ThreadLocal ThreadLocalRandom "
		      "ThreadPoolExecutor Throwable TimeUnit TimeZone TimeoutException Timer "
		      "TimerTask TooManyListenersException TransferQueue TreeMap TreeSet "
		      "TypeNotPresentException ",
	['U' - 'A'] = " URI URISyntaxException URL URLClassLoader URLConnection URLDecoder "
		      "URLEncoder URLPermission URLStreamHandler URLStreamHandlerFactory "
		      "UTFDataFormatException UUID UncheckedIOException UnixDomainSocketAddress "
		      "UnknownError UnknownFormatConversionException UnknownFormatFlagsException "
		      "UnknownHostException UnknownServiceException UnsatisfiedLinkError "
		      "UnsupportedClassVersionError UnsupportedEncodingException "
		      "UnsupportedOperationException ",
	['V' - 'A'] = " Vector VerifyError VirtualMachineError Void ",
	['W' - 'A'] = " WeakHashMap WriteAbortedException Writer WrongThreadException ",
	['Y' - 'A'] = " Year YearMonth ",
	['Z' - 'A'] = " ZipEntry ZipError ZipException ZipFile ZipInputStream ZipOutputStream "
		      "ZoneId ZoneOffset ZonedDateTime ",
};

/* Whether a list of names has this one. */
static bool has(const char *list, const char *name, size_t len)
{
	for (const char *at = list; (at = strchr(at, ' ')) && at[1]; at++)
		if (strncmp(at + 1, name, len) == 0 && at[1 + len] == ' ')
			return true;
	return false;
}

/* Whether the JDK has a public class of that name, and the class beside it is not the JDK's. */
static bool is_like(const char *class_name, const char *simple, size_t len)
{
	if (*simple < 'A' || *simple > 'Z' || names_in_jdk(class_name))
		return false;
	const char *known = names[*simple - 'A'];
	return known && has(known, simple, len);
}

size_t names_package_shown(const char *class_name, const char *file)
{
	size_t package = (size_t)(names_simple(class_name) - class_name);

	return package > 0 && is_like(class_name, file, strcspn(file, ".")) ? package : 0;
}

const char *names_short(const char *class_name)
{
	const char *simple = names_simple(class_name);

	return is_like(class_name, simple, strcspn(simple, "$[")) ? class_name : simple;
}
