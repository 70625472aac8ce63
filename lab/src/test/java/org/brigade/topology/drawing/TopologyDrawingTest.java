package org.brigade.topology.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.brigade.topology.machine.Machines;
import org.brigade.topology.model.Component;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.LinkKind;
import org.brigade.topology.model.Topology;
import org.brigade.topology.nccl.NcclTopology;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Pictures as XML: what is in them, and that boxes do not lie on each other. */
class TopologyDrawingTest {
    private record Rectangle(double x, double y, double width, double height, String tip) {
        boolean contains(Rectangle other) {
            return x <= other.x && y <= other.y && x + width >= other.x + other.width
                && y + height >= other.y + other.height;
        }

        boolean apart(Rectangle other) {
            return x + width <= other.x || other.x + other.width <= x || y + height <= other.y
                || other.y + other.height <= y;
        }
    }

    private static Topology file(String name) {
        return NcclTopology.read(NcclTopology.class.getResourceAsStream(name), name).topology();
    }

    private static Document picture(Topology topology) {
        String svg = TopologyDrawing.svg(topology);
        assertEquals(svg, TopologyDrawing.svg(topology), "the same topology, another picture");
        try {
            Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
            assertEquals("svg", document.getDocumentElement().getTagName());
            assertFalse(svg.contains("href") || svg.contains("url("), "it refers to something outside");
            return document;
        } catch (Exception e) {
            throw new AssertionError("not well-formed:\n" + svg, e);
        }
    }

    private static List<Rectangle> rectangles(Document picture) {
        List<Rectangle> found = new ArrayList<>();
        NodeList all = picture.getElementsByTagName("rect");
        for (int i = 0; i < all.getLength(); i++) {
            Element element = (Element) all.item(i);
            if (!element.getAttribute("x").isEmpty()) {
                found.add(new Rectangle(number(element, "x"), number(element, "y"), number(element, "width"),
                    number(element, "height"), element.getTextContent()));
            }
        }
        return found;
    }

    private static double number(Element element, String attribute) {
        return Double.parseDouble(element.getAttribute(attribute));
    }

    private static List<String> texts(Document picture) {
        List<String> found = new ArrayList<>();
        NodeList all = picture.getElementsByTagName("text");
        for (int i = 0; i < all.getLength(); i++) {
            found.add(all.item(i).getTextContent());
        }
        return found;
    }

    private static void checkLayout(Topology topology) {
        Document picture = picture(topology);
        List<Rectangle> rectangles = rectangles(picture);
        Element svg = picture.getDocumentElement();
        Rectangle page = new Rectangle(0, 0, number(svg, "width"), number(svg, "height"), "page");
        for (Rectangle a : rectangles) {
            assertTrue(page.contains(a), () -> topology.name() + ": " + a + " is not on the " + page);
            for (Rectangle b : rectangles) {
                assertTrue(a == b || a.apart(b) || a.contains(b) || b.contains(a),
                    () -> topology.name() + ": " + a + " and " + b + " overlap");
            }
        }
    }

    @Test
    void boxesLieInOrBesideEachOtherOnThePage() {
        for (String name : new String[] {"k2200-dolphin.xml", "stub-8gpu.xml", "dump-8h100.xml", "ac922.xml",
            "rccl-4gpu.xml"}) {
            checkLayout(file(name));
        }
        for (String name : Machines.names()) {
            checkLayout(Machines.find(name).topology());
        }
    }

    /** By the widths of letters that the drawing assumes: each text of a box ends before the box does. */
    @Test
    void noTextIsCut() {
        for (String name : Machines.names()) {
            Topology topology = Machines.find(name).topology();
            assertFalse(TopologyDrawing.svg(topology).contains("\u2026"), name);
        }
    }

    @Test
    void everyDeviceHasABoxWithinItsSwitchAndItsRate() {
        Topology topology = file("dump-8h100.xml");
        Document picture = picture(topology);
        List<Rectangle> rectangles = rectangles(picture);
        assertEquals(2 + 8 + 8 + 8 + 1, rectangles.size());
        for (int i = 0; i < 8; i++) {
            Rectangle pci = starting(rectangles, "node0/pci" + i + " ");
            assertTrue(pci.contains(starting(rectangles, "node0/gpu" + i + " "))
                && pci.contains(starting(rectangles, "node0/nic" + i + " ")));
            assertTrue(starting(rectangles, "node0/cpu" + i / 4 + " ").contains(pci));
        }
        List<String> texts = texts(picture);
        assertEquals(24, texts.stream().filter("48 GB/s"::equals).count());
        assertTrue(texts.contains("22 GB/s") && texts.contains("nvswitch0: 371 GB/s to each GPU")
            && texts.contains("400 Gbit/s"), texts.toString());
    }

