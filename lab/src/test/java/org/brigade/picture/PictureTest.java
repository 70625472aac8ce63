package org.brigade.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class PictureTest {
    private static Document parse(String text) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(text)));
    }

    @Test
    void namesCannotBreakOutOfThePicture() throws Exception {
        String hostile = "</text><script>alert('1')</script>&\"\u0001";
        String text = new Svg(100, 100).text(1, 2, 10, Svg.Anchor.START, "#000", hostile)
            .rectangle(0, 0, 1, 1, "none", "none", hostile).toString();
        Document document = parse(text);
        assertEquals(0, document.getElementsByTagName("script").getLength());
        assertEquals("</text><script>alert('1')</script>&\"?",
            document.getElementsByTagName("text").item(0).getTextContent());
    }

    /** A page has rules of its own for the pictures in it. */
    @Test
    void aDocumentFollowsTheReadersChoiceOfDarkAndAnElementDoesNot() throws Exception {
        Svg svg = new Svg(100, 100);
        assertTrue(parse(svg.toString()).getElementsByTagName("style").item(0).getTextContent()
            .contains("prefers-color-scheme: dark"));
        assertEquals(0, parse(svg.element()).getElementsByTagName("style").getLength());
    }

    @Test
    void numbersHaveAtMostTwoDecimals() {
        assertEquals("1", Svg.number(1));
        assertEquals("-0.5", Svg.number(-0.5));
        assertEquals("2.05", Svg.number(2.0499999));
        assertEquals("0", Svg.number(-0.001));
        assertEquals("1234567.89", Svg.number(1234567.891));
    }

    @Test
    void aCurvePassesThroughItsPoints() throws Exception {
        Svg svg = new Svg(400, 300);
        new LineChart("t", "x", true, "y", false).curve("a", new double[] {1, 10, 100}, new double[] {0, 5, 10})
            .band(4, 6, 1, 100).draw(svg, 400, 300);
        String points = parse(svg.toString()).getElementsByTagName("polyline").item(0).getAttributes()
            .getNamedItem("points").getNodeValue();
        assertEquals("66,254 225,147 384,40", points);
    }

    @Test
    void aHeatMapFramesWhatWasExpected() {
        Svg svg = new Svg(400, 300);
        new HeatMap("t", "x", new String[] {"a", "b"}, "y", new String[] {"c"}, new double[][] {{1.0, 1.5}}, 1.4, 1.6)
            .draw(svg, 400, 300);
        String text = svg.toString();
        assertEquals(1, text.split("stroke='#d55e00'", -1).length - 1);
        assertTrue(text.contains(">1.50<"));
        assertFalse(text.contains("NaN"));
    }

    @Test
    void axesAreLabelledInUnits() {
        assertEquals("1.5M", LineChart.label(1.5e6));
        assertEquals("20", LineChart.label(20));
        assertEquals("-3k", LineChart.label(-3000));
        assertEquals("0.5", LineChart.label(0.5));
    }
}
