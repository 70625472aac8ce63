package org.brigade.topology.xml;

/**
 * Limits of what is read from an XML file before it is refused.
 *
 * @param bytes of the file
 * @param elements in all
 * @param depth of nested elements
 * @param children of one element
 * @param attributes of one element
 * @param characters of a name or an attribute's value
 */
public record XmlLimits(long bytes, int elements, int depth, int children, int attributes, int characters) {
    /** For formats that set no limits of their own. */
    public static final XmlLimits USUAL = new XmlLimits(64L << 20, 1_000_000, 64, 1_000_000, 64, 4096);
}
