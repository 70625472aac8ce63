package mpi.front.objects;

import java.security.Key;
import java.util.Comparator;
import java.util.Set;

/**
 * The classes of the JDK that a rank reads in messages of {@code MPI.OBJECT}: values, collections, enums, comparators
 * and exceptions. What reading them runs is theirs alone. All others are refused: they reach the network (java.net.URL,
 * RMI), load classes (TemplatesImpl, resource bundles), or call methods that the message names (proxies,
 * java.beans.EventHandler, JNDI, listeners).
 */
public final class JdkClasses {
    private static final String XML = "com.sun.org.apache.xerces.internal.jaxp.datatype.";
    private static final Set<String> PACKAGES = Set.of("java.awt.geom", "java.math", "java.text", "java.time",
        "java.time.chrono", "java.time.temporal", "java.time.zone", "java.util", "java.util.concurrent",
        "java.util.concurrent.atomic",
        "java.util.concurrent.locks", "java.util.regex");
    private static final Set<String> CLASSES = Set.of(XML.concat("DurationImpl"),
        XML.concat("DurationImpl$DurationStream"), XML.concat("XMLGregorianCalendarImpl"), "java.awt.AWTKeyStroke",
        "java.awt.BasicStroke", "java.awt.ComponentOrientation", "java.awt.Color", "java.awt.Dimension",
        "java.awt.Font", "java.awt.Insets", "java.awt.Point", "java.awt.Polygon", "java.awt.Rectangle", "java.io.File",
        "java.lang.Boolean", "java.lang.Byte", "java.lang.Character", "java.lang.Class", "java.lang.Double",
        "java.lang.Enum",
        "java.lang.Float", "java.lang.Integer", "java.lang.Long", "java.lang.Number", "java.lang.Object",
        "java.lang.Record", "java.lang.Short", "java.lang.StackTraceElement", "java.lang.String",
        "java.lang.StringBuffer", "java.lang.StringBuilder", "java.lang.invoke.MethodType",
        "java.lang.invoke.SerializedLambda",
        "java.net.Inet4Address", "java.net.Inet6Address", "java.net.InetAddress", "java.net.InetSocketAddress",
        "java.net.SocketAddress", "java.net.URI", "java.security.DrbgParameters$Capability", "java.security.KeyPair",
        "java.security.KeyRep", "java.security.Provider",
        "java.security.SecureRandom", "java.security.SecureRandomSpi", "java.sql.Date", "java.sql.Time",
        "java.sql.Timestamp", "java.util.logging.Level", "javax.crypto.spec.SecretKeySpec",
        "javax.management.ObjectName", "javax.naming.CompositeName", "javax.sql.rowset.serial.SerialBlob",
        "javax.sql.rowset.serial.SerialClob", "javax.swing.KeyStroke",
        "javax.swing.tree.DefaultMutableTreeNode", "javax.swing.tree.TreePath", "javax.xml.namespace.QName",
        "sun.security.provider.AbstractDrbg", "sun.security.provider.DRBG", "sun.security.provider.MoreDrbgParameters",
        "sun.security.provider.NativePRNG", "sun.security.provider.NativePRNG$Blocking",
        "sun.security.provider.NativePRNG$NonBlocking", "sun.security.provider.SecureRandom",
        "sun.security.provider.Sun", "sun.util.BuddhistCalendar", "sun.util.calendar.ZoneInfo");
    /** Calls toString of what it holds while it is read. */
    private static final String TALKATIVE = "javax.management.BadAttributeValueExpException";

    private JdkClasses() {
    }

    /** Whether a class comes with the JDK, or from where only its own classes should be. */
    static boolean hasOne(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null || loader == ClassLoader.getPlatformClassLoader()
            || type.getModule().getLayer() == ModuleLayer.boot() && type.getModule().getName().startsWith("jdk.");
    }

    /** Whether one of the JDK's classes is accepted. Of a lambda this is asked for the class that made it. */
    static boolean accepts(Class<?> type) {
        String pack = type.getPackageName();
        return CLASSES.contains(type.getName()) || PACKAGES.contains(pack) || Enum.class.isAssignableFrom(type)
            || Key.class.isAssignableFrom(type) // each provider has its own
            || Throwable.class.isAssignableFrom(type) && !type.getName().equals(TALKATIVE)
            || Comparator.class.isAssignableFrom(type) && pack.equals("java.lang");
    }
}
