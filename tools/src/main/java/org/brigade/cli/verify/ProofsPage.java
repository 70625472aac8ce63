package org.brigade.cli.verify;

import java.util.ArrayList;
import java.util.List;
import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.verify.straight.Proof;

/** Writes docs/design/proofs.md from the catalogue. */
final class ProofsPage {
    private static final String HEAD = """
        # How each algorithm is proved

        This page is generated: `bin/brigade verify --markdown > docs/design/proofs.md`.

        - **Schedules**: one symbolic run of all ranks' schedules decides ([schedules.md](schedules.md#the-verifier)).
          So are proved all algorithms of host memory that the table does not name, and `staged` of device memory,
          which runs those.
        - **Code**: the code that runs in a job is run for all ranks on symbolic memory, in many orders
          ([schedules.md](schedules.md#straight-line-code)).
        - **Tests only**: there is no schedule. Tests compare the results with those of a schedule, or with what the
          host computes. So all kernels on devices: %s.

        | collective | code | tests only |
        | --- | --- | --- |
        """;

    private static final String TAIL = """

        ## What of the code is not run by the verifier

        - **The two halves of a nonblocking `fused-flat` call** (`FusedStart`). The verifier runs both halves, one right
          after the other, as a blocking call does. Not run are other calls between them, and the questions whether the
          second half is ready: these ask links and the stash of early messages, which the verifier does not have.
          `RequestThreadsTest` and `PrequestTest` try them.
        - **The opening of slots** (`PullSlots`). The verifier begins with slots that all members know. How they tell
          each other, and when a slot is free again, depends on messages and on which ranks are lost. `FusedPullTest`
          tries it.
        - **Calls that fail.** All ranks of a run make matching calls, and no reduction throws. Not run is what a rank
          does that has failed, so it is not proved that the others then read nothing unpublished.
          `FailedOnOneRankTest` and `FusedPullTest` try it.
        - **Buffers on devices.** All buffers of a run are in host memory. Not run are the branches that copy a device's
          bytes through host memory first; they publish and await the same words. `DeviceVerifyTest` tries them.
        - **Compiled calls of `pull` and `flat-pull`** (`CompiledBlocks`, `blocks.c`). The verifier runs the Java text.
          The compiled one has the same layout; tests compare its results with the Java text's, and mix both kinds of
          members.
        - **Links and the kernel.** Short messages are taken to arrive whole and in order, and a read in another process
          to see what was written before. The links' tests and jcstress try the first.
        """;

    private ProofsPage() {
    }

    static String markdown() {
        StringBuilder page = new StringBuilder(HEAD.formatted(Proof.Kind.KERNEL.by()));
        for (Collective collective : Collective.values()) {
            List<String> code = new ArrayList<>();
            List<String> tests = new ArrayList<>();
            for (Algorithm algorithm : Catalogue.of(collective)) {
                Proof proof = Proof.of(algorithm);
                if (proof.kind() == Proof.Kind.CODE) {
                    code.add("`" + algorithm.name() + "`");
                } else if (proof.isTested()) {
                    tests.add("`" + algorithm.name() + "`, with `" + proof.instead().name() + "`, by `"
                        + proof.kind().by() + "`");
                }
            }
            if (code.size() + tests.size() > 0) {
                page.append("| ").append(collective.key()).append(" | ").append(names(code)).append(" | ")
                    .append(names(tests)).append(" |\n");
            }
        }
        return page.append(TAIL).toString();
    }

    private static String names(List<String> names) {
        return names.isEmpty() ? "-" : String.join(", ", names);
    }
}
