package org.brigade.device;

import org.brigade.memory.NativeMemory;
import org.brigade.transport.Endpoint;
import org.brigade.transport.Link;

/** The boards of a job's ranks, without links. */
final class Boards {
    private final NativeMemory[] boards;

    Boards(int ranks, int lines) {
        boards = new NativeMemory[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            boards[rank] = NativeMemory.allocate(AnnouncementBoard.bytes(lines) + StartBoard.BYTES);
        }
    }

    /** With as many lines as there are in a job. */
    AnnouncementBoard of(int rank) {
        return AnnouncementBoard.of(new End(rank));
    }

    /** On boards with 255 lines. */
    StartBoard starts(int rank) {
        return StartBoard.of(new End(rank));
    }

    AnnouncementBoard of(int rank, int lines) {
        return AnnouncementBoard.of(new End(rank), lines);
    }

    private final class End implements Endpoint {
        private final int rank;

        End(int rank) {
            this.rank = rank;
        }

        @Override
        public int rank() {
            return rank;
        }

        @Override
        public int size() {
            return boards.length;
        }

        @Override
        public Link link(int peer, int lane) {
            throw new IllegalStateException("there are no links here");
        }

        @Override
        public NativeMemory board(int of) {
            return boards[of];
        }

        @Override
        public String lostPeer() {
            return null;
        }

        @Override
        public String lost(int peer) {
            return null;
        }

        @Override
        public String over() {
            return null;
        }

        @Override
        public void survives() {
        }

        @Override
        public void leaving() {
        }

        @Override
        public boolean isLeaving(int peer) {
            return false;
        }

        @Override
        public void finished() {
        }

        @Override
        public void exiting() {
        }

        @Override
        public void fail(String why, int code) {
        }

        @Override
        public int failureCode() {
            return 1;
        }

        @Override
        public void close() {
        }
    }
}
