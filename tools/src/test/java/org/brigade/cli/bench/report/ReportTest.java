package org.brigade.cli.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.brigade.cli.bench.versus.BenchRow;
import org.brigade.cli.bench.versus.MeasuredRow;
import org.brigade.cli.bench.versus.Samples;
import org.brigade.cli.shared.Json;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class ReportTest {
    private final BenchReport report = InventedReport.make();

    private static Document parse(String text) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        return factory.newDocumentBuilder().parse(new InputSource(new StringReader(text)));
    }

    private String html() {
        return report.text(Path.of("here.html"));
    }

    @Test
    void thePageIsWellFormedAndHasAChartOfTimeAndOneOfBandwidthForEachOperationWithSizes() throws Exception {
        Document page = parse(html().replaceFirst("<!DOCTYPE html>\n", ""));
        assertEquals(2 * 3, page.getElementsByTagNameNS("http://www.w3.org/2000/svg", "svg").getLength());
        assertEquals(4 + 2, page.getElementsByTagName("table").getLength(), "operations, machine, versions");
    }

    @Test
    void everyFigureOfTheTablesIsOnThePage() throws Exception {
        Document page = parse(html().replaceFirst("<!DOCTYPE html>\n", ""));
        NodeList cells = page.getElementsByTagName("td");
        List<String> words = new ArrayList<>();
        for (int i = 0; i < cells.getLength(); i++) {
            words.add(cells.item(i).getTextContent());
        }
        for (MeasuredRow row : report.rows()) {
            assertTrue(words.contains(HtmlReport.time(row.row().microseconds())), row + " ours");
            for (MeasuredRow.PeerTime peer : row.peers()) {
                assertTrue(words.contains(HtmlReport.time(peer.microseconds())), row + " " + peer.peer());
            }
            assertTrue(words.contains(HtmlReport.time(report.limit(row))), row + " limit");
        }
    }

    @Test
    void thePageNeedsNoNetworkAndNoScript() {
        String page = html().replace("http://www.w3.org/1999/xhtml", "").replace("http://www.w3.org/2000/svg", "");
        assertFalse(Pattern.compile("(?i)https?:|//[a-z]|url\\(|<script|@import|<link|src=").matcher(page).find());
    }

    @Test
    void whatTheUserTypedIsEscaped() {
        assertTrue(html().contains("--vs &quot;a &amp; b &lt;c&gt;&quot;") || html().contains("a &amp; b &lt;c&gt;"));
    }

    @Test
    void onlyTheRowsWhoseRunsDifferAreMarked() {
        assertEquals(1, html().split("class=\"unsteady\"", -1).length - 1);
        assertEquals(1, report.rows().stream().filter(MeasuredRow::isUnsteady).count());
    }

    @Test
    void thePictureIsOneDocumentWithTheMachineBelow() throws Exception {
        String svg = report.text(Path.of("here.svg"));
        assertEquals("svg", parse(svg).getDocumentElement().getLocalName());
        assertTrue(svg.contains("An Invented Processor") && svg.contains("mpich: MPICH 9.9"));
        assertTrue(svg.contains("bcast: time") && svg.contains("stroke-dasharray"));
    }

    @Test
    void jsonHasEverySample() {
        Map<?, ?> json = (Map<?, ?>) Json.read(report.text(Path.of("here.json")));
        List<?> rows = (List<?>) json.get("rows");
        assertEquals(report.rows().size(), rows.size());
        for (int i = 0; i < rows.size(); i++) {
            Map<?, ?> row = (Map<?, ?>) rows.get(i);
            assertEquals(report.rows().get(i).samples().values(), ((Map<?, ?>) row.get("ours")).get("samples"));
            Map<String, Object> peers = new LinkedHashMap<>();
            report.rows().get(i).peers().forEach(peer -> peers.put(peer.peer(), peer.samples().values()));
            peers.forEach((name, samples) -> assertEquals(samples,
                ((Map<?, ?>) ((Map<?, ?>) row.get("peers")).get(name)).get("samples")));
        }
    }

    @Test
    void whatIsFasterThanTheLimitIsMarked() {
        assertFalse(html().contains(">beats the limit<"));
        List<MeasuredRow> rows = new ArrayList<>();
        for (double part : new double[] {0.97, 0.9, 1.1}) {
            double time = part * report.limit().microseconds("bcast", 2, 1 << 20);
            rows.add(new MeasuredRow(new BenchRow("bcast", 2, 1 << 20, "direct", time), Samples.of(time), List.of()));
        }
        BenchReport three = new BenchReport("brigade bench", report.date(), report.versions(), report.machine(),
            report.load(), List.of(), 1, false, rows, report.limit());
        assertEquals(List.of(false, true, false), rows.stream().map(three::beatsLimit).toList());
        assertEquals(2, three.text(Path.of("here.html")).split(">beats the limit<", -1).length);
        List<?> json = (List<?>) ((Map<?, ?>) Json.read(three.text(Path.of("here.json")))).get("rows");
        assertEquals(true, ((Map<?, ?>) json.get(1)).get("beats-limit"));
    }

    @Test
    void coldCallsAreAChartOfTimeAgainstCallNumberForEachOperationAndSize() throws Exception {
        BenchReport cold = InventedReport.cold();
        String html = cold.text(Path.of("here.html"));
        Document page = parse(html.replaceFirst("<!DOCTYPE html>\n", ""));
        assertEquals(2, page.getElementsByTagNameNS("http://www.w3.org/2000/svg", "svg").getLength());
        assertTrue(html.contains("allreduce of 8, cold") && html.contains("call number") && html.contains(">3-10<"));
        assertFalse(html.contains("after a warm-up"));
        String svg = cold.text(Path.of("here.svg"));
        assertTrue(svg.contains("barrier, cold: time") && svg.contains("mpj-express"));
        assertFalse(svg.contains("stroke-dasharray"), "no limit is known");
        List<?> rows = (List<?>) ((Map<?, ?>) Json.read(cold.text(Path.of("here.json")))).get("rows");
        assertEquals("3-10", ((Map<?, ?>) rows.get(2)).get("calls"));
    }

    @Test
    void theEndingDecidesAndOthersAreRefused() {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> BenchReport.check(Path.of("here.pdf")))
            .getMessage().contains("name it .html, .svg or .json"));
    }
}
