package org.brigade.cli.shared;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** What commands that start ranks of their own pass to them. */
public class RankOptions {
    @Option(names = "-J", paramLabel = "OPTION",
        description = "An option for the ranks' java: -J-Dbrigade.bcast.algorithm=chain.")
    public List<String> java = new ArrayList<>();

    /** Of commands whose ranks may take GPUs in turn. */
    public static final class OnDevices extends RankOptions {
        @Option(names = "--gpus", paramLabel = "N",
            description = "With --space device: most GPUs to use (default: all).")
        public int gpus;
    }
}
