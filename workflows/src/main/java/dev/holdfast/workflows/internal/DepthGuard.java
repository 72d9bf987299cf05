package dev.holdfast.workflows.internal;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.JsonGeneratorDelegate;
import java.io.IOException;

/**
 * Refuses what has no canonical form while it is being written: values nested too deep, cycles
 * among them, and numbers that are none.
 */
final class DepthGuard extends JsonGeneratorDelegate {
  /** Far above any request, far below what a workflow thread's stack can hold. */
  static final int LIMIT = 256;

  private int depth;

  DepthGuard(JsonGenerator target, int depth) {
    // values written by a custom serializer must come back through this guard
    super(target, false);
    this.depth = depth;
  }

  int depth() {
    return depth;
  }

  @Override
  public void writeStartArray() throws IOException {
    enter();
    super.writeStartArray();
  }

  @Override
  public void writeStartArray(Object forValue) throws IOException {
    enter();
    super.writeStartArray(forValue);
  }

  @Override
  public void writeStartArray(Object forValue, int size) throws IOException {
    enter();
    super.writeStartArray(forValue, size);
  }

  @Override
  public void writeEndArray() throws IOException {
    depth--;
    super.writeEndArray();
  }

  @Override
  public void writeStartObject() throws IOException {
    enter();
    super.writeStartObject();
  }

  @Override
  public void writeStartObject(Object forValue) throws IOException {
    enter();
    super.writeStartObject(forValue);
  }

  @Override
  public void writeStartObject(Object forValue, int size) throws IOException {
    enter();
    super.writeStartObject(forValue, size);
  }

  @Override
  public void writeEndObject() throws IOException {
    depth--;
    super.writeEndObject();
  }

  @Override
  public void writeNumber(double value) throws IOException {
    if (!Double.isFinite(value)) {
      throw new UnfitValueException("a number that is not finite");
    }
    super.writeNumber(value);
  }

  @Override
  public void writeNumber(float value) throws IOException {
    if (!Float.isFinite(value)) {
      throw new UnfitValueException("a number that is not finite");
    }
    super.writeNumber(value);
  }

  private void enter() {
    if (++depth > LIMIT) {
      throw new UnfitValueException("a cycle, or more than " + LIMIT + " levels");
    }
  }
}
