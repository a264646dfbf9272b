/** Work that is looked for again and again, one round at a time. */
export interface Rounds {
  /** Makes a round now and from then on regularly. */
  start(): void;
  /** Makes a round now; one that is asked for during another is left to the next tick. */
  wake(): void;
  /** Set once `stop` was called: a round should come to its end. */
  readonly isStopping: boolean;
  /** Ends it; resolves when the round that is under way is through. */
  stop(): Promise<void>;
}

/** @param parts `failed` is told what a round threw; the next one is made all the same */
export const createRounds = (parts: {
  readonly everyMs: number;
  readonly round: () => Promise<void>;
  readonly failed: (error: unknown) => void;
}): Rounds => {
  const { everyMs, round, failed } = parts;
  let timer: NodeJS.Timeout | undefined;
  let underway: Promise<void> | undefined;
  let isStopping = false;
  const wake = (): void => {
    if (isStopping || underway !== undefined) return;
    underway = round()
      .catch(failed)
      .finally(() => {
        underway = undefined;
      });
  };
  return {
    start: () => {
      wake();
      timer = setInterval(wake, everyMs).unref();
    },
    wake,
    get isStopping() {
      return isStopping;
    },
    stop: async () => {
      isStopping = true;
      clearInterval(timer);
      await underway;
    },
  };
};
