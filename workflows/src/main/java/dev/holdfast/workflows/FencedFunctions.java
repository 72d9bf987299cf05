package dev.holdfast.workflows;

import org.jspecify.annotations.Nullable;

/**
 * Shapes of activity methods. Other than Temporal's own they may throw checked exceptions, so that
 * a plain reference to any activity method fits.
 */
public final class FencedFunctions {
  private FencedFunctions() {}

  /** A method of one parameter that returns a value. */
  @FunctionalInterface
  public interface Function1<A1 extends @Nullable Object, R extends @Nullable Object> {
    /** Calls the activity. */
    R call(A1 a1) throws Exception;
  }

  /** A method of two parameters that returns a value. */
  @FunctionalInterface
  public interface Function2<
      A1 extends @Nullable Object, A2 extends @Nullable Object, R extends @Nullable Object> {
    /** Calls the activity. */
    R call(A1 a1, A2 a2) throws Exception;
  }

  /** A method of three parameters that returns a value. */
  @FunctionalInterface
  public interface Function3<
      A1 extends @Nullable Object,
      A2 extends @Nullable Object,
      A3 extends @Nullable Object,
      R extends @Nullable Object> {
    /** Calls the activity. */
    R call(A1 a1, A2 a2, A3 a3) throws Exception;
  }

  /** A method of four parameters that returns a value. */
  @FunctionalInterface
  public interface Function4<
      A1 extends @Nullable Object,
      A2 extends @Nullable Object,
      A3 extends @Nullable Object,
      A4 extends @Nullable Object,
      R extends @Nullable Object> {
    /** Calls the activity. */
    R call(A1 a1, A2 a2, A3 a3, A4 a4) throws Exception;
  }

  /** A method of five parameters that returns a value. */
  @FunctionalInterface
  public interface Function5<
      A1 extends @Nullable Object,
      A2 extends @Nullable Object,
      A3 extends @Nullable Object,
      A4 extends @Nullable Object,
      A5 extends @Nullable Object,
      R extends @Nullable Object> {
    /** Calls the activity. */
    R call(A1 a1, A2 a2, A3 a3, A4 a4, A5 a5) throws Exception;
  }

  /** A method of six parameters that returns a value. */
  @FunctionalInterface
  public interface Function6<
      A1 extends @Nullable Object,
      A2 extends @Nullable Object,
      A3 extends @Nullable Object,
      A4 extends @Nullable Object,
      A5 extends @Nullable Object,
      A6 extends @Nullable Object,
      R extends @Nullable Object> {
    /** Calls the activity. */
    R call(A1 a1, A2 a2, A3 a3, A4 a4, A5 a5, A6 a6) throws Exception;
  }

  /** A method of one parameter that returns nothing. */
  @FunctionalInterface
  public interface Procedure1<A1 extends @Nullable Object> {
    /** Calls the activity. */
    void run(A1 a1) throws Exception;
  }

  /** A method of two parameters that returns nothing. */
  @FunctionalInterface
  public interface Procedure2<A1 extends @Nullable Object, A2 extends @Nullable Object> {
    /** Calls the activity. */
    void run(A1 a1, A2 a2) throws Exception;
  }

  /** A method of three parameters that returns nothing. */
  @FunctionalInterface
  public interface Procedure3<
      A1 extends @Nullable Object, A2 extends @Nullable Object, A3 extends @Nullable Object> {
    /** Calls the activity. */
    void run(A1 a1, A2 a2, A3 a3) throws Exception;
  }

  /** A method of four parameters that returns nothing. */
  @FunctionalInterface
  public interface Procedure4<
      A1 extends @Nullable Object,
      A2 extends @Nullable Object,
      A3 extends @Nullable Object,
      A4 extends @Nullable Object> {
    /** Calls the activity. */
    void run(A1 a1, A2 a2, A3 a3, A4 a4) throws Exception;
  }

  /** A method of five parameters that returns nothing. */
  @FunctionalInterface
  public interface Procedure5<
      A1 extends @Nullable Object,
      A2 extends @Nullable Object,
      A3 extends @Nullable Object,
      A4 extends @Nullable Object,
      A5 extends @Nullable Object> {
    /** Calls the activity. */
    void run(A1 a1, A2 a2, A3 a3, A4 a4, A5 a5) throws Exception;
  }

  /** A method of six parameters that returns nothing. */
  @FunctionalInterface
  public interface Procedure6<
      A1 extends @Nullable Object,
      A2 extends @Nullable Object,
      A3 extends @Nullable Object,
      A4 extends @Nullable Object,
      A5 extends @Nullable Object,
      A6 extends @Nullable Object> {
    /** Calls the activity. */
    void run(A1 a1, A2 a2, A3 a3, A4 a4, A5 a5, A6 a6) throws Exception;
  }
}
