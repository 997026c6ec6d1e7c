// SPDX-License-Identifier: Apache-2.0
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;

/**
 * Makes long arrays of objects that nobody keeps. Each array refers to the next; some megabytes of
 * them are made between two young collections. Whoever holds one array keeps all later ones alive.
 * Prints the largest size of the old generation in megabytes, and the number of collections.
 * Argument: rounds.
 */
class Lists {
	static Object[] last;

	public static void main(String[] args) throws InterruptedException {
		long old = 0, collections = 0;
		for (int round = Integer.parseInt(args[0]); round > 0; round--) {
			for (int i = 0; i < 200; i++)
				more();
			last = null;
			Thread.sleep(5);
			old = Math.max(old, old());
		}
		for (GarbageCollectorMXBean gc : ManagementFactory.getGarbageCollectorMXBeans())
			if (!gc.getName().contains("Pauses"))
				collections += gc.getCollectionCount();
		System.out.println((old >> 20) + " " + collections);
	}

	static void more() {
		Object[] list = new Object[1000];
		for (int i = 1; i < list.length; i++)
			list[i] = new Lists();
		if (last != null)
			last[0] = list;
		last = list;
	}

	static long old() {
		for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans())
			if (pool.getName().contains("Old") || pool.getName().contains("Tenured"))
				return pool.getUsage().getUsed();
		return 0;
	}
}
