// SPDX-License-Identifier: Apache-2.0

import java.sql.Timestamp;

/** Has a class of the platform loader make objects, before any collection and after some: the argument is how many. */
public final class Platform {
    static Object sink;

    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        for (int i = 0; i < n; i++) {
            sink = Timestamp.valueOf("2020-01-02 03:04:05");
        }
    }
}
