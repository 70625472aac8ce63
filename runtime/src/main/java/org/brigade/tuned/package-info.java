/**
 * The tuning tables in the user's folder: where they lie, for which machine or cluster, and whether they still hold.
 */
package org.brigade.tuned;
