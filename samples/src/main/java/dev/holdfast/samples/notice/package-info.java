/**
 * A notice by way of an upstream that honours no key and cannot be asked: after an unclear answer a
 * person decides. What an author writes; start with {@link
 * dev.holdfast.samples.notice.NoticeActivities}.
 */
@NullMarked
package dev.holdfast.samples.notice;

import org.jspecify.annotations.NullMarked;
