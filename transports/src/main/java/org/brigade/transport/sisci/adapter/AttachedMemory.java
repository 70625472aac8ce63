package org.brigade.transport.sisci.adapter;

import java.util.ArrayList;
import java.util.List;
import org.brigade.device.DeviceRange;

/**
 * Device memory that is attached to the adapter (SCIAttachPhysicalMemory), so that its DMA can read it. Whole
 * allocations are attached, rounded to the 64 KiB pages in which GPUs expose their memory. No two attachments may share
 * a page, so of two small allocations in one page the one used last is attached.
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
        private final long device;
        private int uses;

        private Attachment(DeviceRange range, long device, long segment) {
            this.range = range;
            this.base = range.base() & -PAGE;
            this.end = range.base() + range.bytes() + PAGE - 1 & -PAGE;
            this.device = device;
            this.segment = segment;
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
        long base = range.base() & -PAGE;
        long end = range.base() + range.bytes() + PAGE - 1 & -PAGE;
        for (int i = attachments.size() - 1; i >= 0; i--) {
            Attachment each = attachments.get(i);
            if (each.range.id() == range.id() && each.range.base() == range.base()) {
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
        Attachment made = make(range, base, end);
        if (made != null) {
            made.uses++;
            attachments.add(made);
        }
        return made;
    }

    public synchronized void release(Attachment attachment) {
        attachment.uses--;
    }

    /** Why the adapter last refused an allocation; null if it never did. */
    public synchronized String refusal() {
        return refusal;
    }

    private Attachment make(DeviceRange range, long base, long end) {
        long device = 0;
        long segment = 0;
        try {
            device = Sisci.open();
            segment = Sisci.createSegment(device, 0, end - base,
                Sisci.flag("SCI_FLAG_EMPTY") | Sisci.flag("SCI_FLAG_PRIVATE"));
            Sisci.attachDeviceMemory(base, end - base, segment);
            Sisci.prepareSegment(segment, adapter.number, Sisci.flag("SCI_FLAG_DMA_SOURCE_ONLY"));
            return new Attachment(range, device, segment);
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
            Teardown.run(() -> Sisci.removeSegment(segment, 0));
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
