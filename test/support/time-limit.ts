import { onTestFinished, vi } from 'vitest';

/** Time limits that do not end by themselves. */
export interface HeldTimeLimits {
  /** Of each limit so far, in milliseconds. */
  readonly lengths: readonly number[];
  /** Makes all limits so far end now. */
  end(): void;
}

/** Stops the clock of `AbortSignal.timeout` for the rest of a test, so that a limit of seconds takes no time. */
export const holdTimeLimits = (): HeldTimeLimits => {
  const lengths: number[] = [];
  const controllers: AbortController[] = [];
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController();
    lengths.push(ms);
    controllers.push(controller);
    return controller.signal;
  });
  onTestFinished(() => spy.mockRestore());
  return {
    lengths,
    end: () => {
      for (const controller of controllers.splice(0))
        controller.abort(new DOMException('time is over', 'TimeoutError'));
    },
  };
};
