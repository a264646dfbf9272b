import { randomBytes } from 'node:crypto';
import type { Database } from '../src/store/database.js';
import { type Child, startChild } from './child.js';
import type { LoadAnswer, LoadInput } from './load.js';
import type { Progress } from './progress.js';
import { startService } from './service.js';
import { forgetSigners, makeSigners } from './signer.js';
import { type Target, withDatabase } from './target.js';

/** Accounts that write, each with a signer of its own. */
const WRITERS = 256;
/** Casts that are liked; every request is another account's first like of another cast. */
const CASTS = 400;
/** The median of so many rounds is taken. */
const ROUNDS = 3;
/** Compiles the code and fills the caches. */
const WARM_UP = 2_000;

const PATH = '/v2/social/reaction/';

export interface WriteFigure {
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
  /** Of one round. */
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

/** Each account's likes of all casts, the accounts in turn, so that neighbours in time are neighbours in nothing else. */
const bodiesOf = ({ signers, casts }: Material, reaction: 'like' | 'recast', isIdempotent: boolean): string[] =>
  casts.flatMap((target, round) =>
    signers.map((_, index) => {
      const signer_uuid = signers[(index + round) % signers.length];
      const idem = isIdempotent ? { idem: randomBytes(8).toString('hex') } : {};
      return JSON.stringify({ signer_uuid, reaction_type: reaction, target, ...idem });
    }),
  );

/** @returns the one whose rate is in the middle. */
export const medianOf = (figures: readonly WriteFigure[]): WriteFigure =>
  [...figures].sort((a, b) => a.rate - b.rate)[Math.floor(figures.length / 2)] as WriteFigure;

/**
 * Measures `POST /v2/social/reaction/` of the service as people run it: from the request over the signed, verified and
 * committed message to the answer. Leaves its reactions in the database.
 */
export const measureWrites = async ({
  target,
  connections,
  seconds,
  flags,
  progress,
}: WriteInput): Promise<WriteFigure[]> => {
  const masterKey = randomBytes(32).toString('hex');
  const material = await withDatabase(target.environment, (db) => prepare(db, masterKey));
  const service = await startService({ ...target.environment, CASTELLAN_MASTER_KEY: masterKey }, flags);
  const generator: Child<LoadInput, LoadAnswer> = startChild('load.ts');
  const { port, apiKey } = service;
  const kinds = [
    { name: 'POST reaction', bodies: bodiesOf(material, 'like', false) },
    { name: 'POST reaction with idem', bodies: bodiesOf(material, 'recast', true) },
  ];
  progress.start('writes', kinds.length * ROUNDS, 'measurements');
  try {
    const figures: WriteFigure[] = [];
    for (const { name, bodies } of kinds) {
      const ask = async (part: readonly string[], length: Pick<LoadInput, 'seconds' | 'atMost'>) => {
        const before = (await service.usage()).cpuSeconds;
        const paths = part.map(() => PATH);
        const answer = await generator.ask({ port, apiKey, paths, bodies: part, connections, ...length });
        return { answer, cpuSeconds: (await service.usage()).cpuSeconds - before };
      };
      await ask(bodies.slice(0, WARM_UP), { atMost: 30 });
      const rounds: WriteFigure[] = [];
      let next = WARM_UP;
      for (let round = 0; round < ROUNDS; round++) {
        const part = bodies.slice(next);
        const { answer, cpuSeconds } = await ask(part, { seconds });
        const { requests } = answer;
        // A like that is there already writes nothing: it must not be counted as a write.
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
