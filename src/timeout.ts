/**
 * Waits for work for a limited time. The work itself is not cancelled.
 * @param onTimeout makes the error that is thrown when the time is over
 * @throws what the work throws, or the error of `onTimeout`
 */
export const withTimeout = <Result>(
  work: Promise<Result>,
  ms: number,
  onTimeout: () => Error = () => new Error(`took longer than ${ms / 1000} s`),
): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(onTimeout()), Math.max(0, ms));
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
};
