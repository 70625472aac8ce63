package org.brigade.launch;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;

/** Turns the output of one rank into lines of text, for a program that reads them. */
final class OutputLines implements LineReader.Target {
    private final RankOutput output;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    OutputLines(RankOutput output) {
        this.output = output;
    }

    @Override
    public void take(LineReader from, byte[] bytes, int length, boolean ends) {
        for (int at = 0; at < length;) {
            int end = at;
            while (end < length && bytes[end] != '\n') {
                end++;
            }
            line.write(bytes, at, end - at);
            if (end < length) {
                pass(from);
            }
            at = end + 1;
        }
        if (length == 0 && line.size() > 0) {
            pass(from);
        }
    }

    private void pass(LineReader from) {
        output.line(from.rank, from.error, line.toString(Charset.defaultCharset()));
        line.reset();
    }
}
