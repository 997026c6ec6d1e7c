// SPDX-License-Identifier: Apache-2.0

import java.io.File;
import java.util.ArrayList;
import java.util.List;

/**
 * Prints "ready", waits for the file that the first argument names, then starts the command in the
 * other arguments and prints its exit status: like a daemon that outlives its starter.
 */
public final class Keeper {
    private Keeper() {
    }

    public static void main(String[] args) throws Exception {
        List<String> command = new ArrayList<>(List.of(args));
        File file = new File(command.remove(0));
        System.out.println("ready");
        while (!file.exists()) {
            Thread.sleep(20);
        }
        Process child = new ProcessBuilder(command).inheritIO().start();
        System.out.println("started a JVM: " + child.waitFor());
    }
}
