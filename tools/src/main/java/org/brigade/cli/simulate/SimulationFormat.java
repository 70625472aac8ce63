package org.brigade.cli.simulate;

/** How {@code brigade simulate} prints. */
enum SimulationFormat {
    TABLE, CSV, JSON
}
