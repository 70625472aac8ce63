package org.brigade.transport.cuda.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import mpi.spi.ElementKind;
import mpi.spi.Reduction.Operator;
import mpi.spi.TypeLayout;
import mpi.spi.TypeLayout.Numbers;
import mpi.spi.TypeLayout.Pair;
import org.brigade.op.Combiners;
import org.junit.jupiter.api.Test;

/**
 * Every reduction that the host can do has its kernels, under the names that Java looks for; 8-bit numbers have sums
 * and averages only.
 */
class KernelNamesTest {
    private static final Pattern USE =
        Pattern.compile("^(ARITHMETIC|LOGICAL|BITWISE|LOCATION|REDUCTION)\\((\\w+), (\\w+)", Pattern.MULTILINE);
    private static final Map<String, List<String>> MEANING =
        Map.of("ARITHMETIC", List.of("max", "min", "sum", "prod"), "LOGICAL", List.of("land", "lor", "lxor"),
            "BITWISE", List.of("band", "bor", "bxor"), "LOCATION", List.of("maxloc", "minloc"));

    private static Set<String> averages() throws IOException {
        Set<String> all = new TreeSet<>();
        Matcher average = Pattern.compile("^AVERAGE\\((\\w+), ", Pattern.MULTILINE)
            .matcher(Files.readString(Path.of("src/main/cuda/average.cu")));
        while (average.find()) {
            all.add("avg_" + average.group(1));
        }
        return all;
    }

    /** @param family the beginning of the modules' names */
    private static Set<String> inTheSources(String family) throws IOException {
        Set<String> all = new TreeSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("src/main/cuda"), family + "*.cu")) {
            for (Path file : files) {
                Matcher use = USE.matcher(Files.readString(file));
                while (use.find()) {
                    String type = file.getFileName().toString().replaceAll(family + "|\\.cu", "");
                    boolean single = use.group(1).equals("REDUCTION");
                    assertEquals(type, use.group(single ? 3 : 2), file + " has kernels of another type");
                    for (String operator : single ? List.of(use.group(2)) : MEANING.get(use.group(1))) {
                        all.add(operator + "_" + type);
                    }
                }
            }
        }
        return all;
    }

    private static List<TypeLayout> types() {
        List<TypeLayout> all = new ArrayList<>();
        for (ElementKind kind : ElementKind.values()) {
            all.add(TypeLayout.of("one " + kind, kind, 1));
            all.add(TypeLayout.of("two " + kind, kind, 2));
        }
        all.add(TypeLayout.of("complex", ElementKind.FLOAT, 2, Numbers.COMPLEX));
        all.add(TypeLayout.of("double complex", ElementKind.DOUBLE, 2, Numbers.COMPLEX));
        all.add(TypeLayout.of("half", ElementKind.SHORT, 1, Numbers.FLOAT16));
        all.add(TypeLayout.of("bfloat", ElementKind.SHORT, 1, Numbers.BFLOAT16));
        all.add(TypeLayout.of("e4m3", ElementKind.BYTE, 1, Numbers.FLOAT8_E4M3));
        all.add(TypeLayout.of("e5m2", ElementKind.BYTE, 1, Numbers.FLOAT8_E5M2));
        for (Pair pair : Pair.values()) {
            if (pair != Pair.NONE) {
                all.add(
                    TypeLayout.pair("pair " + pair, pair, pair == Pair.LONG_INT || pair == Pair.DOUBLE_INT ? 16 : 8));
            }
        }
        return all;
    }

    private static boolean isAveraged(TypeLayout type) {
        return Combiners.isFloating(type) && type.numbers != Numbers.COMPLEX;
    }

    @Test
    void whatTheHostReducesAndWhatKernelsReduceIsTheSame() throws IOException {
        Set<String> wanted = new TreeSet<>();
        for (TypeLayout type : types()) {
            for (Operator operator : Operator.values()) {
                String name = KernelType.of(operator);
                if (operator == Operator.AVG ? isAveraged(type) : name != null && Combiners.supports(type, operator)
                    && (!type.numbers.isFloat8() || operator == Operator.SUM)) {
                    wanted.add(name + "_" + KernelType.of(type, operator));
                }
            }
        }
        Set<String> found = inTheSources("reduce_");
        found.addAll(averages());
        assertEquals(wanted, found);
    }

    /** Averages and 8-bit numbers are not reduced step by step. */
    @Test
    void chainsAreOfAllTypesWhosePartialResultsTheTypeHolds() throws IOException {
        Set<String> wanted = inTheSources("reduce_");
        wanted.removeIf(name -> name.endsWith("_f8e4m3") || name.endsWith("_f8e5m2"));
        assertEquals(wanted, inTheSources("chain_"));
        assertEquals("chain_f32", KernelType.module("line_chain", "sum", "f32"));
        assertEquals("reduce_f32", KernelType.module("ring", "sum", "f32"));
    }
}
