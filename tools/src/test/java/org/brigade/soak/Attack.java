package org.brigade.soak;

import java.util.Random;

/** A kind of trial that can be repeated for ever with other random numbers. */
interface Attack {
    String name();

    /** One round. All that is random comes from the argument. */
    void round(Random random, Trials trials) throws Exception;
}
