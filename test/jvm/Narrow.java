// SPDX-License-Identifier: Apache-2.0

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A fixed amount of work in little memory. Prints a sum, then what memory the process had. */
public final class Narrow {
    static volatile Object sink;

    private Narrow() {
    }

    private static long work(int n) {
        List<String> kept = new ArrayList<>();
        long sum = 0;
        for (int i = 0; i < n; i++) {
            byte[] bytes = new byte[64 + (i & 63)];
            bytes[3] = (byte) i;
            String text = "x" + (i & 1023);
            sum += text.hashCode() + bytes[3];
            if ((i & 1023) == 0) {
                kept.add(text);
            }
            if (kept.size() > 500) {
                kept.clear();
            }
            sink = bytes;
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        System.out.println("sum " + work(Integer.parseInt(args[0])));
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("Vm")) {
                System.out.println(line);
            }
        }
    }
}
