/**
 * @returns a function that runs work with the same key sequentially within this process. Waiting here needs no resources,
 *   while waiting for a row lock would hold a database connection.
 */
export const createKeyedMutex = () => {
  const tails = new Map<string, Promise<unknown>>();
  return <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const result = (tails.get(key) ?? Promise.resolve()).then(work);
    const tail = result
      .catch(() => undefined)
      .finally(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
    tails.set(key, tail);
    return result;
  };
};
