// SPDX-License-Identifier: Apache-2.0

import java.io.File;

/**
 * Asks for garbage collections, and makes little garbage that would cause others.
 *
 *     java Pauses N            N collections
 *     java Pauses N DIR M      N collections; from there on files in DIR tell how far it is: makes `ready`, waits for
 *                              `go`; M collections; makes `done`, waits for `end`
 */
public class Pauses {
    static Object last;

    static void collect(int times) {
        for (int i = 0; i < times; i++) {
            for (int k = 0; k < 5000; k++)
                last = new byte[100];
            System.gc();
        }
    }

    static void await(File file) throws Exception {
        while (!file.exists())
            Thread.sleep(20);
    }

    public static void main(String[] args) throws Exception {
        collect(Integer.parseInt(args[0]));
        if (args.length == 1)
            return;
        new File(args[1], "ready").createNewFile();
        await(new File(args[1], "go"));
        collect(Integer.parseInt(args[2]));
        new File(args[1], "done").createNewFile();
        await(new File(args[1], "end"));
    }
}
