package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import mpi.front.job.Constants;
import org.junit.jupiter.api.Test;

/** The numbers that the internal classes read are those that programs pass. */
class ConstantsTest {
    @Test
    void eachIsTheSameInMpi() throws ReflectiveOperationException {
        int compared = 0;
        for (Field field : Constants.class.getFields()) {
            if (Modifier.isStatic(field.getModifiers())) {
                assertEquals(MPI.class.getField(field.getName()).get(null), field.get(null), field.getName());
                compared++;
            }
        }
        assertTrue(compared > 30, compared + " constants");
    }
}
