/**
 * Events of calls and their stages for the JVM's flight recorder. {@link org.brigade.recording.CallRecording#ON} says
 * whether this process records; if not, the JIT compiler drops all code that asks for it.
 */
package org.brigade.recording;
