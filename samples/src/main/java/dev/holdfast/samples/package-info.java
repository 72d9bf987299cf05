@NullMarked
package dev.holdfast.samples;

import org.jspecify.annotations.NullMarked;
