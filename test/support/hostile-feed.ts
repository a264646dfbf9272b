import type { ServerResponse } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';
import { heldMs, MOST_GROWTH, MOST_HELD_MS } from './held-loop.js';
import { type HostileAnswer, sendHostile } from './hostile-json.js';
import type { TestResponse } from './network.js';
import { type Received, type Receiver, startReceiver } from './receiver.js';
import { rounds } from './rounds.js';

/** A server that is sound, or sends what it is told to. */
export interface HostileServer extends Receiver {
  /** Makes the server send this from now on; undefined: what is sound. */
  serve(answer: HostileAnswer | undefined): void;
  /** What is sound. */
  sound: (request: Received, response: ServerResponse) => void | Promise<void>;
}

export const startHostileServer = async (): Promise<HostileServer> => {
  let hostile: HostileAnswer | undefined;
  const receiver = await startReceiver((request, response) => {
    if (hostile === undefined) return server.sound(request, response);
    sendHostile(response, hostile);
  });
  const server: HostileServer = {
    ...receiver,
    serve: (answer) => {
      hostile = answer;
    },
    sound: (_, response) => void response.end('{}'),
  };
  return server;
};

/** @param expected statuses of success, and codes of errors that are about the other server, not about this one */
export const expectOutcome = ({ status, body }: TestResponse, expected: readonly (number | string)[]): void =>
  expect(expected).toContain(status < 400 ? status : body.code);

/** A place of the service that reads what a server of somebody else sends. */
export interface ForeignReader {
  /** Makes the servers of strangers send this from now on; undefined: what is sound. */
  serve(answer: HostileAnswer | undefined): void;
  /**
   * Has the service read, as its users or its jobs do, and checks what it shows.
   * @param turn is another one in each call, for what must not come out of a cache
   */
  read(turn: number): Promise<void>;
  /** Checks that a sound document is read. */
  recover(turn: number): Promise<void>;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** @returns bytes that are in use, and not only garbage */
const usedMemory = (): number => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

const LARGE = 4 * 1024 * 1024;

/** One answer of three in each pass, other ones in each, unless thoroughness is asked for. */
const STEP = rounds(3) === 3 ? 1 : 3;

const feed = async (
  { serve, read }: ForeignReader,
  answers: Iterable<HostileAnswer>,
  { pass, turns }: { readonly pass: number; readonly turns: { last: number } },
) => {
  const holding: string[] = [];
  let count = 0;
  for (const answer of answers) {
    if (count++ % STEP !== pass % STEP) continue;
    serve(answer);
    // Making it left garbage, whose collection would be measured.
    if (answer.body.length > LARGE) collectGarbage();
    const held = await heldMs(() =>
      read(++turns.last).catch((error: unknown) => {
        throw new Error(`${answer.name}: ${(error as Error).message}`, { cause: error });
      }),
    );
    if (held > MOST_HELD_MS) holding.push(`${answer.name}: ${held.toFixed()} ms`);
  }
  return { holding, count };
};

/**
 * Has a place read answers in two passes: none holds the loop, changes what all objects have, or takes memory.
 * @param answers makes the same ones each time
 * @returns how many there are
 */
export const survive = async (reader: ForeignReader, answers: () => Iterable<HostileAnswer>): Promise<number> => {
  const turns = { last: 0 };
  const members = Object.getOwnPropertyNames(Object.prototype);
  const { holding, count } = await feed(reader, answers(), { pass: 0, turns });
  expect(holding).toEqual([]);
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(members);
  reader.serve(undefined);
  await reader.recover(++turns.last);
  // The first pass has brought buffers and caches to their size.
  const before = usedMemory();
  expect((await feed(reader, answers(), { pass: 1, turns })).holding).toEqual([]);
  reader.serve(undefined);
  // The server of the test may still hold what the service did not take.
  await expect.poll(() => usedMemory() - before, { timeout: 10_000 }).toBeLessThan(MOST_GROWTH);
  await reader.recover(++turns.last);
  return count;
};
