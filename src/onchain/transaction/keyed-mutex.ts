/** Runs what has the same key one after the other, in this process. */
export interface Lanes {
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

/** Waiting here costs nothing; waiting for a row of the database holds one of its connections. */
export const createLanes = (): Lanes => {
  const tails = new Map<string, Promise<unknown>>();
  return {
    run: (key, work) => {
      const result = (tails.get(key) ?? Promise.resolve()).then(work);
      const tail = result
        .catch(() => undefined)
        .finally(() => {
          if (tails.get(key) === tail) tails.delete(key);
        });
      tails.set(key, tail);
      return result;
    },
  };
};
