// A value that tells its listeners when it changes.

/** Holds a value; listeners hear of every `set`, and of the present value when they come. */
export class Signal<T> {
  private readonly listeners: ((value: T) => void)[] = [];

  constructor(private present: T) {}

  /** The value now. */
  get value(): T {
    return this.present;
  }

  /** Changes it and tells everyone. */
  set(value: T): void {
    this.present = value;
    for (const tell of this.listeners) tell(value);
  }

  /** Calls `tell` now and after every change. */
  listen(tell: (value: T) => void): void {
    this.listeners.push(tell);
    tell(this.present);
  }
}
