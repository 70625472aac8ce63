package org.brigade.device;

/**
 * Why calls on devices are slower than they could be, for people.
 *
 * @param finding what is not as it should be
 * @param cost what that costs
 * @param cure what to change
 */
public record DeviceCost(String finding, String cost, String cure) {
}
