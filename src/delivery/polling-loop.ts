/**
 * Background work in rounds that do not overlap.
 * @param options `failed` is called with the error of a round; the next round runs anyway
 */
export const createPollingLoop = (options: {
  readonly everyMs: number;
  readonly round: () => Promise<void>;
  readonly failed: (error: unknown) => void;
}) => {
  const { everyMs, round, failed } = options;
  let timer: NodeJS.Timeout | undefined;
  let inFlight: Promise<void> | undefined;
  let isStopping = false;
  /** Whether another round begins as soon as the running one has ended. */
  let isWanted = false;
  const run = (): void => {
    if (isStopping || inFlight !== undefined) return;
    isWanted = false;
    inFlight = round()
      .catch(failed)
      .finally(() => {
        inFlight = undefined;
        if (isWanted) run();
      });
  };
  return {
    /** Runs a round now and then at regular intervals. */
    start: (): void => {
      run();
      timer = setInterval(run, everyMs).unref();
    },
    /** Runs a round now, or after the running one, which may have begun too early to find what the caller knows. */
    pollNow: (): void => {
      isWanted = true;
      run();
    },
    /** True once `stop` was called; a running round should end. */
    get isStopping() {
      return isStopping;
    },
    /** Stops the loop; resolves when the running round has ended. */
    stop: async (): Promise<void> => {
      isStopping = true;
      clearInterval(timer);
      await inFlight;
    },
  };
};
