/** Runs work with the same key sequentially within this process. */
export interface KeyedMutex {
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

/** Waiting here needs no resources, while waiting for a row lock would hold a database connection. */
export const createKeyedMutex = (): KeyedMutex => {
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
