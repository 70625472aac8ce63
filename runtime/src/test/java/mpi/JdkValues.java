package mpi;

import static mpi.CarriedValue.alike;
import static mpi.CarriedValue.equal;
import static mpi.CarriedValue.seen;

import java.awt.Color;
import java.awt.ComponentOrientation;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.Insets;
import java.awt.Point;
import java.awt.Polygon;
import java.awt.Rectangle;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Point2D;
import java.awt.geom.Rectangle2D;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.StandardOpenOption;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.text.ChoiceFormat;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.MessageFormat;
import java.text.NumberFormat;
import java.text.SimpleDateFormat;
import java.time.Clock;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.chrono.IsoChronology;
import java.time.chrono.JapaneseDate;
import java.time.chrono.ThaiBuddhistDate;
import java.time.temporal.ChronoUnit;
import java.time.temporal.ValueRange;
import java.time.temporal.WeekFields;
import java.util.BitSet;
import java.util.Currency;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Random;
import java.util.SimpleTimeZone;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.regex.Pattern;
import javax.crypto.spec.SecretKeySpec;
import javax.management.ObjectName;
import javax.naming.CompositeName;
import javax.sql.rowset.serial.SerialBlob;
import javax.sql.rowset.serial.SerialClob;
import javax.swing.KeyStroke;
import javax.swing.tree.DefaultMutableTreeNode;
import javax.swing.tree.TreePath;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.namespace.QName;

/** Values of the JDK's classes, other than collections. */
final class JdkValues {
    private JdkValues() {
    }

    static List<CarriedValue> numbersAndTexts() {
        Properties properties = new Properties();
        properties.setProperty("key", "value");
        return List.of(equal(null), equal("text"), equal(""), equal("\ud83d\ude80 \0 \ud800"),
            equal("x".repeat(70_000)),
            equal('x'), equal(true), equal((byte) 1), equal((short) 2), equal(3), equal(4L), equal(Float.NaN),
            equal(-0.0), alike(new StringBuilder("built")), alike(new StringBuffer("built")), equal(String.class),
            equal(int[].class), equal(new BigInteger("123456789012345678901")), equal(new BigDecimal("1.250")),
            equal(MathContext.DECIMAL64), equal(RoundingMode.FLOOR), equal(new byte[] {1, 2}),
            equal(new int[][] {{1}, {}, {2, 3}}), equal(new double[2][3][4]), equal(new char[] {'a'}),
            equal(new boolean[] {true}), equal(new Integer[] {1, null}), equal(new Object[] {1, "a", new int[] {2}}),
            equal(new UUID(1, 2)), equal(Locale.forLanguageTag("sr-Latn-RS")), equal(Currency.getInstance("NOK")),
            equal(BitSet.valueOf(new long[] {5, 1L << 62})), equal(properties), equal(new File("/a/b")),
            equal(URI.create("http://a/b?c#d")), equal(new QName("urn:a", "b", "c")), equal(Level.INFO),
            equal(StandardOpenOption.READ), equal(TimeUnit.DAYS), equal(Thread.State.NEW),
            equal(MethodType.methodType(int.class, String.class)));
    }

    static List<CarriedValue> times() {
        Instant then = Instant.ofEpochSecond(1_700_000_000, 123_456_789);
        ZonedDateTime zoned = then.atZone(ZoneId.of("Europe/Oslo"));
        return List.of(equal(then), equal(zoned), equal(zoned.toLocalDate()), equal(zoned.toLocalTime()),
            equal(LocalDate.MIN), equal(LocalTime.NOON), equal(LocalDateTime.MAX), equal(OffsetDateTime.MIN),
            equal(zoned.toOffsetDateTime().toOffsetTime()), equal(Duration.ofNanos(5)), equal(Period.of(1, 2, 3)),
            equal(Year.of(2026)), equal(YearMonth.of(2026, 11)), equal(MonthDay.of(2, 29)), equal(ZoneOffset.MAX),
            equal(ZoneId.of("UTC+3")), equal(DayOfWeek.FRIDAY), equal(ChronoUnit.DECADES), equal(ValueRange.of(1, 5)),
            equal(WeekFields.ISO), equal(IsoChronology.INSTANCE), equal(JapaneseDate.of(2026, 1, 2)),
            equal(ThaiBuddhistDate.now()), equal(Clock.fixed(then, ZoneOffset.UTC)), equal(Clock.systemUTC()),
            equal(new Date(7)), equal(new java.sql.Date(6)), equal(new Time(5)), equal(new Timestamp(4)),
            equal(new GregorianCalendar(2026, 1, 2)), equal(TimeZone.getTimeZone("America/New_York")),
            equal(new SimpleTimeZone(3600_000, "own")));
    }

