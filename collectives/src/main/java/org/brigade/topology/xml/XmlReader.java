package org.brigade.topology.xml;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.brigade.topology.TopologyException;

/**
 * Reads XML from untrusted sources: no document type, so no entities of its own and no access to other files; and never
 * more than {@link XmlLimits} allow. Every error names file, line and cure.
 */
public final class XmlReader {
    private final String source;
    private final XmlLimits limits;
    /** The open elements, outermost last. */
    private final Deque<Open> open = new ArrayDeque<>();
    private int elements;

    private record Open(String name, Map<String, String> attributes, List<XmlNode> children, int line) {
    }

    private XmlReader(String source, XmlLimits limits) {
        this.source = source;
        this.limits = limits;
    }

    /** @throws TopologyException if the file cannot be read or is not such XML */
    public static XmlNode read(Path file, XmlLimits limits) {
        try (InputStream in = Files.newInputStream(file)) {
            return read(in, file.toString(), limits);
        } catch (NoSuchFileException e) {
            throw new TopologyException(file + ": there is no such file; check the path", e);
        } catch (IOException e) {
            throw new TopologyException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * @param source its name in errors
     * @throws TopologyException if it is not such XML
     */
    public static XmlNode read(InputStream in, String source, XmlLimits limits) {
        Bounded bounded = new Bounded(in, limits.bytes());
        XmlReader reader = new XmlReader(source, limits);
        try {
            return reader.root(new BufferedInputStream(bounded));
        } catch (XMLStreamException e) {
            if (bounded.exceeded) {
                throw new TopologyException(
                    source + ": longer than " + limits.bytes() + " bytes, which no topology is; give the right file",
                    e);
            }
            if (e.getNestedException() instanceof IOException io) {
                throw new TopologyException(source + ": cannot be read: " + io.getMessage() + "; give the right file",
                    e);
            }
            throw reader.wrong(e.getLocation() == null ? 0 : e.getLocation().getLineNumber(),
                "not well-formed XML: " + sentence(e) + "; correct the line, or make the file anew", e);
        }
    }

    private XmlNode root(BufferedInputStream in) throws XMLStreamException {
        // The JDK's own parser by name: the class path must not replace it. Its limits apply beside ours.
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, false);
        factory.setXMLResolver((publicId, systemId, base, namespace) -> {
            throw new XMLStreamException("it refers to " + systemId + ", but nothing outside the file is read");
        });
        // Decoded here, as the parser prints undecodable input to the error stream.
        XMLStreamReader xml =
            factory.createXMLStreamReader(new InputStreamReader(withoutByteOrderMark(in), StandardCharsets.UTF_8));
        XmlNode root = null;
        while (xml.hasNext()) {
            int event = xml.next();
            int line = xml.getLocation().getLineNumber();
            switch (event) {
                case XMLStreamConstants.START_ELEMENT -> start(xml, line);
                case XMLStreamConstants.END_ELEMENT -> root = end();
                case XMLStreamConstants.DTD -> throw wrong(line,
                    "it has a DOCTYPE, which topology files do not need and which can make a reader fetch or expand"
                        + " anything; remove it",
                    null);
                case XMLStreamConstants.ENTITY_REFERENCE ->
                    throw wrong(line, "it uses an entity of its own; write the text instead", null);
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> text(xml.getText(), line);
                default -> {} // comments, processing instructions and white space are ignored
            }
        }
        return root;
    }

    private static InputStream withoutByteOrderMark(BufferedInputStream in) throws XMLStreamException {
        try {
            in.mark(3);
            if (in.read() != 0xef || in.read() != 0xbb || in.read() != 0xbf) {
                in.reset();
            }
            return in;
        } catch (IOException e) {
            throw new XMLStreamException(e);
        }
    }

    private void start(XMLStreamReader xml, int line) {
        String name = xml.getLocalName();
        length(name, "an element's name", line);
        if (++elements > limits.elements()) {
            throw wrong(line, "more than " + limits.elements() + " elements; give the right file", null);
        }
        if (open.size() >= limits.depth()) {
            throw wrong(line, "elements nested more than " + limits.depth() + " deep; give the right file", null);
        }
        if (!open.isEmpty() && open.peek().children.size() >= limits.children()) {
            throw wrong(line, "<" + open.peek().name + "> of line " + open.peek().line + " has more than "
                + limits.children() + " children; remove some", null);
        }
        int count = xml.getAttributeCount();
        if (count > limits.attributes()) {
            throw wrong(line,
                "<" + name + "> has " + count + " attributes, and " + limits.attributes() + " are read; remove some",
                null);
        }
        Map<String, String> attributes = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            length(xml.getAttributeLocalName(i), "an attribute's name", line);
            length(xml.getAttributeValue(i), "the value of " + xml.getAttributeLocalName(i), line);
            attributes.put(xml.getAttributeLocalName(i), xml.getAttributeValue(i));
        }
        open.push(new Open(name, attributes, new ArrayList<>(), line));
    }

    private XmlNode end() {
        Open ended = open.pop();
        XmlNode node = new XmlNode(ended.name, ended.attributes, ended.children, ended.line);
        if (!open.isEmpty()) {
            open.peek().children.add(node);
        }
        return node;
    }

    private void text(String text, int line) {
        if (!text.isBlank()) {
            String shown = text.strip();
            throw wrong(line,
                "text between elements (\"" + (shown.length() > 40 ? shown.substring(0, 40) + "..." : shown)
                    + "\"), where only elements may be; remove it",
                null);
        }
    }

    private void length(String text, String what, int line) {
        if (text.length() > limits.characters()) {
            throw wrong(line,
                what + " has " + text.length() + " characters, and " + limits.characters() + " are read; shorten it",
                null);
        }
    }

    private TopologyException wrong(int line, String what, Throwable cause) {
        return new TopologyException(source + (line > 0 ? " line " + line : "") + ": " + what, cause);
    }

    /** The parser's message on one line, without its position. */
    private static String sentence(XMLStreamException e) {
        String text = e.getMessage() == null ? e.toString() : e.getMessage();
        int message = text.indexOf("\nMessage: ");
        return (message >= 0 ? text.substring(message + 10) : text).replace('\n', ' ').strip();
    }

    /** Throws, instead of ending quietly, when the input is longer than allowed. */
    private static final class Bounded extends FilterInputStream {
        private long left;
        private boolean exceeded;

        Bounded(InputStream in, long most) {
            super(in);
            left = most;
        }

        @Override
        public int read() throws IOException {
            int value = super.read();
            count(value < 0 ? 0 : 1);
            return value;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int read = super.read(target, offset, length);
            count(Math.max(read, 0));
            return read;
        }

        private void count(int bytes) throws IOException {
            left -= bytes;
            if (left < 0) {
                exceeded = true;
                throw new IOException("too long");
            }
        }
    }
}
