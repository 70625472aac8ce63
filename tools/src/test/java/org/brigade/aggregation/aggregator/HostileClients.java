package org.brigade.aggregation.aggregator;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.brigade.aggregation.process.AggregatorHandshake;
import org.brigade.aggregation.process.FrameChannel;
import org.brigade.aggregation.process.JoinRequest;
import org.brigade.aggregation.process.MemberGroup;

/** Clients that say anything at all, beside a group of members whose sums must stay right. */
public final class HostileClients {
    private static final int MOST_OPEN = 12;
    private static final int GARBAGE = 3000;

    private final Random random;
    private final List<Socket> open = new ArrayList<>();

    public HostileClients(Random random) {
        this.random = random;
    }

    /** Makes so many attacks on one aggregator; throws if a sum is wrong or the group breaks. */
    public void attack(int times) throws Exception {
        try (Tree tree = new Tree()) {
            MemberGroup[] group = Members.join(tree.address(), 1, 3);
            for (int i = 0; i < times; i++) {
                try {
                    once(tree.address());
                } catch (IOException hungUp) {
                    // as it may
                }
                if (open.size() > MOST_OPEN) {
                    open.remove(random.nextInt(open.size())).close();
                }
                if (i % 4 == 0) {
                    Members.sum(group, i);
                }
            }
            Members.sum(group, times);
            for (Socket each : open) {
                each.close();
            }
        }
    }

    private void once(InetSocketAddress address) throws Exception {
        boolean trusted = random.nextInt(3) > 0;
        Socket socket = trusted ? Members.trusted(address) : new Socket(address.getAddress(), address.getPort());
        open.add(socket);
        OutputStream out = socket.getOutputStream();
        if (!trusted) {
            byte[] hello = AggregatorHandshake.ofClient(Tree.SECRET).first();
            byte[] said = random.nextBoolean() ? hello : garbage();
            if (random.nextBoolean()) {
                said[random.nextInt(said.length)] ^= (byte) (1 + random.nextInt(255));
            }
            out.write(said, 0, random.nextInt(said.length + 1));
        } else {
            for (int frames = random.nextInt(6); frames >= 0; frames--) {
                out.write(frame());
            }
        }
        if (random.nextInt(3) == 0) {
            socket.close();
        }
    }

    private byte[] garbage() {
        byte[] bytes = new byte[1 + random.nextInt(GARBAGE)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** A frame that is right, wrong in one place, or wrong all through. Never of the group that is watched. */
    private byte[] frame() {
        byte kind = (byte) (random.nextInt(12) - 1);
        byte[] payload = random.nextBoolean() ? garbage()
            : new JoinRequest(2 + random.nextInt(20), number(), number(), number(), number()).encoded();
        byte[] frame = random.nextInt(4) == 0 ? Members.frame(FrameChannel.JOIN, payload)
            : ByteBuffer.allocate(16 + payload.length).order(ByteOrder.nativeOrder())
                .putInt(random.nextInt(4) == 0 ? random.nextInt() : payload.length).put(kind)
                .put((byte) random.nextInt(8)).put((byte) random.nextInt(16)).put((byte) 0).putInt(random.nextInt(5))
                .putInt(random.nextInt(3)).put(payload).array();
        return random.nextInt(3) == 0 ? java.util.Arrays.copyOf(frame, random.nextInt(frame.length + 1)) : frame;
    }

    private int number() {
        return switch (random.nextInt(8)) {
            case 0 -> Integer.MAX_VALUE;
            case 1 -> Integer.MIN_VALUE;
            case 2 -> -1;
            default -> random.nextInt(5);
        };
    }
}