    static List<CarriedValue> formatsAndPictures() {
        Path2D path = new Path2D.Double(new Rectangle(1, 2, 3, 4));
        return List.of(equal(new SimpleDateFormat("yyyy-MM-dd")), equal(new DecimalFormat("#,##0.00")),
            equal(NumberFormat.getCurrencyInstance(Locale.US)), equal(NumberFormat.getCompactNumberInstance()),
            equal(new MessageFormat("{0} of {1,number}")), equal(new ChoiceFormat("0#none|1#one")),
            equal(DecimalFormatSymbols.getInstance(Locale.FRANCE)),
            seen("Pattern", Pattern.compile("a.*b", Pattern.DOTALL), each -> each.pattern() + each.flags()),
            equal(new Point(3, 4)), equal(new Rectangle(1, 2, 3, 4)), equal(new Dimension(5, 6)),
            equal(new Color(1, 2, 3, 4)), equal(new Insets(1, 2, 3, 4)), equal(new Font("Serif", Font.BOLD, 12)),
            seen("Polygon", new Polygon(new int[] {1, 2}, new int[] {3, 4}, 2), each -> each.xpoints),
            equal(new Point2D.Double(1, 2)), equal(new Point2D.Float(1, 2)), equal(new Rectangle2D.Double(1, 2, 3, 4)),
            equal(new Ellipse2D.Float(1, 2, 3, 4)), seen("Line2D", new Line2D.Double(1, 2, 3, 4), Line2D::getP2),
            equal(AffineTransform.getRotateInstance(1)), seen("Path2D", path, Path2D::getBounds2D),
            equal(KeyStroke.getKeyStroke('a')),
            seen("ComponentOrientation", ComponentOrientation.RIGHT_TO_LEFT, ComponentOrientation::isLeftToRight));
    }

    static List<CarriedValue> addressesAndSecrets() throws Exception {
        byte[] link = {(byte) 0xfe, (byte) 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
        KeyPairGenerator keys = KeyPairGenerator.getInstance("EC");
        keys.initialize(256);
        return List.of(equal(InetAddress.getByAddress("name", new byte[] {10, 1, 2, 3})),
            equal(InetAddress.getByAddress(link)), equal(new InetSocketAddress(InetAddress.getLoopbackAddress(), 80)),
            equal(InetSocketAddress.createUnresolved("nowhere", 5)), equal(new SecretKeySpec(new byte[] {1}, "AES")),
            equal(keys.generateKeyPair().getPublic()),
            seen("KeyPair", keys.generateKeyPair(), each -> each.getPrivate().getAlgorithm() + each.getPublic()),
            seen("SecureRandom", new SecureRandom(), each -> each.generateSeed(7).length),
            seen("seeded Random", new Random(5), Random::nextLong), equal(new ObjectName("a:type=b")),
            equal(new CompositeName("a/b")), equal(new SerialBlob(new byte[] {1, 2})),
            equal(new SerialClob(new char[] {'a'})), equal(DatatypeFactory.newInstance().newDuration("P1DT2H")),
            equal(DatatypeFactory.newInstance().newXMLGregorianCalendar("2026-11-27T10:00:00Z")));
    }

    static List<CarriedValue> trees() {
        DefaultMutableTreeNode node = new DefaultMutableTreeNode("root");
        node.add(new DefaultMutableTreeNode(5));
        return List.of(seen("tree node", node, each -> ((DefaultMutableTreeNode) each.getChildAt(0)).getUserObject()),
            equal(new TreePath(new Object[] {"a", "b"})));
    }

    static List<CarriedValue> throwables() {
        SQLException chain = new SQLException("first", "S1", 5);
        chain.setNextException(new SQLException("second"));
        Exception suppressing = new Exception("outer", new IOException("inner"));
        suppressing.addSuppressed(new IllegalStateException("beside"));
        return List.of(thrown(new IOException("no file", new Error("cause"))), thrown(suppressing),
            thrown(new UncheckedIOException(new IOException("below"))), thrown(new AssertionError("claim")),
            thrown(new NullPointerException()), thrown(new ArrayIndexOutOfBoundsException(5)),
            thrown(new StackOverflowError()), thrown(new CompletionException("late", new InterruptedException())),
            seen("SQLException with the next", chain,
                each -> each.getNextException().getMessage() + each.getSQLState() + each.getErrorCode()),
            thrown(new MPIException(MPI.ERR_RANK, MPI.ERR_RANK, "rank 9")));
    }

    /** All that a stack trace prints of it. */
    static CarriedValue thrown(Throwable thrown) {
        return seen(thrown.getClass().getName(), thrown, each -> {
            java.io.StringWriter text = new java.io.StringWriter();
            each.printStackTrace(new java.io.PrintWriter(text));
            return text.toString();
        });
    }
}
