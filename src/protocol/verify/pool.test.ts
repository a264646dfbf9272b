import { setImmediate as announced } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { bodyData, castData, sign } from '../../../test/support/signed-message.js';
import { toUnixMs } from '../time.js';
import { INVALID_REASONS } from '../verification-result.js';
import { decodeResponse, encodeResponse, packJob, unpackJob } from './batch.js';
import { createVerifyPool, type VerifyPool, type VerifyPoolOptions } from './pool.js';
import { verifyWire } from './verify.js';

const pools: VerifyPool[] = [];
const openPool = (options: VerifyPoolOptions): VerifyPool => {
  const pool = createVerifyPool(options);
  pools.push(pool);
  return pool;
};

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

/** Every fifth message is damaged in one of two ways. */
const batch = (count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, index) => {
    const data = castData({ timestamp: 1000 + index });
    if (index % 10 === 0) return sign(data, { hash: new Uint8Array(20) });
    if (index % 10 === 5) return sign(bodyData(2, {}));
    return sign(data);
  });

/** Collects the threads that start while `run` is under way; the process announces them a moment later. */
const threadsOf = async <T>(run: (threads: readonly Worker[]) => Promise<T>): Promise<T> => {
  const threads: Worker[] = [];
  const collect = (worker: Worker) => threads.push(worker);
  process.on('worker', collect);
  try {
    return await run(threads);
  } finally {
    process.off('worker', collect);
  }
};

describe('createVerifyPool', () => {
  const wires = batch(700);
  const expected = wires.map((wire) => verifyWire(wire, { now: Date.now() }));

  it.each([0, 1, 2])('gives the results in order with %i threads', async (threads) => {
    const pool = openPool({ threads });
    expect(await pool.verify(wires)).toEqual(expected);
    expect(await pool.verify([])).toEqual([]);
    const parts = await Promise.all(
      [wires.slice(0, 1), wires.slice(1, 300), wires.slice(300)].map((part) => pool.verify(part)),
    );
    expect(parts.flat()).toEqual(expected);
  });

  it('passes on the network, the clock, the backend and what kind of message it is', async () => {
    const pool = openPool({ threads: 1, network: 1, backend: 'node:crypto' });
    expect(pool.backend).toBe('node:crypto');
    const soon = Math.floor((Date.now() + 900_000 - toUnixMs(0)) / 1000);
    const lend = bodyData(15, { lendStorageBody: { toFid: 2, numUnits: 1, unitType: 0 }, timestamp: 5 });
    const messages = [
      sign(castData(), { dataForm: 'data_bytes' }),
      sign(castData({ network: 3 })),
      sign(castData({ timestamp: soon })),
      sign(lend),
    ];
    const reasons = (await pool.verify(messages, { isSubmission: true })).map((result) => result.ok || result.reason);
    expect(reasons).toEqual([true, 'bad_network', 'future_timestamp', 'stale_timestamp']);
    expect(await pool.verify(messages.slice(2, 3), { futureTimestamps: 'accept' })).toEqual([{ ok: true }]);
  });

  it('uses libsodium by default', () => {
    expect(openPool({ threads: 0 }).backend).toBe('libsodium');
  });

  it('answers everything when threads die at their work', async () => {
    const warnings: string[] = [];
    await threadsOf(async (threads) => {
      const pool = openPool({ threads: 2, log: { warn: (_details, message) => warnings.push(message) } });
      await announced();
      // A command that verifies nothing pays for no thread.
      expect(threads.length).toBe(0);
      const results = pool.verify(wires);
      await announced();
      expect(threads.length).toBe(2);
      await Promise.all(threads.slice(0, 2).map((thread) => thread.terminate()));
      expect(await results).toEqual(expected);
      expect(threads.length).toBe(4);
      expect(await pool.verify(wires)).toEqual(expected);
    });
    expect(warnings).toEqual(new Array(2).fill('a verification thread died'));
  });

  it('verifies in the calling thread if all threads crash', async () => {
    const warnings: string[] = [];
    const kill = (worker: Worker) => void worker.terminate();
    process.on('worker', kill);
    try {
      const pool = openPool({ threads: 1, log: { warn: (_details, message) => warnings.push(message) } });
      expect(await pool.verify(wires)).toEqual(expected);
      expect(await pool.verify(wires)).toEqual(expected);
    } finally {
      process.off('worker', kill);
    }
    expect(warnings).toEqual([...new Array(3).fill('a verification thread died'), 'a verification thread is given up']);
  });

  it('ends its threads when nothing comes, and starts them again', async () => {
    await threadsOf(async (threads) => {
      const pool = openPool({ threads: 2, restMs: 20 });
      for (const count of [2, 4]) {
        expect(await pool.verify(wires)).toEqual(expected);
        expect(threads.length).toBe(count);
        // A thread that has ended has no number.
        await expect.poll(() => threads.map(({ threadId }) => threadId)).toEqual(new Array(count).fill(-1));
      }
    });
  });

  it('closes after what it was given, once and for all', async () => {
    const exits: number[] = [];
    await threadsOf(async (threads) => {
      const pool = createVerifyPool({ threads: 2 });
      const results = pool.verify(wires);
      await announced();
      for (const thread of threads) thread.on('exit', (code) => exits.push(code));
      await Promise.all([pool.close(), pool.close()]);
      expect(await results).toEqual(expected);
      await expect(pool.verify(wires)).rejects.toMatchObject({ kind: 'unavailable' });
    });
    expect(exits.length).toBe(2);
  });

  it.each([0, 1])('leaves the event loop free with %i threads', async (threads) => {
    const pool = openPool({ threads });
    await pool.verify(wires.slice(0, 10));
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    await pool.verify([...wires, ...wires, ...wires]);
    clearInterval(timer);
    // 2,100 messages take at least 60 ms; a blocked loop would have ticked once or twice.
    expect(ticks).toBeGreaterThan(15);
  });
});

describe('a job and its answer', () => {
  it('come out as they went in', () => {
    const parts = [new Uint8Array(0), Uint8Array.of(1, 2, 3), Uint8Array.of(4)];
    const job = packJob(7, parts, { now: 1 });
    expect(unpackJob(job)).toEqual(parts);
    expect(job.bytes.byteLength).toBe(4);
    const results = INVALID_REASONS.flatMap((reason) => [
      { ok: true } as const,
      { ok: false, reason, detail: `why ${reason}` } as const,
    ]);
    expect(decodeResponse(encodeResponse(7, results))).toEqual(results);
  });
});