    private static Rectangle starting(List<Rectangle> rectangles, String tip) {
        return rectangles.stream().filter(rectangle -> rectangle.tip.startsWith(tip)).findFirst()
            .orElseThrow(() -> new AssertionError("no box " + tip));
    }

    @Test
    void everyNvLinkBetweenGpusHasALineOfItsOwnWithItsRate() {
        List<String> texts = texts(picture(file("rccl-4gpu.xml")));
        assertEquals(2, texts.stream().filter("72 GB/s"::equals).count());
        assertEquals(4, texts.stream().filter("36 GB/s"::equals).count());
    }

    @Test
    void eightGpusThatAreAllLinkedAreOneBarUnlessOneLinkDiffers() {
        for (boolean alike : new boolean[] {true, false}) {
            Topology.Builder builder = new Topology.Builder("t");
            Component cpu = builder.add(ComponentKind.CPU, 0, "cpu0");
            List<Component> gpus = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                gpus.add(builder.add(ComponentKind.GPU, 0, "gpu" + i));
                builder.link(LinkKind.PCI, cpu, gpus.get(i), 24e9, 0);
                for (int j = 0; j < i; j++) {
                    builder.link(LinkKind.NVLINK, gpus.get(j), gpus.get(i), alike || i < 7 || j < 6 ? 48e9 : 96e9, 0);
                }
            }
            List<String> texts = texts(picture(builder.build()));
            assertEquals(alike, texts.contains("direct links between every pair: 48 GB/s"), texts.toString());
            assertEquals(alike ? 0 : 27, texts.stream().filter("48 GB/s"::equals).count());
        }
    }

    @Test
    void nodesThatAreAlikeAreDrawnOnce() {
        Topology.Builder builder = new Topology.Builder("cluster");
        Component spine = builder.add(ComponentKind.SWITCH, Component.NETWORK, "spine0");
        for (int node = 0; node < 10_000; node++) {
            Component core = builder.add(ComponentKind.CPU, node, "cpu0");
            Component nic = builder.add(ComponentKind.NIC, node, "nic0");
            builder.link(LinkKind.PCI, core, nic, node == 17 ? 6e9 : 12e9, 0);
            builder.link(LinkKind.NETWORK, nic, spine, 12.5e9, 0);
        }
        List<String> texts = texts(picture(builder.build()));
        assertTrue(texts.contains("node0 and 9998 alike") && texts.contains("node17"), texts.toString());
        assertTrue(texts.contains("net 12.5 GB/s") && texts.contains("network: spine"), texts.toString());
        assertTrue(texts.size() < 30, texts.size() + " texts");
    }

    @Test
    void whatAFileCallsThingsCannotBreakOutOfThePicture() {
        Topology.Builder builder = new Topology.Builder("<script>alert(1)</script> & \"more\"");
        Component cpu = builder.add(ComponentKind.CPU, 0, "cpu0", Map.of("x", "]]></title><script/>"));
        builder.link(LinkKind.PCI, cpu, builder.add(ComponentKind.NIC, 0, "nic<b>", Map.of("name", "\u0001&<>'\"")),
            1e9, 0);
        Document picture = picture(builder.build());
        assertEquals(0, picture.getElementsByTagName("script").getLength());
        assertTrue(texts(picture).contains("nic<b>"), texts(picture).toString());
    }

    @Test
    void ratesHaveThreeDigitsAndBothWaysIfTheyDiffer() {
        assertEquals(List.of("371", "20.6", "12", "1.5", "0.75", "100", "5000"),
            List.of(370.8e9, 20.6e9, 12e9, 1.5e9, 0.75e9, 99.96e9, 5000e9).stream().map(RateLabel::gigabytes).toList());
        Topology.Builder builder = new Topology.Builder("t");
        Component a = builder.add(ComponentKind.CPU, 0, "a");
        Component b = builder.add(ComponentKind.CPU, 0, "b");
        assertEquals("12 / 6 GB/s", RateLabel.of(builder.link(LinkKind.CPU, a, b, 12e9, 6e9, false, 0), a.id()));
        assertEquals("6 / 12 GB/s", RateLabel.of(builder.link(LinkKind.CPU, a, b, 12e9, 6e9, false, 0), b.id()));
        assertEquals("6 GB/s shared", RateLabel.of(builder.link(LinkKind.CPU, a, b, 6e9, 6e9, true, 0), b.id()));
    }

    @Test
    void anEmptyTopologyIsAPictureToo() {
        picture(new Topology.Builder("nothing").build());
    }
}
