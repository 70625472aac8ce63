/**
 * A JUnit extension that runs a test on several ranks. The JVM that runs the tests starts a job for each; in the ranks
 * JUnit runs that test alone.
 */
package org.brigade.junit;
