/**
 * What workflow and activity authors compile against: annotations, the words of the API, and the
 * failures a caller can see.
 *
 * <p>Knows nothing of JDBC, clocks, I/O or threads.
 */
@NullMarked
package dev.holdfast;

import org.jspecify.annotations.NullMarked;
