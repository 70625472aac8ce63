package org.brigade.cli.doctor.check;

/** One question to this machine. Its inputs are given to it, so that tests can invent machines. */
public interface Check {
    Diagnosis diagnosis();
}
