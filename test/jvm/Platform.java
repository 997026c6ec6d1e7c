// SPDX-License-Identifier: Apache-2.0

import java.io.OutputStream;
import java.io.PrintStream;
import java.sql.Timestamp;
import java.util.spi.ToolProvider;

/**
 * Has a class of the platform loader make objects, before any collection and after some: the argument is how many. And has a
 * module make some that is the JDK's, though the application's loader has it.
 */
public final class Platform {
    static Object sink;

    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        for (int i = 0; i < n; i++) {
            sink = Timestamp.valueOf("2020-01-02 03:04:05");
        }
        ToolProvider jar = ToolProvider.findFirst("jar").get();
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        for (int i = 0; i < n / 500; i++) {
            jar.run(nowhere, nowhere, "--help");
        }
    }
}
