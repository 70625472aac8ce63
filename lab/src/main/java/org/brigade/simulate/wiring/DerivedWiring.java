package org.brigade.simulate.wiring;

/** Wires over the resources of another wiring: ranks, resources and local work are the other's unless overridden. */
abstract class DerivedWiring implements RoutingModel {
    private final RoutingModel base;

    DerivedWiring(RoutingModel base) {
        this.base = base;
    }

    @Override
    public int ranks() {
        return base.ranks();
    }

    @Override
    public int resources() {
        return base.resources();
    }

    @Override
    public double capacity(int resource) {
        return base.capacity(resource);
    }

    @Override
    public String name(int resource) {
        return base.name(resource);
    }

    @Override
    public int crowd(int resource) {
        return base.crowd(resource);
    }

    @Override
    public double crowdFactor(int resource) {
        return base.crowdFactor(resource);
    }

    @Override
    public Route reduction(int rank, long bytes) {
        return base.reduction(rank, bytes);
    }

    @Override
    public Route copy(int rank, long bytes) {
        return base.copy(rank, bytes);
    }
}
