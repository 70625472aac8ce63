package org.brigade.topology.xml;

import java.util.Map;

/**
 * Writes elements as NCCL does: two spaces a level, attributes on the element's line, no declaration. {@link XmlReader}
 * reads back an equal element.
 */
public final class XmlWriter {
    private XmlWriter() {
    }

    public static String write(XmlNode root) {
        StringBuilder out = new StringBuilder();
        write(root, 0, out);
        return out.toString();
    }

    private static void write(XmlNode node, int level, StringBuilder out) {
        out.append("  ".repeat(level)).append('<').append(node.name());
        for (Map.Entry<String, String> attribute : node.attributes().entrySet()) {
            out.append(' ').append(attribute.getKey()).append("=\"").append(escaped(attribute.getValue())).append('"');
        }
        if (node.children().isEmpty()) {
            out.append("/>\n");
            return;
        }
        out.append(">\n");
        for (XmlNode child : node.children()) {
            write(child, level + 1, out);
        }
        out.append("  ".repeat(level)).append("</").append(node.name()).append(">\n");
    }

    /** Text as an attribute's value or an element's content. Characters that XML cannot hold become question marks. */
    public static String escaped(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\t', '\n', '\r' -> out.append("&#").append((int) c).append(';'); // else readers turn it into a
                                                                                       // space
                default -> out.append(c < ' ' || c == '\uFFFE' || c == '\uFFFF' || lone(text, i) ? '?' : c);
            }
        }
        return out.toString();
    }

    /** Whether the character is half of a surrogate pair whose other half is missing. */
    private static boolean lone(String text, int at) {
        char c = text.charAt(at);
        if (Character.isHighSurrogate(c)) {
            return at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1));
        }
        return Character.isLowSurrogate(c) && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
    }
}
