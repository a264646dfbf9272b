import { delay } from '../../test/support/delay.js';
import type { Answer } from './sample-service.js';

/** How operations are asked whose requests need something that no example can hold, by their ids. */
export type Recipes = Readonly<Record<string, () => Promise<Answer>>>;

/** @returns a function that makes something at its first call, and returns the same afterwards */
export const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

const PAUSE_MS = 100;
const MAX_ATTEMPTS = 300;

/** Asks until the answer is the wanted one. @throws Error if it is not within half a minute */
export const until = async (ask: () => Promise<Answer>, isDone: (answer: Answer) => boolean): Promise<Answer> => {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const answer = await ask();
    if (isDone(answer)) return answer;
    await delay(PAUSE_MS);
  }
  throw new Error(`it took longer than ${(PAUSE_MS * MAX_ATTEMPTS) / 1000} seconds`);
};
