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

        - **Schedules**: one symbolic run of all ranks' schedules decides ([schedules.md](schedules.md#the-verifier)). So
          are proved all algorithms of host memory that the table does not name, and `staged` of device memory, which
          runs those.
        - **Code**: the code that runs in a job is run for all ranks on symbolic memory, in many orders
          ([schedules.md](schedules.md#straight-line-code)).
        - **Tests only**: there is no schedule. Tests compare the results with those of a schedule, or with what the host
          computes. So all kernels on devices: %s.

        | collective | code | tests only |
        | --- | --- | --- |
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
        return page.toString();
    }

    private static String names(List<String> names) {
        return names.isEmpty() ? "-" : String.join(", ", names);
    }
}
