package org.brigade.transport.sisci;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Map;
import org.brigade.memory.Region;
import org.brigade.process.TestJava;
import org.brigade.transport.Endpoint;
import org.brigade.transport.Link;
import org.brigade.transport.sisci.adapter.Adapter;
import org.brigade.transport.sisci.adapter.SisciLibrary;
import org.brigade.transport.sisci.adapter.SisciSettings;
import org.brigade.transport.sisci.adapter.Teardown;

/**
 * Rank 1 on a node of its own, a process that sends every message back; and the handle by which rank 0, in the test's
 * process, has it run.
 */
final class EchoPeer implements AutoCloseable {
    static final int NODE = 8;
    static final long JOB = 4711;
    /** Messages from so many bytes on are received outside the heap, and go there straight. */
    static final int RENDEZVOUS = 256 << 10;

    final Process process;
    private final BufferedReader said;

    private EchoPeer(Process process) {
        this.process = process;
        said = process.inputReader();
    }

    /** Begins one on the fabric of this process, with the same mode and faults. */
    static EchoPeer start(String mode, String fault, int ringBytes) throws IOException {
        return start(mode, fault, ringBytes, 48 << 10);
    }

    /** As above, with messages from so many bytes on by DMA. */
    static EchoPeer start(String mode, String fault, int ringBytes, long crossover) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
            TestJava.command(EchoPeer.class.getName(), Integer.toString(ringBytes), Long.toString(crossover)));
        Map<String, String> environment = builder.environment();
        environment.put("BRIGADE_SISCI", "emulated");
        environment.put("BRIGADE_SISCI_NODE", Integer.toString(NODE));
        environment.put("BRIGADE_SISCI_FABRIC", Emulated.FABRIC);
        environment.put("BRIGADE_SISCI_MODE", mode == null ? "" : mode);
        environment.put("BRIGADE_SISCI_FAULT", fault == null ? "" : fault);
        return new EchoPeer(builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    /** Rank 0, connected to the peer. */
    SisciEnd connect(SisciSettings settings) throws IOException {
        SisciEnd end = SisciEnd.listen(Adapter.open(settings), 0, JOB);
        String line = said.readLine();
        if (line == null) {
            throw new AssertionError("the peer ended with " + process.exitValue());
        }
        byte[] mine = end.address();
        process.outputWriter().write(HexFormat.of().formatHex(mine) + "\n");
        process.outputWriter().flush();
        end.begin(new byte[][] {mine, HexFormat.of().parseHex(line)});
        end.connection(1).want();
        long begin = System.nanoTime();
        while (!end.isConnected(1)) {
            if (end.lost(1) != null || System.nanoTime() - begin > 120_000_000_000L) {
                throw new AssertionError("the peer was never connected: " + end.lost(1));
            }
            Teardown.nap(100_000);
        }
        return end;
    }

    /** Has it end in order. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(10, java.util.concurrent.TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
                throw new AssertionError("the peer did not end");
            }
        } catch (IOException | InterruptedException e) {
            process.destroyForcibly();
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] arguments) throws IOException {
        if (SisciLibrary.missing() != null) {
            throw new AssertionError(SisciLibrary.missing());
        }
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in));
        SisciSettings settings = new SisciSettings(Integer.parseInt(arguments[0]), 4, 20_000_000_000L, 120_000_000_000L,
            Long.parseLong(arguments[1]), false, RENDEZVOUS, false);
        SisciEnd end = SisciEnd.listen(Adapter.open(settings), 1, JOB);
        System.out.println(HexFormat.of().formatHex(end.address()));
        end.begin(new byte[][] {HexFormat.of().parseHex(orders.readLine()), end.address()});
        Thread echo = new Thread(() -> echo(end));
        echo.setDaemon(true);
        echo.start();
        while (orders.readLine() != null) {
            // until the test closes its end
        }
        Runtime.getRuntime().halt(0); // a peer need not say goodbye
    }

    private static void echo(SisciEnd end) {
        Link[] links = {end.link(0, Endpoint.COLLECTIVE), end.link(0, Endpoint.POINT_TO_POINT)};
        ByteBuffer[] messages = new ByteBuffer[links.length];
        long[] moved = new long[links.length];
        boolean[] back = new boolean[links.length];
        int[] kinds = new int[links.length];
        long[] keys = new long[links.length];
        Region region = new Region();
        while (true) {
            boolean progress = false;
            for (int i = 0; i < links.length; i++) {
                Link link = links[i];
                if (back[i]) {
                    long now =
                        link.trySend(kinds[i], keys[i], region.wrap(messages[i], 0), 0, messages[i].capacity(),
                            moved[i]);
                    progress |= now >= 0;
                    moved[i] += Math.max(0, now);
                    back[i] = now < 0 || moved[i] < messages[i].capacity();
                } else if (link.poll()) {
                    if (link.remaining() == link.bytes() && !link.isTaken()) {
                        int bytes = (int) link.bytes();
                        messages[i] =
                            bytes < RENDEZVOUS ? ByteBuffer.allocate(bytes) : ByteBuffer.allocateDirect(bytes);
                        kinds[i] = link.kind();
                        keys[i] = link.key();
                    }
                    long left = link.remaining();
                    long now = link.tryRecv(region.wrap(messages[i], 0), link.bytes() - left);
                    progress |= now > 0;
                    if (now == left) {
                        back[i] = true;
                        moved[i] = 0;
                        progress = true;
                    }
                }
            }
            if (!progress) {
                Thread.yield();
            }
        }
    }
}
