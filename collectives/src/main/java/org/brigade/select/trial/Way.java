package org.brigade.select.trial;

import mpi.spi.Collective;
import org.brigade.algorithm.DeviceAlgorithm;
import org.brigade.algorithm.Placement;
import org.brigade.algorithm.catalogue.DeviceCatalogue;
import org.brigade.select.Choice;

/**
 * A way to run a call on device memory.
 *
 * @param algorithm one of the {@link DeviceCatalogue}, not staged
 * @param chunk bytes of a window; 0: the launch's own choice
 * @param blocks thread blocks; 0: the launch's own choice
 * @param share percentage of the bytes that goes through host memory
 */
public record Way(DeviceAlgorithm algorithm, long chunk, int blocks, int share) {
    /** The way of a choice of blocking calls that is not staged. */
    public static Way of(Choice choice) {
        return new Way((DeviceAlgorithm) choice.algorithm(), choice.chunkBytes(), choice.blocks(),
            choice.sharePercent());
    }

    /** As {@link #toString} writes it; null if it is none of this collective. */
    public static Way parse(Collective collective, String text) {
        String[] words = text.split(" ");
        DeviceAlgorithm algorithm = words.length == 7 ? DeviceCatalogue.find(collective, words[0]) : null;
        if (algorithm == null || algorithm.staged() || !words[1].equals("chunk") || !words[3].equals("blocks")
            || !words[5].equals("share")) {
            return null;
        }
        try {
            Way way = new Way(algorithm, Long.parseLong(words[2]), Integer.parseInt(words[4]),
                Integer.parseInt(words[6]));
            boolean sound = (way.chunk == 0 || way.chunk >= 4 << 10) && way.chunk <= 1 << 30 && way.blocks >= 0
                && way.blocks <= 1024
                && way.share >= 0 && way.share <= 50;
            return sound && way.toString().equals(text) ? way : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Whether it may run calls of this size with buffers that lie so. */
    public boolean serves(int ranks, long bytes, Placement placement) {
        return algorithm.restrictions().violatedBy(ranks, bytes, true) == null
            && algorithm.restrictions().violatedBy(placement) == null;
    }

    Way with(long otherChunk, int otherBlocks, int otherShare) {
        return new Way(algorithm, otherChunk, otherBlocks, otherShare);
    }

    /** @param why what made the decision, in words */
    public Choice choice(String why) {
        return new Choice(algorithm, chunk, 2, blocks, share, why);
    }

    /** For people: {@code ring, chunk 128 KiB, 128 blocks}. */
    public String words() {
        return choice("").words();
    }

    /** For files. */
    @Override
    public String toString() {
        return algorithm.name() + " chunk " + chunk + " blocks " + blocks + " share " + share;
    }
}
