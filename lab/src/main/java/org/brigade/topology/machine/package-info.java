/** Machine files: a topology with rates and congestion. Read, written, and found by name. */
package org.brigade.topology.machine;
