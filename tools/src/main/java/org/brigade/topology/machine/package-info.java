/**
 * Machine files: a topology with rates and with what slows transfers that meet. They are read, written, and kept by
 * name.
 */
package org.brigade.topology.machine;
