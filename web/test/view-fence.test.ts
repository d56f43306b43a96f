import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Fences, type FenceGL } from "../src/view/fence";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A WebGL whose fences signal when told. */
function device() {
  const signalled = new Set<unknown>();
  const made: object[] = [];
  const gl = {
    SYNC_GPU_COMMANDS_COMPLETE: 1,
    SYNC_STATUS: 2,
    SIGNALED: 3,
    fenceSync: () => (made.push({}), made[made.length - 1] as WebGLSync),
    getSyncParameter: (sync: WebGLSync) => (signalled.has(sync) ? 3 : 4),
    deleteSync: vi.fn(),
    flush: vi.fn(),
  };
  return { gl: gl as unknown as FenceGL, finish: (i: number) => void signalled.add(made[i]), deleted: gl.deleteSync };
}

test("a drawing is done when its fence has signalled, not before", () => {
  const { gl, finish, deleted } = device();
  const fences = new Fences(gl);
  const done = vi.fn();
  fences.mark(done);
  vi.advanceTimersByTime(40);
  expect(done).not.toHaveBeenCalled();
  expect(fences.underWay).toBe(1);
  finish(0);
  vi.advanceTimersByTime(2);
  expect(done).toHaveBeenCalledOnce();
  expect(done.mock.calls[0]?.[0]).toBeGreaterThanOrEqual(40);
  expect(fences.underWay).toBe(0);
  expect(deleted).toHaveBeenCalledOnce();
});

test("drawings end in their order", () => {
  const { gl, finish } = device();
  const fences = new Fences(gl);
  const order: number[] = [];
  fences.mark(() => order.push(0));
  fences.mark(() => order.push(1));
  finish(1);
  vi.advanceTimersByTime(5);
  expect(order).toEqual([]);
  finish(0);
  vi.advanceTimersByTime(5);
  expect(order).toEqual([0, 1]);
});

test("a fence that never signals does not stop the view", () => {
  const { gl } = device();
  const fences = new Fences(gl);
  const done = vi.fn();
  fences.mark(done);
  vi.advanceTimersByTime(2500);
  expect(done).toHaveBeenCalledOnce();
});
