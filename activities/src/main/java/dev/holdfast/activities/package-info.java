@NullMarked
package dev.holdfast.activities;

import org.jspecify.annotations.NullMarked;
