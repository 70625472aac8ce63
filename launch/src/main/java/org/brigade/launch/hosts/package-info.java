/** Ranks on other hosts: what mpjrun and its agent on each host say to each other. */
package org.brigade.launch.hosts;
