import { randomBytes } from 'node:crypto';
import type { Database } from '../src/db/database.js';
import { type Child, startChild } from './child.js';
import type { LoadInput, LoadResult } from './load.js';
import type { Progress } from './progress.js';
import { startService } from './service.js';
import { forgetSigners, makeSigners } from './signer.js';
import { type Target, withDatabase } from './target.js';

/** Number of accounts that write, each with its own signer. */
const WRITERS = 256;
/** Number of liked casts; every request is an account's first like of a cast. */
const CASTS = 400;
/** Rounds, of which the median is reported. */
const ROUNDS = 3;
/** Compiles the code and fills the caches. */
const WARM_UP = 2_000;

const PATH = '/v2/social/reaction/';

export interface WriteResult {
  readonly name: string;
  /** Requests a second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of the service's processor time for each request. */
  readonly cpu: number;
}

export interface WriteInput {
  readonly target: Target;
  readonly connections: number;
  /** Seconds of one round. */
  readonly seconds: number;
  readonly flags: readonly string[];
  readonly progress: Progress;
}

interface Material {
  readonly signers: readonly string[];
  /** Hex with 0x. */
  readonly casts: readonly string[];
}

const prepare = async (db: Database, masterKey: string): Promise<Material> => {
  const signers = await makeSigners(db, masterKey, WRITERS);
  const casts = await db.run<{ hash: string }>(
    `select '0x' || encode(hash, 'hex') as hash from "cast" order by md5(hash) limit $1`,
    [CASTS],
  );
  return { signers: signers.map(({ uuid }) => uuid), casts: casts.map(({ hash }) => hash) };
};

/** Each account's likes of all casts, interleaved, so that consecutive requests share neither account nor cast. */
const bodiesOf = ({ signers, casts }: Material, reaction: 'like' | 'recast', isIdempotent: boolean): string[] =>
  casts.flatMap((target, round) =>
    signers.map((_, index) => {
      const signer_uuid = signers[(index + round) % signers.length];
      const idem = isIdempotent ? { idem: randomBytes(8).toString('hex') } : {};
      return JSON.stringify({ signer_uuid, reaction_type: reaction, target, ...idem });
    }),
  );

/** @returns the result with the median rate */
export const medianOf = (figures: readonly WriteResult[]): WriteResult =>
  [...figures].sort((a, b) => a.rate - b.rate)[Math.floor(figures.length / 2)] as WriteResult;

/**
 * Measures `POST /v2/social/reaction/` in the production service, from the request to the response after the message
 * was signed, verified and committed. Leaves its reactions in the database.
 */
export const measureWrites = async ({
  target,
  connections,
  seconds,
  flags,
  progress,
}: WriteInput): Promise<WriteResult[]> => {
  const masterKey = randomBytes(32).toString('hex');
  const material = await withDatabase(target.environment, (db) => prepare(db, masterKey));
  const service = await startService({ ...target.environment, CASTELLAN_MASTER_KEY: masterKey }, flags);
  const generator: Child<LoadInput, LoadResult> = startChild('load.ts');
  const { port, apiKey } = service;
  const kinds = [
    { name: 'POST reaction', bodies: bodiesOf(material, 'like', false) },
    { name: 'POST reaction with idem', bodies: bodiesOf(material, 'recast', true) },
  ];
  progress.start('writes', kinds.length * ROUNDS, 'measurements');
  try {
    const figures: WriteResult[] = [];
    for (const { name, bodies } of kinds) {
      const ask = async (part: readonly string[], length: Pick<LoadInput, 'seconds' | 'atMost'>) => {
        const before = (await service.usage()).cpuSeconds;
        const paths = part.map(() => PATH);
        const answer = await generator.ask({ port, apiKey, paths, bodies: part, connections, ...length });
        return { answer, cpuSeconds: (await service.usage()).cpuSeconds - before };
      };
      await ask(bodies.slice(0, WARM_UP), { atMost: 30 });
      const rounds: WriteResult[] = [];
      let next = WARM_UP;
      for (let round = 0; round < ROUNDS; round++) {
        const part = bodies.slice(next);
        const { answer, cpuSeconds } = await ask(part, { seconds });
        const { requests } = answer;
        // Liking again writes nothing and must not be counted as a write.
        if (requests > part.length) throw new Error('there were not enough casts to like: take fewer --seconds');
        next += requests + connections;
        const cpu = (1e6 * cpuSeconds) / requests;
        rounds.push({ name, rate: requests / answer.seconds, p50: answer.p50, p99: answer.p99, cpu });
        progress.add(1);
      }
      figures.push(medianOf(rounds));
    }
    return figures;
  } finally {
    progress.stop();
    await generator.stop();
    await service.stop();
    await withDatabase(target.environment, forgetSigners);
  }
};
