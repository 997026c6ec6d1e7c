// SPDX-License-Identifier: Apache-2.0
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/*
 * The findings of JXPerf's paper (FSE'19) in four programs, written anew from its description: the
 * FFT of SciMark (its listing 1), a parser generator's item sets in TreeMaps (5), a fluid solver's
 * damping (4) and a random number generator that computes its constants at each call (6). The
 * thread works for the given number of seconds of its own CPU time, since that is sampled, however
 * busy the machine is.
 *
 *     java Papers fft|items|damping|random SECONDS
 */
final class Papers {
    static double sink;

    /* ---- a fast Fourier transform of complex numbers, real and imaginary parts in turn ---- */

    static final int POINTS = 1024;
    static final double[] signal = new Random(1).doubles(2 * POINTS, -1, 1).toArray();

    static void reverseBits(double[] data) {
        int points = data.length / 2, bits = Integer.numberOfTrailingZeros(points);
        for (int p = 0; p < points; p++) {
            int q = Integer.reverse(p) >>> 32 - bits;
            if (p < q) {
                swap(data, 2 * p, 2 * q);
                swap(data, 2 * p + 1, 2 * q + 1);
            }
        }
    }

    static void swap(double[] data, int i, int j) {
        double kept = data[i];
        data[i] = data[j];
        data[j] = kept;
    }

    /*
     * The two parts of data[i] are each loaded twice, since data[j] could be the same element as
     * far as the compiler knows.
     */
    static void transform(double[] data, int direction) {
        int points = data.length / 2;
        reverseBits(data);
        for (int half = 1; half < points; half *= 2) {
            double angle = direction * Math.PI / half, stepReal = Math.cos(angle), stepImag = Math.sin(angle);
            double wReal = 1, wImag = 0;
            for (int a = 0; a < half; a++) {
                for (int b = a; b < points; b += 2 * half) {
                    int i = 2 * b, j = 2 * (b + half);
                    double zReal = data[j], zImag = data[j + 1];
                    double dReal = wReal * zReal - wImag * zImag;
                    double dImag = wReal * zImag + wImag * zReal;
                    data[j] = data[i] - dReal; // line: first real
                    data[j + 1] = data[i + 1] - dImag; // line: first imaginary
                    data[i] += dReal; // line: second real
                    data[i + 1] += dImag; // line: second imaginary
                }
                double turned = wReal * stepReal - wImag * stepImag;
                wImag = wReal * stepImag + wImag * stepReal;
                wReal = turned;
            }
        }
    }

    static void fft() {
        transform(signal, 1);
        transform(signal, -1);
        for (int i = 0; i < signal.length; i++)
            signal[i] /= POINTS;
    }

    /* ---- sets of items, made again and again of the same items ---- */

    static final class Item implements Comparable<Item> {
        final int production, dot;

        Item(int production, int dot) {
            this.production = production;
            this.dot = dot;
        }

        @Override
        public int compareTo(Item other) {
            int difference = production - other.production; // line: compared
            return difference != 0 ? difference : dot - other.dot;
        }
    }

    static final List<Item> items = new ArrayList<>();
    static final TreeMap<Item, Item> known = new TreeMap<>();

    static void items() {
        if (items.isEmpty()) {
            Random random = new Random(2);
            for (int i = 0; i < 600; i++)
                items.add(new Item(random.nextInt(200), random.nextInt(6)));
        }
        for (Item item : items)
            known.put(item, item); // line: put
    }

    /* ---- damping between neighbours of a grid ---- */

    static final class State {
        double a, b;
    }

    static final int GRID = 64;
    static final State[][] grid = new State[GRID][GRID];
    static final double[] damped = new double[GRID];
    static State difference = new State(), scrap = new State();

    /* Nobody loads the stores into `difference`: the compiler has the value in a register. */
    static void damp(State[] row, double weight) {
        for (int j = 1; j < row.length - 2; j++) {
            difference.a = 3.0 * (row[j].a - row[j + 1].a); // line: first damping
            scrap.a = weight * (row[j + 2].a + difference.a);
            damped[j] += scrap.a;
            difference.a = 3.0 * (row[j - 1].a - row[j].a); // line: second damping
            scrap.a = weight * (row[j + 1].a + difference.a);
            damped[j] -= scrap.a;
        }
    }

    static void damping() {
        for (int i = 0; i < GRID; i++) {
            for (int j = 0; j < GRID; j++) {
                if (grid[i][j] == null)
                    grid[i][j] = new State();
                grid[i][j].a += i * 31 + j * 7;
            }
            damp(grid[i], 0.25);
        }
        sink += damped[GRID / 2];
    }

    /* ---- random numbers ---- */

    static final class Randlc {
        double r23, r46, t23, t46, seed = 314159265;

        double next(double a) {
            r23 = Math.pow(0.5, 23); // line: r23
            r46 = Math.pow(r23, 2); // line: r46
            t23 = Math.pow(2.0, 23); // line: t23
            t46 = Math.pow(t23, 2); // line: t46
            double a1 = Math.floor(r23 * a), a2 = a - t23 * a1;
            double x1 = Math.floor(r23 * seed), x2 = seed - t23 * x1;
            double middle = a1 * x2 + a2 * x1, low = t23 * (middle - t23 * Math.floor(r23 * middle)) + a2 * x2;
            seed = low - t46 * Math.floor(r46 * low);
            return r46 * seed;
        }
    }

    static final Randlc random = new Randlc();

    static void random() {
        double sum = 0;
        for (int i = 0; i < 1000; i++)
            sum += random.next(1220703125.0);
        sink += sum;
    }

    public static void main(String[] args) {
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        long end = clock.getCurrentThreadCpuTime() + Long.parseLong(args[1]) * 1_000_000_000L;
        for (int round = 0; round % 10 != 0 || clock.getCurrentThreadCpuTime() < end; round++) {
            switch (args[0]) {
            case "fft":
                fft();
                break;
            case "items":
                items();
                break;
            case "damping":
                damping();
                break;
            default:
                random();
            }
        }
        System.out.println(sink + signal[5]);
    }
}
