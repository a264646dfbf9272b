import { randomBytes } from 'node:crypto';
import { type Child, startChild } from './child.js';
import type { LoadInput, LoadResult } from './load.js';
import type { ReceiverResponse } from './receiver.js';
import { startService } from './service.js';
import { forgetSigners, makeSigners } from './signer.js';
import { withDatabase } from './target.js';
import { medianOf, type WriteInput, type WriteResult } from './write.js';

/** So many that a user's next event never has to wait for the previous one. */
const USERS = 1024;
const ROUNDS = 3;
/** Compiles the code, and reads the manifest. */
const WARM_UP_SECONDS = 2;

const PATH = '/v2/social/app_host/user/event/';

/** Delivered events, compared with the receiver's own limit. */
export interface HostResult extends WriteResult {
  /** Requests a second, on connections that stay open. */
  readonly limit: number;
}

/**
 * Measures events of mini-app hosts from the request through signature, outbox and webhook to the response, which
 * confirms the delivery. Leaves its events in the database.
 *
 * @throws if an event was not delivered
 */
export const measureHost = async ({
  target,
  connections,
  seconds,
  flags,
  progress,
}: WriteInput): Promise<HostResult> => {
  const masterKey = randomBytes(32).toString('hex');
  const signers = await withDatabase(target.environment, (db) => makeSigners(db, masterKey, USERS));
  const receiver: Child<Record<string, never>, ReceiverResponse> = startChild('receiver.ts');
  const generator: Child<LoadInput, LoadResult> = startChild('load.ts');
  const at = await receiver.ask({});
  const app_domain = `localhost:${at.port}`;
  const bodies = signers.map(({ uuid, fid }) =>
    JSON.stringify({ app_domain, fid, signer_uuid: uuid, event: 'frame_added' }),
  );
  const environment = { ...target.environment, CASTELLAN_MASTER_KEY: masterKey, CASTELLAN_ALLOW_LOOPBACK_TARGETS: '1' };
  // Only the development profile calls addresses of this machine; the code is the same.
  const service = await startService(environment, flags, 'dev');
  progress.start('host events', ROUNDS, 'measurements');
  try {
    const post = (port: number, path: string, length: number) =>
      generator.ask({
        port,
        apiKey: service.apiKey,
        paths: bodies.map(() => path),
        bodies,
        connections,
        seconds: length,
      });
    const limit = await post(at.port, '/webhook', WARM_UP_SECONDS);
    await post(service.port, PATH, WARM_UP_SECONDS);
    const rounds: WriteResult[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const [cpuBefore, before] = [(await service.usage()).cpuSeconds, (await receiver.ask({})).events];
      const { requests, seconds: took, p50, p99 } = await post(service.port, PATH, seconds);
      const [cpuAfter, after] = [(await service.usage()).cpuSeconds, (await receiver.ask({})).events];
      // The load generator drops up to one response on each connection at the end.
      if (after - before < requests) throw new Error(`${requests} events were answered, ${after - before} arrived`);
      const cpu = (1e6 * (cpuAfter - cpuBefore)) / requests;
      rounds.push({ name: 'POST app_host event, delivered', rate: requests / took, p50, p99, cpu });
      progress.add(1);
    }
    return { ...medianOf(rounds), limit: limit.requests / limit.seconds };
  } finally {
    progress.stop();
    await generator.stop();
    await receiver.stop();
    await service.stop();
    await withDatabase(target.environment, forgetSigners);
  }
};
