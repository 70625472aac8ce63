/**
 * A choice that measures itself: ways to run a call on device memory are tried within the user's calls, and the fastest
 * is kept. No I/O and no clock: what members tell each other comes in, so all members compute the same.
 */
package org.brigade.select.trial;
