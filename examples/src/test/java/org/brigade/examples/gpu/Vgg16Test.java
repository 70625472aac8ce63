package org.brigade.examples.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class Vgg16Test {
    @Test
    void vgg16Has138357544ParametersIn16Layers() {
        long floats = 0;
        for (Vgg16.Size size : Vgg16.sizes(1)) {
            floats += size.floats();
        }
        assertEquals(138_357_544, floats);
        assertEquals(2 * 16, Vgg16.sizes(1).size());
    }
}
