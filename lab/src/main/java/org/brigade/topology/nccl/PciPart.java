package org.brigade.topology.nccl;

import java.util.ArrayList;
import java.util.List;
import org.brigade.topology.xml.XmlNode;

/** A {@code pci} element on its way to becoming a component: its kind, and the parts below it. */
final class PciPart {
    enum Kind { SWITCH, GPU, NIC, NTB }

    final XmlNode element;
    final Kind kind;
    final String busId;
    /** Bytes/s of the link upwards. */
    double rate;
    /** Bridges on that link without other parts below them, outermost first. */
    final List<String> bridges = new ArrayList<>();
    List<PciPart> below = new ArrayList<>();

    PciPart(XmlNode element, Kind kind, String busId, double rate) {
        this.element = element;
        this.kind = kind;
        this.busId = busId;
        this.rate = rate;
    }
}
