package org.brigade.launch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;

/** Reads one stream of one rank to its end. */
final class LineReader extends Thread {
    private final int rank;
    private final boolean error;
    private final InputStream stream;
    private final RankOutput output;

    LineReader(int rank, boolean error, InputStream stream, RankOutput output) {
        super("output of rank " + rank);
        this.rank = rank;
        this.error = error;
        this.stream = stream;
        this.output = output;
        setDaemon(true);
    }

    @Override
    public void run() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.line(rank, error, line);
            }
        } catch (IOException e) {
            // The rank was ended and its stream closed under us: what it wrote has been read.
        }
    }
}
