/** How two ends of a connection prove to each other that they have the same secret file. */
package org.brigade.bootstrap.secret;
