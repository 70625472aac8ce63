package org.brigade.transport.cuda.group;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.brigade.transport.cuda.driver.JCudaFields;

/** What members of a group tell each other when it opens: {@value #BYTES} bytes. */
public final class MemberCard {
    public static final int BYTES = 512;
    private static final int WELL = 1;
    private static final int SHARES = 2;
    private static final int LINKED = 4;
    private static final int PAIRED = 8;
    private static final int WHOLE_LINES = 16;
    private static final int ABOUT = 32;
    private static final int UUID_BYTES = 16;
    private static final int MOST_TEXT = BYTES - 48 - UUID_BYTES - JCudaFields.IPC_HANDLE_BYTES;

    /** Null if everything succeeded so far, else the failure. */
    public String failure;
    public long process;
    public int multiprocessors;
    public byte[] uuid = new byte[UUID_BYTES];
    /** From member 0: where the {@link GroupHostMemory} lies; null if there is none. */
    public String area;
    /** In place of an area: what the member says of its GPU ({@link org.brigade.transport.cuda.driver.GpuSet#card}). */
    public String about;
    /** Whether this member has mapped and page-locked it. */
    public boolean shares;
    /** Whether NVLink leads from this member's GPU to those of all others. */
    public boolean linked;
    /** Whether lines that its GPU stores over these links arrive whole. */
    public boolean wholeLines;
    /** Whether it leads to that of the member whose number differs in the last bit. */
    public boolean paired;
    /**
     * Address, in the member's own process, of the scratch memory or of a window's allocation, and its handle for
     * others.
     */
    public long scratch;
    /** Offset of the window in its allocation. */
    public long windowAt;
    public long windowBytes;
    public final long[] handle = new long[JCudaFields.IPC_HANDLE_BYTES / 8];

    public byte[] write() {
        byte[] block = new byte[BYTES];
        ByteBuffer out = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
        String said = failure != null ? failure : area != null ? area : about != null ? about : "";
        byte[] text = said.getBytes(StandardCharsets.UTF_8);
        text = Arrays.copyOf(text, Math.min(text.length, MOST_TEXT));
        out.putInt((failure == null ? WELL : 0) | (shares ? SHARES : 0) | (linked ? LINKED : 0)
            | (paired ? PAIRED : 0) | (wholeLines ? WHOLE_LINES : 0)
            | (failure == null && area == null && about != null ? ABOUT : 0)).putInt(text.length)
            .putLong(process).putLong(multiprocessors).putLong(scratch).putLong(windowAt).putLong(windowBytes)
            .put(uuid);
        for (long word : handle) {
            out.putLong(word);
        }
        out.put(text);
        return block;
    }

    public static MemberCard read(byte[] block) {
        ByteBuffer in = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
        MemberCard card = new MemberCard();
        int flags = in.getInt();
        boolean well = (flags & WELL) != 0;
        card.shares = (flags & SHARES) != 0;
        card.linked = (flags & LINKED) != 0;
        card.paired = (flags & PAIRED) != 0;
        card.wholeLines = (flags & WHOLE_LINES) != 0;
        byte[] text = new byte[in.getInt()];
        card.process = in.getLong();
        card.multiprocessors = (int) in.getLong();
        card.scratch = in.getLong();
        card.windowAt = in.getLong();
        card.windowBytes = in.getLong();
        in.get(card.uuid);
        for (int i = 0; i < card.handle.length; i++) {
            card.handle[i] = in.getLong();
        }
        in.get(text);
        String said = new String(text, StandardCharsets.UTF_8);
        card.failure = well ? null : said;
        card.about = (flags & ABOUT) != 0 ? said : null;
        card.area = well && card.about == null && !said.isEmpty() ? said : null;
        return card;
    }
}
