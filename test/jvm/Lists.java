// SPDX-License-Identifier: Apache-2.0
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;

/**
 * Makes long arrays of objects that nobody wants any more, each of which leads to the next, some megabytes of them between two
 * collections of the young generation. Prints how many megabytes the old generation had at most, and the number of collections. Who
 * holds one of the arrays keeps all that came after it. Argument: how many rounds.
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
