// SPDX-License-Identifier: Apache-2.0
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.ThreadLocalRandom;

/*
 * A table that one thread makes at the start and others read for the rest of the run, while garbage
 * makes the collector move it. Of the objects of a row, the share SAME has one content and each
 * other object its own. So of random pairs the share SAME * SAME is equal, and so are their values
 * in each field. Each reader reads for the given number of milliseconds of its own CPU time, since
 * that is sampled.
 *
 *     java Table SAME MILLISECONDS
 */
final class Table {
    static final int CELLS = 1 << 18, ROWS = 1 << 14, LENGTH = 64, READERS = 2;
    static volatile Object garbage;
    static volatile long sink;

    static final class Cell {
        int x;
        int y;
        long z;
    }

    /* A number that identifies the content. */
    static int content(int i, double same) {
        return (i * 0x9e3779b97f4a7c15L >>> 40) < same * (1L << 24) ? 1 : i + 2;
    }

    static Cell makeCell(int content) {
        Cell c = new Cell(); // line: cell
        c.x = content;
        c.y = content * 3;
        c.z = content * 5L;
        return c;
    }

    static long[] makeRow(int content) {
        long[] row = new long[LENGTH]; // line: row
        for (int i = 0; i < LENGTH; i++)
            row[i] = content + 7L * i;
        return row;
    }

    static long readCells(Cell[] cells, int seed) {
        long sum = 0;
        for (int k = 0, i = seed; k < 1 << 16; k++, i = i * 0x19660d + 0x3c6ef35f) {
            Cell c = cells[i >>> 8 & CELLS - 1];
            sum += c.x + c.y + c.z; // line: read cell
        }
        return sum;
    }

    static long readRows(long[][] rows, int seed) {
        long sum = 0;
        for (int k = 0, i = seed; k < 1 << 10; k++, i = i * 0x19660d + 0x3c6ef35f)
            for (long v : rows[i >>> 8 & ROWS - 1])
                sum += v; // line: read row
        return sum;
    }

    static void read(Cell[] cells, long[][] rows, long ms) {
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        long sum = 0;
        while (clock.getCurrentThreadCpuTime() < ms * 1_000_000L) {
            int seed = ThreadLocalRandom.current().nextInt();
            sum += readCells(cells, seed) + readRows(rows, seed);
            garbage = new byte[1 << 14];
        }
        sink += sum;
    }

    public static void main(String[] args) throws InterruptedException {
        double same = Double.parseDouble(args[0]);
        Cell[] cells = new Cell[CELLS];
        long[][] rows = new long[ROWS][];
        for (int i = 0; i < CELLS; i++)
            cells[i] = makeCell(content(i, same));
        for (int i = 0; i < ROWS; i++)
            rows[i] = makeRow(content(i, same));
        long ms = Long.parseLong(args[1]);
        Thread[] readers = new Thread[READERS];
        for (int i = 0; i < READERS; i++) {
            readers[i] = new Thread(() -> read(cells, rows, ms), "reader");
            readers[i].start();
        }
        for (Thread r : readers)
            r.join();
        System.out.println(sink);
    }
}
