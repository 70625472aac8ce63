package org.brigade.launch.options;

/**
 * Where the ranks' output goes.
 *
 * @param tagged whether each line begins with its rank
 * @param folder of files with each rank's output; null: none
 * @param shown whether mpjrun shows it, too
 */
public record OutputOptions(boolean tagged, String folder, boolean shown) {
    public static final OutputOptions PLAIN = new OutputOptions(false, null, true);

    /** The options of a command line that is being read. */
    static final class Line {
        /** As Open MPI writes it. */
        private static final String HIDDEN = ":nocopy";

        private boolean tagged;
        private String folder;
        private boolean shown = true;

        void tag() {
            tagged = true;
        }

        void folder(String text) {
            shown = !text.endsWith(HIDDEN);
            folder = shown ? text : text.substring(0, text.length() - HIDDEN.length());
            if (folder.isEmpty()) {
                throw new LaunchException("--output-filename " + text + ": name a folder, as in --output-filename out");
            }
        }

        OutputOptions read() {
            return new OutputOptions(tagged, folder, shown);
        }
    }
}
