package org.brigade.examples.tensors;

/** A tensor that ranks know by its name. */
public interface NamedTensor {
    /** The same on all ranks, for the same tensor. */
    String name();

    /** Of its elements, such as float. */
    String type();

    /** In elements. */
    int length();
}
