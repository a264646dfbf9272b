/**
 * Waits for work no longer than a time; the work itself goes on.
 * @throws what the work throws; Error when it took longer
 */
export const withinTime = <Result>(work: Promise<Result>, ms: number): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${ms / 1000} s`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};
