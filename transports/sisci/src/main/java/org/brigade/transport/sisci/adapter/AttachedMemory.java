package org.brigade.transport.sisci.adapter;

import java.util.ArrayList;
import java.util.List;
import org.brigade.device.DeviceRange;

/**
 * Device memory that is attached to the adapter (SCIAttachPhysicalMemory), so that its DMA can read it, and that of
 * peers can write it. Whole allocations are attached, rounded to the 64 KiB pages in which GPUs expose their memory. No
 * two attachments may share a page, so of two small allocations in one page the one used last is attached.
 */
public final class AttachedMemory {
    public static final long PAGE = 64 << 10;
    private static final int MOST = 64;

    /** One allocation. */
    public static final class Attachment {
        public final DeviceRange range;
        public final long base;
        final long end;
        public final long segment;
        /** By which peers know it; 0 if they must not write it. */
        public final int id;
        private final long device;
        private int uses;

        private Attachment(DeviceRange range, long device, long segment, int id) {
            this.range = range;
            this.base = range.base() & -PAGE;
            this.end = range.base() + range.bytes() + PAGE - 1 & -PAGE;
            this.device = device;
            this.segment = segment;
            this.id = id;
        }

        public boolean contains(long address, long bytes) {
            return address >= range.base() && address + bytes <= range.base() + range.bytes();
        }
    }

    private final Adapter adapter;
    /** In the order of their last use. */
    private final List<Attachment> attachments = new ArrayList<>();
    private String refusal;

    public AttachedMemory(Adapter adapter) {
        this.adapter = adapter;
    }

    /**
     * An allocation's attachment, which the caller must {@link #release}; null if the adapter does not accept it, or
     * another attachment in use shares a page with it.
     */
    public synchronized Attachment attach(DeviceRange range) {
        return attach(range, false);
    }

    /** As above, for peers to write if {@code written}. */
    public synchronized Attachment attach(DeviceRange range, boolean written) {
        long base = range.base() & -PAGE;
        long end = range.base() + range.bytes() + PAGE - 1 & -PAGE;
        for (int i = attachments.size() - 1; i >= 0; i--) {
            Attachment each = attachments.get(i);
            if (each.range.id() == range.id() && each.range.base() == range.base() && (each.id != 0 || !written)) {
                attachments.remove(i);
                attachments.add(each);
                each.uses++;
                return each;
            }
            if (each.base < end && base < each.end && !detach(i)) {
                return null;
            }
        }
        for (int i = 0; i < attachments.size() && attachments.size() >= MOST; i++) {
            detach(i);
        }
        Attachment made = make(range, base, end, written);
        if (made != null) {
            made.uses++;
            attachments.add(made);
        }
        return made;
    }

    public synchronized void release(Attachment attachment) {
        attachment.uses--;
    }

    /** Ends an attachment at once: when this returns, no peer writes there. */
    public synchronized void withdraw(Attachment attachment) {
        attachments.remove(attachment);
        Teardown.run(() -> Sisci.setUnavailable(attachment.segment, adapter.number));
        remove(attachment.segment, attachment.device);
    }

    /** Why the adapter last refused an allocation; null if it never did. */
    public synchronized String refusal() {
        return refusal;
    }

    private Attachment make(DeviceRange range, long base, long end, boolean written) {
        long device = 0;
        long segment = 0;
        int[] id = new int[1];
        try {
            device = Sisci.open();
            int empty = Sisci.flag("SCI_FLAG_EMPTY");
            segment = written ? adapter.createSegment(device, end - base, empty, id)
                : Sisci.createSegment(device, 0, end - base, empty | Sisci.flag("SCI_FLAG_PRIVATE"));
            Sisci.attachDeviceMemory(base, end - base, segment);
            Sisci.prepareSegment(segment, adapter.number, written ? 0 : Sisci.flag("SCI_FLAG_DMA_SOURCE_ONLY"));
            if (written) {
                Sisci.setAvailable(segment, adapter.number);
            }
            return new Attachment(range, device, segment, id[0]);
        } catch (SisciException e) {
            refusal = e.getMessage();
            remove(segment, device);
            return null;
        }
    }

    private boolean detach(int index) {
        Attachment attachment = attachments.get(index);
        if (attachment.uses > 0) {
            return false;
        }
        attachments.remove(index);
        remove(attachment.segment, attachment.device);
        return true;
    }

    private static void remove(long segment, long device) {
        if (segment != 0) {
            Teardown.run(() -> Sisci.removeSegment(segment, Sisci.flag("SCI_FLAG_FORCE_REMOVE")));
        }
        if (device != 0) {
            Teardown.run(() -> Sisci.close(device));
        }
    }

    public synchronized void close() {
        for (Attachment attachment : attachments) {
            remove(attachment.segment, attachment.device);
        }
        attachments.clear();
    }
}
