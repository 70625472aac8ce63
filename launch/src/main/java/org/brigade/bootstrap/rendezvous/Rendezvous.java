package org.brigade.bootstrap.rendezvous;

import java.io.IOException;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the ranks of a job meet, as BRIGADE_RENDEZVOUS says: {@code HOST:PORT}, where rank 0 listens, or a folder that
 * all hosts see, where rank 0 writes its addresses into a file.
 */
public final class Rendezvous {
    private final String text;
    /** Whether mpjrun listens there, for all ranks. */
    private final boolean launched;
    /** Null if the ranks meet at a port. */
    private final Path file;
    private final String host;
    private final int port;
    /** What rank 0 has written; null before. */
    private String written;

    private Rendezvous(String text, boolean launched, Path file, String host, int port) {
        this.text = text;
        this.launched = launched;
        this.file = file;
        this.host = host;
        this.port = port;
    }

    /**
     * Reads BRIGADE_RENDEZVOUS.
     *
     * @param job the job's name, which is part of the file's name in a folder
     * @param launched whether mpjrun has started the ranks, and listens itself
     * @return null if it is neither HOST:PORT nor a folder
     */
    public static Rendezvous of(String text, String job, boolean launched) {
        if (Files.isDirectory(Path.of(text))) {
            return new Rendezvous(text, false, Path.of(text, "brigade-" + job + ".rendezvous"), null, 0);
        }
        int colon = text.lastIndexOf(':');
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            return colon <= 0 || text.indexOf('/') >= 0 || port < 1 || port > 65535 ? null
                : new Rendezvous(text, launched, null, text.substring(0, colon), port);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Whether mpjrun listens there; else rank 0 does. */
    boolean isLaunched() {
        return launched;
    }

    /** Whether addresses may be those of an earlier job, whose rank 0 was killed. */
    boolean isFolder() {
        return file != null;
    }

    /** Whether there is a file of an earlier job, or of one that meets here now. */
    boolean isTaken() {
        return file != null && Files.exists(file);
    }

    /**
     * Rank 0: listens, at all of this host's addresses, as its name may mean only the loopback here.
     *
     * @throws IOException with a sentence
     */
    ServerSocketChannel listen() throws IOException {
        ServerSocketChannel listening = ServerSocketChannel.open();
        try {
            listening.bind(new InetSocketAddress(port), 1 << 12);
            if (file != null) {
                write(listening.socket().getLocalPort());
            }
            return listening;
        } catch (IOException e) {
            listening.close();
            throw e instanceof BindException
                ? new IOException("something listens at port " + port + " of this host already: another job, or rank 0"
                    + " was started twice; give each job an address of its own by BRIGADE_RENDEZVOUS")
                : e;
        }
    }

    private void write(int at) throws IOException {
        StringBuilder lines = new StringBuilder().append(at).append('\n');
        for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
            if (each.isUp() && !each.isLoopback()) {
                each.inetAddresses()
                    .filter(address -> !(address instanceof Inet6Address && address.isLinkLocalAddress()))
                    .forEach(address -> lines.append(address.getHostAddress()).append('\n'));
            }
        }
        lines.append(InetAddress.getLoopbackAddress().getHostAddress()).append('\n');
        written = lines.toString();
        Path whole = Files.createTempFile(file.getParent(), "brigade-", ".tmp");
        Files.writeString(whole, written);
        Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Removes what rank 0 has written. */
    void forget() {
        try {
            if (written != null && Files.readString(file).equals(written)) {
                Files.delete(file);
            }
        } catch (IOException gone) {
            // the next job replaces it
        }
    }

    /**
     * Where rank 0 may listen; tried in this order.
     *
     * @throws IOException with a sentence, if that is not known yet
     */
    List<InetSocketAddress> addresses() throws IOException {
        if (file == null) {
            InetSocketAddress address = new InetSocketAddress(host, port);
            if (address.isUnresolved()) {
                throw new IOException("the host " + host + " is not known here");
            }
            return List.of(address);
        }
        if (!Files.exists(file)) {
            throw new IOException("rank 0 has not written " + file);
        }
        List<String> lines = Files.readAllLines(file);
        List<InetSocketAddress> all = new ArrayList<>();
        try {
            for (String line : lines.subList(1, lines.size())) {
                all.add(new InetSocketAddress(InetAddress.getByName(line), Integer.parseInt(lines.get(0))));
            }
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new IOException(file + " is not a file of rank 0's");
        }
        return all;
    }

    @Override
    public String toString() {
        return text + " (BRIGADE_RENDEZVOUS)";
    }
}
