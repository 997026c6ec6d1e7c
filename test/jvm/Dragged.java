// SPDX-License-Identifier: Apache-2.0
// Objects whose uses are known, for test/t_drag.sh. A collection every PERIOD ms; each line makes the same number of objects in each
// period and keeps them for LIFE periods:
//   hot       used all the time, until they are dropped
//   dragged   used in the period in which they are made, and not after that
//   half      used for the first half of their life
//   handed    as hot, but by another thread
// Usage: Dragged SECONDS OBJECTS
import java.util.*;

class Dragged {
	static final int PERIOD = 250, LIFE = 12;
	static volatile boolean stop;
	static volatile long sink;

	static final class Item {
		long value;
		int number;

		Item(int n)
		{
			value = n;
			number = n + 1;
		}

		long use()
		{
			return value + number;
		}
	}

	// What one line has made in the last periods; the newest last.
	static final class Kept {
		final ArrayDeque<Item[]> all = new ArrayDeque<>();

		synchronized void add(Item[] more)
		{
			all.addLast(more);
			if (all.size() > LIFE)
				all.removeFirst();
		}

		// Of those of the last `periods` periods.
		synchronized long use(int periods)
		{
			long sum = 0;
			Iterator<Item[]> newest = all.descendingIterator();
			for (int i = 0; i < periods && newest.hasNext(); i++)
				for (Item item : newest.next())
					sum += item.use();
			return sum;
		}
	}

	static Item[] hot(int n)
	{
		Item[] items = new Item[n];
		for (int i = 0; i < n; i++)
			items[i] = new Item(i);
		return items;
	}

	static Item[] dragged(int n)
	{
		Item[] items = new Item[n];
		for (int i = 0; i < n; i++)
			items[i] = new Item(i);
		return items;
	}

	static Item[] half(int n)
	{
		Item[] items = new Item[n];
		for (int i = 0; i < n; i++)
			items[i] = new Item(i);
		return items;
	}

	static Item[] handed(int n)
	{
		Item[] items = new Item[n];
		for (int i = 0; i < n; i++)
			items[i] = new Item(i);
		return items;
	}

	public static void main(String[] args) throws Exception
	{
		int seconds = Integer.parseInt(args[0]), n = Integer.parseInt(args[1]);
		Kept hot = new Kept(), dragged = new Kept(), half = new Kept(), handed = new Kept();
		Thread other = new Thread(() -> {
			while (!stop) {
				sink += handed.use(LIFE);
				Thread.yield(); // whoever adds has its turn
			}
		}, "other");
		other.start();
		long end = System.nanoTime() + seconds * 1_000_000_000L;
		while (System.nanoTime() < end) {
			long next = System.nanoTime() + PERIOD * 1_000_000L;
			hot.add(hot(n));
			dragged.add(dragged(n));
			half.add(half(n));
			handed.add(handed(n));
			do
				sink += hot.use(LIFE) + dragged.use(0) + half.use(LIFE / 2);
			while (System.nanoTime() < next);
			System.gc();
		}
		stop = true;
		other.join();
		System.out.println("done");
	}
}
