/**
 * Background work in rounds that do not overlap.
 * @param options `everyMs` is the longest time between two rounds; `failed` is called with the error of a round, and the
 *   next one runs anyway
 */
export const createPollingLoop = (options: {
  readonly everyMs: number;
  readonly round: () => Promise<void>;
  readonly failed: (error: unknown) => void;
}) => {
  const { everyMs, round, failed } = options;
  let timer: NodeJS.Timeout | undefined;
  /** Monotonic milliseconds at which the timer begins a round. */
  let timerAt = Number.POSITIVE_INFINITY;
  let inFlight: Promise<void> | undefined;
  let isStarted = false;
  let isStopping = false;
  /** Whether another round begins as soon as the running one has ended. */
  let isWanted = false;

  const pollIn = (ms: number): void => {
    const at = performance.now() + ms;
    if (isStopping || at >= timerAt) return;
    clearTimeout(timer);
    timerAt = at;
    timer = setTimeout(pollNow, ms).unref();
  };
  const pollNow = (): void => {
    if (isStopping) return;
    isWanted = inFlight !== undefined;
    if (isWanted) return;
    clearTimeout(timer);
    timerAt = Number.POSITIVE_INFINITY;
    inFlight = round()
      .catch(failed)
      .finally(() => {
        inFlight = undefined;
        if (isWanted) pollNow();
        else if (isStarted) pollIn(everyMs);
      });
  };
  return {
    /** Runs a round now, and one at the latest `everyMs` after each. */
    start: (): void => {
      isStarted = true;
      pollNow();
    },
    /** Runs a round now, or after the running one, which may have begun too early to find what the caller knows. */
    pollNow,
    /** Runs a round in so many milliseconds, unless one begins before. */
    pollIn,
    /** True once `stop` was called; a running round should end. */
    get isStopping() {
      return isStopping;
    },
    /** Stops the loop; resolves when the running round has ended. */
    stop: async (): Promise<void> => {
      isStopping = true;
      clearTimeout(timer);
      await inFlight;
    },
  };
};
