package mpi.surface;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every public member of both dialects' user classes either links against ours or is on the list of those that do not
 * yet.
 */
class SurfaceTest {
    private final List<String> later = Surface.lines("later.txt");

    @ParameterizedTest
    @ValueSource(strings = {"openmpi.txt", "mpjexpress.txt"})
    void everyMemberInScopeLinksAgainstOurClasses(String dialect) {
        List<String> missing = new ArrayList<>();
        for (String member : Surface.lines(dialect)) {
            if (ruleFor(member) == null && !Surface.has(member)) {
                missing.add(member);
            }
        }
        assertEquals(List.of(), missing, "members of " + dialect + " that programs would not find");
    }

    @ParameterizedTest
    @ValueSource(strings = {"openmpi.txt", "mpjexpress.txt"})
    void noMemberThatExistsIsListedAsLeftForLater(String dialect) {
        List<String> present = new ArrayList<>();
        for (String member : Surface.lines(dialect)) {
            if (ruleFor(member) != null && Surface.has(member)) {
                present.add(member + "  (rule: " + ruleFor(member) + ")");
            }
        }
        assertEquals(List.of(), present, "members that exist, and should leave later.txt");
    }

    /** Members that neither dialect has and that programs of this library link against. */
    @Test
    void whatGoesBeyondTheTwoDialectsStays() {
        List<String> missing = new ArrayList<>(Surface.lines("beyond.txt"));
        missing.removeIf(Surface::has);
        assertEquals(List.of(), missing, "members that programs would not find");
    }

    @Test
    void everyRuleOfTheListNamesAMember() {
        List<String> idle = new ArrayList<>(later);
        for (String dialect : new String[] {"openmpi.txt", "mpjexpress.txt"}) {
            for (String member : Surface.lines(dialect)) {
                idle.removeIf(rule -> matches(rule, member));
            }
        }
        assertEquals(List.of(), idle, "rules of later.txt that match nothing");
    }

    @Test
    void theListsHoldTheWholeSurface() {
        assertEquals(721, Surface.lines("openmpi.txt").size());
        assertEquals(223, Surface.lines("mpjexpress.txt").size());
    }

    @Test
    void aMemberThatIsNotThereIsSeenToBeMissing() {
        assertTrue(Surface.has("mpi.Comm METHOD barrier()V public final"));
        assertEquals(false, Surface.has("mpi.Comm METHOD barrier()I public final"));
        assertEquals(false, Surface.has("mpi.Comm METHOD barrier()V public static"));
        assertEquals(false, Surface.has("mpi.MPI FIELD COMM_SELF:Lmpi/Group; public static"));
    }

    private String ruleFor(String member) {
        for (String rule : later) {
            if (matches(rule, member)) {
                return rule;
            }
        }
        return null;
    }

    private static boolean matches(String rule, String member) {
        String[] words = member.split(" ");
        String name = words[0] + " " + words[2];
        return rule.endsWith("*") ? name.startsWith(rule.substring(0, rule.length() - 1)) : name.equals(rule);
    }
}
