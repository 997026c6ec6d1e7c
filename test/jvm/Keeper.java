// SPDX-License-Identifier: Apache-2.0

import java.io.File;
import java.util.ArrayList;
import java.util.List;

/**
 * Says "ready", waits until there is the file that the first argument names, then starts the command that the others are, and prints its
 * exit status: a daemon that outlives whoever started it.
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
