package org.brigade.cli.shell;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** A rank's standard output or standard error: goes to the console line by line, in order with the answers. */
final class SentOutput extends OutputStream {
    private final ShellChannel channel;
    private final boolean error;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    SentOutput(ShellChannel channel, boolean error) {
        this.channel = channel;
        this.error = error;
    }

    PrintStream stream() {
        return new PrintStream(this, true, StandardCharsets.UTF_8);
    }

    @Override
    public synchronized void write(int octet) throws IOException {
        if (octet == '\n') {
            send();
        } else {
            line.write(octet);
        }
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int length) throws IOException {
        for (int i = from; i < from + length; i++) {
            write(bytes[i]);
        }
    }

    /** Sends a line that has begun and not ended, too. */
    synchronized void finish() throws IOException {
        if (line.size() > 0) {
            send();
        }
    }

    private void send() throws IOException {
        channel.send(new ShellMessage.Output(error, line.toString(StandardCharsets.UTF_8)));
        line.reset();
    }
}
