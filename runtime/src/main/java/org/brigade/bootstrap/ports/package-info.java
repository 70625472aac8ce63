/** Ports, published names and the launcher's door, as files of a folder that only this user can enter. */
package org.brigade.bootstrap.ports;
