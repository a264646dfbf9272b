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
  const pollNow = (): void => {
    if (isStopping || inFlight !== undefined) return;
    inFlight = round()
      .catch(failed)
      .finally(() => {
        inFlight = undefined;
      });
  };
  return {
    /** Runs a round now and then at regular intervals. */
    start: (): void => {
      pollNow();
      timer = setInterval(pollNow, everyMs).unref();
    },
    /** Runs a round now, unless one is running. */
    pollNow,
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
