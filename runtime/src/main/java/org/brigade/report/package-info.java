/** What rank 0 says of its job if {@code brigade.report} asks for it. */
package org.brigade.report;
