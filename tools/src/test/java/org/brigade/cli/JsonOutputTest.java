package org.brigade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.Set;
import org.brigade.cli.shared.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With --json a command prints one object and nothing else. DoctorCommandTest has doctor's. */
class JsonOutputTest {
    private static Map<?, ?> object(String line) {
        Ended ended = Ended.brigade(line.split(" "));
        assertEquals(0, ended.code(), ended.err());
        Map<?, ?> object = (Map<?, ?>) Json.read(ended.out());
        requireCamelCase(object, ended.out());
        return object;
    }

    /** Names are words, but where they are names of algorithms, transports and the like. */
    private static void requireCamelCase(Map<?, ?> object, String text) {
        object.forEach((name, value) -> {
            assertTrue(name.toString().matches("[a-z][A-Za-z]*"), () -> name + " in " + text);
            if (value instanceof List<?> list) {
                list.forEach(each -> {
                    if (each instanceof Map<?, ?> map) {
                        requireCamelCase(map, text);
                    }
                });
            }
        });
    }

    private static Map<?, ?> first(Object list) {
        return (Map<?, ?>) ((List<?>) list).get(0);
    }

    @Test
    void infoSaysWhatItFinds() {
        Map<?, ?> info = object("info --json");
        assertTrue(info.keySet().containsAll(Set.of("brigade", "system", "java", "sharedMemory", "settings",
            "compiledCode", "singleCopy", "cuda", "sisci", "hostMpi", "ucx", "topology", "binding", "launcher",
            "transports", "tuning", "tunedTables", "deviceTuning")), info::toString);
        assertTrue(info.get("topology") instanceof List && info.get("hostMpi") instanceof List
            && info.get("sisci") instanceof List && ((Map<?, ?>) info.get("transports")).containsKey("shm"),
            info::toString);
        assertEquals(Set.of("topology"), object("info --from dgx-h100 --json").keySet());
        Map<?, ?> settings = object("info --settings --json");
        assertTrue(((List<?>) settings.get("settings")).stream().anyMatch(each -> each instanceof Map<?, ?> one
            && one.get("property").equals("brigade.eager") && one.get("variable").equals("BRIGADE_EAGER")),
            settings::toString);
    }

    @Test
    void explainTellsWhatItsTextTells() {
        String call = "explain bcast --ranks 16 --bytes 1M";
        Map<?, ?> json = object(call + " --json");
        String text = Ended.brigade(call.split(" ")).out();
        assertTrue(text.startsWith("bcast, 16 ranks on 1 node, host memory, 1 MiB: " + json.get("algorithm")), text);
        assertTrue(text.contains("  " + json.get("rule") + "\n"), text);
        assertTrue(text.contains("also possible: " + first(json.get("alternatives")).get("algorithm")), text);
        ((Map<?, ?>) json.get("excluded")).forEach(
            (name, why) -> assertTrue(text.matches("(?s).*[ ;]" + Pattern.quote((String) name) + "(, [a-z-]+)* \\("
                + Pattern.quote((String) why) + "\\).*"), () -> name + " in " + text));
        assertTrue(text.contains("-D" + json.get("property") + "=" + json.get("algorithm")), text);
        assertEquals(List.of(16.0, 1048576.0, "host", false),
            List.of(json.get("ranks"), json.get("bytes"), json.get("space"), json.get("staged")));
        Map<?, ?> staged = object("explain allreduce --space device --op-noncommutative --ranks 4 --bytes 8 --json");
        assertEquals("host", ((Map<?, ?>) staged.get("host")).get("space"));
    }

    @Test
    void straightLineCodeHasOperationsAndNotTheScheduleOfAnother() {
        Map<?, ?> json = object("explain bcast --ranks 4 --bytes 4M --rank 1 --json");
        assertEquals("copy-in-copy-out", json.get("algorithm"));
        assertNull(json.get("schedule"));
        assertEquals("double-tree", json.get("nonblockingSchedule"));
        assertTrue(((List<?>) json.get("operations")).contains("publish block"), json::toString);
        Map<?, ?> scheduled = object("explain bcast --ranks 4 --nodes 4 --bytes 4M --json");
        assertEquals(scheduled.get("algorithm"), scheduled.get("schedule"));
        assertNull(scheduled.get("operations"));
    }

    @Test
    void jobsListsThisUsersJobs() {
        assertTrue(object("jobs --json").get("jobs") instanceof List);
    }

    @Test
    void verifyCounts() {
        Map<?, ?> json = object("verify --ranks 1:3 --collective barrier --json");
        assertEquals(true, json.get("passed"));
        assertEquals(List.of(), json.get("failures"));
        assertTrue((double) json.get("verified") > 2, json::toString);
        assertTrue((double) json.get("runs") > 2, json::toString);
    }

    @Test
    void simulateGivesARowForEachAlgorithm() {
        String call = "simulate bcast --topology ideal:4 --bytes 1M";
        List<?> rows = (List<?>) object(call + " --json").get("rows");
        List<String> csv = Ended.brigade((call + " --csv").split(" ")).out().lines().toList();
        assertEquals(csv.size() - 1, rows.size());
        Map<?, ?> row = (Map<?, ?>) rows.get(0);
        assertTrue(csv.get(1).startsWith("bcast,ideal:4,4,1048576," + row.get("algorithm") + ","), csv.get(1));
        assertTrue(csv.get(1).contains(String.format(java.util.Locale.ROOT, ",%.3f,%.3f,", row.get("microseconds"),
            row.get("busGigabytesPerSecond"))), csv.get(1) + row);
    }

    @ParameterizedTest
    @ValueSource(strings = {"explain bcast --schedule --json", "info --settings --markdown --json",
        "simulate bcast --topology ideal:2 --csv --json", "simulate --measured x --topology ideal:2 --json"})
    void twoFormatsAreAWrongLine(String line) {
        Ended ended = Ended.brigade(line.split(" "));
        assertEquals(2, ended.code());
        assertTrue(ended.err().contains("--json") && ended.out().isEmpty(), ended.err() + ended.out());
    }
}
