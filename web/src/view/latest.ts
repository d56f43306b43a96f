// One request at a time, and of those that wait only the latest.

/** Runs jobs one after the other; while one runs, only the newest of those that came waits. Nothing is ever thrown out of it. */
export class Latest<Key> {
  private running = false;
  private waiting: { key: Key } | null = null;
  private epoch = 0;

  constructor(
    private readonly job: (key: Key, isCurrent: () => boolean) => Promise<void>,
    private readonly onError: (reason: unknown) => void,
  ) {}

  /** Asks for a key. */
  ask(key: Key): void {
    this.waiting = { key };
    if (!this.running) void this.run();
  }

  /** What waits is forgotten, and what runs is told that it is not current. */
  cancel(): void {
    this.waiting = null;
    this.epoch++;
  }

  private async run(): Promise<void> {
    this.running = true;
    while (this.waiting) {
      const { key } = this.waiting;
      this.waiting = null;
      const epoch = this.epoch;
      const isCurrent = () => epoch === this.epoch;
      try {
        await this.job(key, isCurrent);
      } catch (reason) {
        if (isCurrent()) this.onError(reason);
      }
    }
    this.running = false;
  }
}
