/** The search for the fastest ways between the devices of a machine, by measured transfers. */
package org.brigade.topology.search;
