import { setTimeout as wait } from 'node:timers/promises';
import type { App } from '../src/app.js';
import { importBuilt } from './build-import.js';
import { handleParentMessages } from './child.js';
import type { Target } from './target.js';

/** The service with accounts whose casts are in its log, in a separate process. */
export type RpcServiceInput =
  | {
      readonly environment: Target['environment'];
      readonly accounts: number;
      /** Of each account. */
      readonly casts: number;
    }
  /** Returns the bytes in use after a collection. */
  | 'memory'
  | 'stop';

export interface RpcServiceReport {
  /** `host:port` of the gRPC interface. */
  readonly address: string;
  readonly apiKey: string;
  readonly bytes: number;
}

const FIRST_FID = 1_000;
const API_KEY = 'key-of-the-benchmark-of-the-hub-interface';
/** Messages of one submission. */
const CHUNK = 1_000;

let app: App | undefined;
let address = '';

const load = async (started: App, accounts: number, casts: number): Promise<void> => {
  const { author } = await importBuilt<typeof import('../src/sample/author.js')>('sample/author.js');
  const { createClock } = await importBuilt<typeof import('../src/sample/clock.js')>('sample/clock.js');
  const clock = createClock(Math.floor((Date.now() - Date.UTC(2021, 0, 1)) / 1000) - 10 * accounts * casts);
  const { ingest } = started.core;
  for (let n = 0; n < accounts; n++) {
    const writer = author({ seed: 'bench', fid: FIRST_FID + n, clock });
    const introduction = [writer.register(), writer.rent(20), await writer.addSigner()];
    await ingest.submit(introduction, { source: 'sample', announce: false });
    for (let done = 0; done < casts; done += CHUNK) {
      const messages = Array.from({ length: Math.min(CHUNK, casts - done) }, (_, m) =>
        writer.cast({ text: `Cast ${done + m} of ${n}, about as long as a cast usually is: a sentence or two.` }),
      );
      await ingest.submit(
        messages.map(({ item }) => item),
        { source: 'hub', announce: true },
      );
    }
  }
};

/** The memory of buffers is freed apart from the collection, and counted only then. */
const collect = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) {
    globalThis.gc?.();
    await wait(200);
  }
};

const start = async ({ environment, accounts, casts }: Exclude<RpcServiceInput, string>): Promise<void> => {
  const { createApp } = await importBuilt<typeof import('../src/app.js')>('app.js');
  const { loadConfig } = await importBuilt<typeof import('../src/config/config.js')>('config/config.js');
  const { createLog } = await importBuilt<typeof import('../src/log.js')>('log.js');
  const config = loadConfig('dev', { ...environment, CASTELLAN_API_KEY: API_KEY, CASTELLAN_CRAWL: '0' });
  const hubRpc = { port: 0, isMovable: false, tls: undefined };
  app = await createApp({ ...config, port: 0, metrics: undefined, hubRpc }, { log: createLog('warn') });
  const { hubRpcPort } = await app.start();
  address = `127.0.0.1:${hubRpcPort}`;
  await load(app, accounts, casts);
};

handleParentMessages<RpcServiceInput, RpcServiceReport>(async (input) => {
  if (input === 'stop') await app?.stop();
  else if (input !== 'memory') await start(input);
  await collect();
  const { heapUsed, external } = process.memoryUsage();
  return { address, apiKey: API_KEY, bytes: heapUsed + external };
});

process.on('disconnect', () => process.exit());
