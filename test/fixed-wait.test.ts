import { describe, expect, test } from 'vitest';
import { fixedWaits } from '../scripts/fixed-wait.js';

describe('the check of fixed waits', () => {
  test.each([
    ['timers/promises', "import { setTimeout } from 'timers/promises';\nawait setTimeout(5);"],
    ['another name', "import { setTimeout as wait } from 'node:timers/promises';\nawait wait(5);"],
    ['the whole module', "import * as timers from 'node:timers/promises';\nawait timers.setTimeout(5);"],
    ['not awaited at once', "import { setTimeout as wait } from 'node:timers/promises';\nconst later = wait(5);"],
    ['a promise', '\nawait new Promise((resolve) => setTimeout(resolve, 5));'],
    ['a promise with a type', '\nawait new Promise<void>((done) => void setTimeout(done, 5));'],
    ['a promise with a block', '\nawait new Promise(function (done) { setTimeout(() => done(1), 5); });'],
    ['globalThis', '\nconst late = () => new Promise((done) => globalThis.setTimeout(done, 5));'],
  ])('finds %s', (_name, text) => {
    expect(fixedWaits('a.test.ts', text)).toEqual([expect.stringMatching(/^a\.test\.ts:2: /)]);
  });

  test.each([
    ['a limit', 'await Promise.race([work, new Promise((_, reject) => setTimeout(reject, 5))]);'],
    ['a poll', 'await expect.poll(() => n, { interval: 5 }).toBe(1);'],
    ['the end of the turn', "import { setImmediate as turn } from 'node:timers/promises';\nawait turn();"],
    ['another wait', "import { wait } from './own.js';\nawait wait(5);"],
    ['a double that answers late', 'answer = (response) => void setTimeout(() => response.end(), 5);'],
    ['the function for it', "import { delay } from './support/delay.js';\nawait delay(5);"],
  ])('accepts %s', (_name, text) => {
    expect(fixedWaits('a.test.ts', text)).toEqual([]);
  });
});
