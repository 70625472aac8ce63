/** The patterns that look most different in the capital dialect (mpiJava, MPJ Express). */
package org.brigade.examples.patterns.capital;
