import { FidRequest } from '@farcaster/core';
import { type Child, startChild } from './child.js';
import type { RpcClientInput } from './hub-rpc-client.js';
import type { RpcLimitInput } from './hub-rpc-limit.js';
import type { RpcServiceInput, RpcServiceReport } from './hub-rpc-service.js';
import { type Row, whole } from './table.js';
import type { Target } from './target.js';

const ACCOUNTS = 40;
const CASTS = 500;
const PAGE = 100;
const AT_ONCE = 32;
const IDLE = 1_000;
/** Measurements of each, in turn with the limit. */
const TURNS = 9;
const PAGE_TARGET = 0.25;
const STREAM_TARGET = 0.4;

const REQUESTS = Array.from({ length: ACCOUNTS }, (_, n) =>
  FidRequest.encode(FidRequest.create({ fid: 1_000 + n, pageSize: PAGE })).finish(),
);

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] as number;

/** The hub's gRPC interface beside a gRPC server that sends the same bytes from memory. */
export const measureHubRpc = async (target: Target, seconds: number): Promise<Row[]> => {
  await target.create();
  const service = startChild<RpcServiceInput, RpcServiceReport>('hub-rpc-service.ts', ['--expose-gc']);
  const limit = startChild<RpcLimitInput, { readonly address: string; readonly events: number }>('hub-rpc-limit.ts');
  const client: Child<RpcClientInput, number> = startChild('hub-rpc-client.ts');
  try {
    process.stderr.write(`writing ${whole(ACCOUNTS * CASTS)} casts into the log\n`);
    const { address, apiKey } = await service.ask({
      environment: target.environment,
      accounts: ACCOUNTS,
      casts: CASTS,
    });
    const copy = await limit.ask({ address, apiKey, requests: REQUESTS });
    const rates = {
      pages: [] as number[],
      pagesLimit: [] as number[],
      events: [] as number[],
      eventsLimit: [] as number[],
    };
    const pages = { requests: REQUESTS, seconds, atOnce: AT_ONCE };
    for (let turn = 0; turn < TURNS; turn++) {
      rates.pages.push(await client.ask({ address, apiKey, ...pages }));
      rates.pagesLimit.push(await client.ask({ address: copy.address, apiKey, ...pages }));
      rates.events.push(await client.ask({ address, apiKey, events: copy.events }));
      rates.eventsLimit.push(await client.ask({ address: copy.address, apiKey, events: copy.events }));
    }
    const before = (await service.ask('memory')).bytes;
    await client.ask({ address, apiKey, idle: IDLE });
    const after = (await service.ask('memory')).bytes;
    const row = (what: string, unit: string, own: number, bound: number, least: number): Row => ({
      what,
      measured: `${whole(own)} ${unit}/s`,
      limit: `${whole(bound)} ${unit}/s`,
      share: own / bound,
      target: { text: `>= ${100 * least}%`, isMet: own / bound >= least },
    });
    return [
      row(`gRPC: GetCastsByFid of ${PAGE}`, 'pages', median(rates.pages), median(rates.pagesLimit), PAGE_TARGET),
      row(
        'gRPC: Subscribe from the beginning',
        'events',
        median(rates.events),
        median(rates.eventsLimit),
        STREAM_TARGET,
      ),
      {
        what: `gRPC: memory of ${whole(IDLE)} streams without events`,
        measured: `${whole((after - before) / 1e6)} MB (${whole((after - before) / IDLE / 1000)} KB each)`,
      },
    ];
  } finally {
    await service.ask('stop').catch(() => undefined);
    await Promise.all([service.stop(), limit.stop(), client.stop()]);
    await target.drop();
  }
};
