package org.brigade.topology.xml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.brigade.topology.TopologyException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is hostile or malformed ends in one sentence with file, line and cure, and in little memory. */
class XmlReaderTest {
    private static final XmlLimits SMALL = new XmlLimits(1 << 20, 1000, 16, 100, 16, 253);

    private static XmlNode read(String text) {
        return XmlReader.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "t.xml", SMALL);
    }

    private static String refused(String text) {
        return assertThrows(TopologyException.class, () -> read(text),
            () -> text.substring(0, Math.min(200, text.length()))).getMessage();
    }

    private static void refused(String text, String... parts) {
        String message = refused(text);
        for (String part : parts) {
            assertTrue(message.contains(part), "\"" + part + "\" is not in: " + message);
        }
    }

    @Test
    void elementsAndAttributesKeepTheirOrderAndLines() {
        XmlNode root =
            read("<?xml version=\"1.0\"?>\n<!-- c -->\n<a z='1' b=\"&lt;2&gt;\">\n  <c/>\n  <d x=\"\"/>\n</a>\n");
        assertEquals(List.of("z", "b"), List.copyOf(root.attributes().keySet()));
        assertEquals("<2>", root.attribute("b"));
        assertEquals(List.of(3, 4, 5),
            List.of(root.line(), root.children().get(0).line(), root.children().get(1).line()));
        assertEquals("", root.child("d").attribute("x"));
    }

    @Test
    void aBillionLaughsAreNotLaughed() {
        StringBuilder text = new StringBuilder("<?xml version=\"1.0\"?>\n<!DOCTYPE lolz [\n<!ENTITY lol0 \"lol\">\n");
        for (int level = 1; level < 10; level++) {
            text.append("<!ENTITY lol").append(level).append(" \"").append(("&lol" + (level - 1) + ";").repeat(10))
                .append("\">\n");
        }
        refused(text + "]>\n<system version=\"&lol9;\"/>", "t.xml line ", "DOCTYPE", "remove it");
        refused(text + "]>\n<system>&lol9;</system>", "t.xml line ", "DOCTYPE");
    }

    @Test
    void noOtherFileIsRead(@TempDir Path folder) throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "swordfish");
        String url = secret.toUri().toString();
        refused("<!DOCTYPE a [<!ENTITY e SYSTEM \"" + url + "\">]><a b=\"&e;\"/>", "DOCTYPE");
        refused("<!DOCTYPE a [<!ENTITY e SYSTEM \"" + url + "\">]><a>&e;</a>", "DOCTYPE");
        refused("<!DOCTYPE a SYSTEM \"" + url + "\"><a/>", "DOCTYPE");
        refused("<!DOCTYPE a [<!ENTITY % e SYSTEM \"" + url + "\"> %e;]><a/>", "DOCTYPE");
        assertTrue(!refused("<a>&e;</a>").contains("swordfish"));
    }

    @Test
    void nestingEnds() {
        refused("<a>\n".repeat(100_000), "t.xml line 17", "nested more than 16 deep");
        assertEquals("a", read("<a>".repeat(16) + "</a>".repeat(16)).name());
    }

    @Test
    void megabytesEnd() {
        refused("<a b=\"" + "x".repeat(900_000) + "\"/>", "t.xml line 1", "900000 characters", "253");
        refused("<a b=\"" + "x".repeat(3_000_000) + "\"/>", "t.xml", "longer than 1048576 bytes");
        StringBuilder many = new StringBuilder("<a");
        for (int i = 0; i < 17; i++) {
            many.append(" a").append(i).append("=\"\"");
        }
        refused(many + "/>", "<a> has 17 attributes, and 16 are read");
        refused("<a>" + "<b/>".repeat(101) + "</a>", "more than 100 children");
        refused("<a>" + ("<b>" + "<c/>".repeat(50) + "</b>").repeat(50) + "</a>", "more than 1000 elements");
    }

    @Test
    void anEndlessFileIsNotReadToItsEnd() {
        InputStream endless = new InputStream() {
            private long at;

            @Override
            public int read() {
                return at++ < 3 ? "<a>".charAt((int) at - 1) : ' ';
            }
        };
        assertTrue(assertThrows(TopologyException.class, () -> XmlReader.read(endless, "endless", SMALL)).getMessage()
            .contains("longer than"));
    }

    @Test
    void whatIsNotXmlSaysWhere() {
        refused("<a>\n<b>\n</a>", "t.xml line 3", "not well-formed", "correct the line");
        refused("<a x=1/>", "t.xml line 1", "not well-formed");
        refused("<a b=\"1\" b=\"2\"/>", "t.xml line 1");
        refused("", "t.xml", "not well-formed");
        refused("\u0000\u0001", "t.xml");
        refused("<a/><b/>", "t.xml line 1");
        refused("<a>\n  word\n</a>", "line", "text between elements (\"word\")", "remove it");
    }

    @Test
    void bytesThatAreNoTextAreOneErrorAndNothingElseIsPrinted() {
        PrintStream err = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setErr(new PrintStream(printed));
        try {
            byte[] noise = {(byte) 0xe5, 0x28, (byte) 0xff, 0x3c, (byte) 0x80};
            String message = assertThrows(TopologyException.class,
                () -> XmlReader.read(new ByteArrayInputStream(noise), "noise.xml", SMALL)).getMessage();
            assertTrue(message.startsWith("noise.xml line 1: not well-formed XML"), message);
        } finally {
            System.setErr(err);
        }
        assertEquals("", printed.toString());
    }

    @Test
    void aByteOrderMarkIsPassedOver() {
        byte[] marked = "\ufeff<?xml version=\"1.0\" encoding=\"UTF-8\"?><a/>".getBytes(StandardCharsets.UTF_8);
        assertEquals("a", XmlReader.read(new ByteArrayInputStream(marked), "marked.xml", SMALL).name());
    }

    @Test
    void aFileThatIsNotThereIsNamed(@TempDir Path folder) {
        Path missing = folder.resolve("none.xml");
        assertEquals(missing + ": there is no such file; check the path",
            assertThrows(TopologyException.class, () -> XmlReader.read(missing, SMALL)).getMessage());
        assertTrue(assertThrows(TopologyException.class, () -> XmlReader.read(folder, SMALL)).getMessage()
            .startsWith(folder + ": cannot be read: "));
    }

    @Property(tries = 300)
    void anyValueComesBackAsItWasWritten(@ForAll String value, @ForAll String other) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("b", value);
        attributes.put("a", other);
        XmlNode node = new XmlNode("n", attributes, List.of(new XmlNode("m", Map.of(), List.of(), 0)), 0);
        String written = XmlWriter.write(node);
        XmlNode back = XmlReader.read(new ByteArrayInputStream(written.getBytes(StandardCharsets.UTF_8)), "t.xml",
            XmlLimits.USUAL);
        assertEquals(written, XmlWriter.write(back));
        if (representable(value) && representable(other)) {
            assertEquals(node, back);
        }
    }

    private static boolean representable(String text) {
        return text.codePoints().allMatch(c -> c == '\t' || c == '\n' || c == '\r'
            || c >= ' ' && c != 0xFFFE && c != 0xFFFF && !(c >= 0xD800 && c <= 0xDFFF));
    }

    @Test
    void orderAndContentMakeTheDifferenceBetweenNodesAndLinesDoNot() {
        assertEquals(read("<a x='1' y='2'/>"), read("\n\n<a x='1' y='2'/>"));
        assertTrue(!read("<a x='1' y='2'/>").equals(read("<a y='2' x='1'/>")));
        assertTrue(!read("<a><b/><c/></a>").equals(read("<a><c/><b/></a>")));
    }
}
