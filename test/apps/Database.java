// SPDX-License-Identifier: Apache-2.0

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;

/**
 * An order book in an H2 database in memory: inserts, look-ups by index, updates, reports with joins
 * and groups. Arguments: how many rounds. Prints a checksum of what the queries returned.
 */
public final class Database {
    private static final int CUSTOMERS = 2_000;
    private static final int ORDERS_PER_ROUND = 2_000;
    private static final String[] STATES = {"new", "paid", "sent", "returned"};

    private final Connection connection;
    private final Random random = new Random(1);
    private long checksum;
    private int orders;

    private Database(Connection connection) {
        this.connection = connection;
    }

    private void create() throws SQLException {
        try (Statement s = connection.createStatement()) {
            s.execute("CREATE TABLE customer(id INT PRIMARY KEY, name VARCHAR(40), city VARCHAR(20))");
            s.execute("CREATE TABLE purchase(id INT PRIMARY KEY, customer INT, state VARCHAR(10), "
                + "amount DECIMAL(10, 2), bought DATE)");
            s.execute("CREATE INDEX purchase_customer ON purchase(customer)");
        }
        try (PreparedStatement s = connection.prepareStatement("INSERT INTO customer VALUES(?, ?, ?)")) {
            for (int k = 0; k < CUSTOMERS; k++) {
                s.setInt(1, k);
                s.setString(2, "customer " + k);
                s.setString(3, "city " + k % 50);
                s.addBatch();
            }
            s.executeBatch();
        }
    }

    private void insert() throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(
                "INSERT INTO purchase VALUES(?, ?, ?, ?, DATEADD(DAY, ?, DATE '2024-01-01'))")) {
            for (int k = 0; k < ORDERS_PER_ROUND; k++) {
                s.setInt(1, orders++);
                s.setInt(2, random.nextInt(CUSTOMERS));
                s.setString(3, STATES[0]);
                s.setBigDecimal(4, java.math.BigDecimal.valueOf(random.nextInt(100_000), 2));
                s.setInt(5, random.nextInt(365));
                s.executeUpdate();
            }
        }
    }

    private void change() throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("UPDATE purchase SET state = ? WHERE id = ?")) {
            for (int k = 0; k < ORDERS_PER_ROUND; k++) {
                s.setString(1, STATES[random.nextInt(STATES.length)]);
                s.setInt(2, random.nextInt(orders));
                checksum = checksum * 31 + s.executeUpdate();
            }
        }
    }

    private void query() throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(
                "SELECT c.name, p.state, p.amount FROM customer c JOIN purchase p ON p.customer = c.id "
                + "WHERE c.id = ? ORDER BY p.id")) {
            for (int k = 0; k < ORDERS_PER_ROUND; k++) {
                s.setInt(1, random.nextInt(CUSTOMERS));
                add(s.executeQuery(), 3);
            }
        }
        try (Statement s = connection.createStatement()) {
            add(s.executeQuery("SELECT c.city, p.state, COUNT(*), SUM(p.amount) FROM customer c JOIN purchase p "
                + "ON p.customer = c.id GROUP BY c.city, p.state ORDER BY c.city, p.state"), 4);
        }
    }

    private void add(ResultSet rows, int columns) throws SQLException {
        while (rows.next()) {
            for (int c = 1; c <= columns; c++) {
                checksum = checksum * 31 + rows.getString(c).hashCode();
            }
        }
        rows.close();
    }

    public static void main(String[] args) throws SQLException {
        int rounds = Integer.parseInt(args[0]);
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:")) {
            Database database = new Database(connection);
            database.create();
            for (int round = 0; round < rounds; round++) {
                database.insert();
                database.change();
                database.query();
            }
            System.out.printf("%d orders, checksum %016x%n", database.orders, database.checksum);
        }
    }
}
