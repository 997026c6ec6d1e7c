// SPDX-License-Identifier: Apache-2.0

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Counts the live objects by class, as jcmd GC.class_histogram does. That collects the whole heap,
 * and some collectors do not tell JVMTI agents: objects have moved, or lay in a part of the heap
 * that is no longer mapped.
 */
public final class Inspected {
    static volatile byte[] last;

    private Inspected() {
    }

    private static void garbage(int megabytes) {
        for (int i = 0; i < megabytes * 1000; i++) {
            last = new byte[1000];
        }
    }

    private static void histogram() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("com.sun.management:type=DiagnosticCommand");
        server.invoke(name, "gcClassHistogram", new Object[] {new String[0]},
            new String[] {String[].class.getName()});
    }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        for (int round = 0; round < rounds; round++) {
            List<byte[]> kept = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                kept.add(new byte[1_000_000]);
            }
            System.gc();
            kept.clear();
            garbage(70); // the heap is large, and so is its young generation
            histogram(); // and now it is small
            garbage(40);
        }
        System.out.println("inspected");
    }
}
