package org.brigade.topology.xml;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An element of a file that consists of elements and attributes only, as topology files do, in the file's order.
 * Immutable. Two nodes are equal if their content is the same in the same order, wherever they were in their files.
 */
public final class XmlNode {
    private final String name;
    private final Map<String, String> attributes;
    private final List<XmlNode> children;
    private final int line;

    /** @param line its line in its file, from 1; 0 if it comes from no file */
    public XmlNode(String name, Map<String, String> attributes, List<XmlNode> children, int line) {
        this.name = name;
        this.attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
        this.children = List.copyOf(children);
        this.line = line;
    }

    public String name() {
        return name;
    }

    /** In the file's order. */
    public Map<String, String> attributes() {
        return attributes;
    }

    /** An attribute's value, or null. */
    public String attribute(String key) {
        return attributes.get(key);
    }

    public List<XmlNode> children() {
        return children;
    }

    /** The children of one name, in order. */
    public List<XmlNode> children(String wanted) {
        List<XmlNode> found = new ArrayList<>();
        for (XmlNode child : children) {
            if (child.name.equals(wanted)) {
                found.add(child);
            }
        }
        return found;
    }

    /** The first child of that name, or null. */
    public XmlNode child(String wanted) {
        for (XmlNode child : children) {
            if (child.name.equals(wanted)) {
                return child;
            }
        }
        return null;
    }

    public int line() {
        return line;
    }

    /** Whether an element with that name is below this one, at any depth. */
    public boolean contains(String wanted) {
        for (XmlNode child : children) {
            if (child.name.equals(wanted) || child.contains(wanted)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof XmlNode node && name.equals(node.name)
            && new ArrayList<>(attributes.entrySet()).equals(new ArrayList<>(node.attributes.entrySet()))
            && children.equals(node.children);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * name.hashCode() + attributes.hashCode()) + children.hashCode();
    }

    /** Its start tag. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("<").append(name);
        attributes.forEach((key, value) -> text.append(' ').append(key).append("=\"").append(value).append('"'));
        return text.append('>').toString();
    }
}
