// SPDX-License-Identifier: Apache-2.0

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/**
 * A table of sales in an H2 database in memory, filled once and then kept, and a list of notes beside it. Arguments: how
 * many rows. Prints `ready` when all is there, and ends, still holding it, when its standard input does.
 *
 * With -Dh2.objectCache=false the database keeps each value that it made, so that what a class of values has
 * allocated is what is alive. The values of a column are one object each, and their contents are as the column's:
 * prices are the same in three quarters of the rows, there are ten days and two owners, and no moment comes twice.
 */
public final class Table {
    /** Equal ones hold different strings of the same text. */
    static final class Note {
        final String text;
        final int row;

        Note(String text, int row) {
            this.text = text;
            this.row = row;
        }
    }

    private static void fill(Connection connection, int rows, List<Note> notes) throws SQLException {
        Random random = new Random(1);
        UUID[] owners = {new UUID(1, 2), new UUID(1, 3)};

        try (Statement s = connection.createStatement()) {
            s.execute("CREATE TABLE sale(id INT PRIMARY KEY, price DOUBLE PRECISION, sold DATE, moment TIMESTAMP, "
                + "owner UUID)");
        }
        try (PreparedStatement s = connection.prepareStatement("INSERT INTO sale VALUES(?, ?, ?, ?, ?)")) {
            for (int k = 0; k < rows; k++) {
                s.setInt(1, k);
                s.setDouble(2, random.nextInt(4) > 0 ? 9.99 : k);
                s.setObject(3, LocalDate.ofEpochDay(19_000 + random.nextInt(10)));
                s.setObject(4, LocalDateTime.of(2024, 1, 1, 0, 0).plusSeconds(7L * k));
                s.setObject(5, owners[random.nextInt(10) / 8]);
                s.executeUpdate();
                notes.add(new Note("note " + random.nextInt(3), random.nextInt(2)));
            }
        }
    }

    public static void main(String[] args) throws Exception {
        List<Note> notes = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:")) {
            fill(connection, Integer.parseInt(args[0]), notes);
            System.out.println("ready");
            while (System.in.read() >= 0)
                continue;
            try (Statement s = connection.createStatement(); var r = s.executeQuery("SELECT COUNT(*) FROM sale")) {
                r.next();
                System.out.println(r.getInt(1) + " sales, " + notes.size() + " notes");
            }
        }
    }
}
