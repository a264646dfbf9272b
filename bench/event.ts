import { setTimeout as wait } from 'node:timers/promises';
import type { BackgroundWriteInput, WriteCount, WriteOrder } from './background-write.js';
import { selectMaterial } from './background-writer.js';
import { type Child, startChild } from './child.js';
import type { MatchInput, MatchResult } from './event-match.js';
import type { EventReceipts } from './event-receiver.js';
import type { Progress } from './progress.js';
import { type Service, startService } from './service.js';
import type { StreamReport, StreamRequest } from './stream-client.js';
import { type Row, whole } from './table.js';
import { type Target, withDatabase } from './target.js';

const MESSAGES_PER_SECOND = 500;
const WARM_UP_SECONDS = 5;
const WRITE_SECONDS = 20;
/** Each is told of its share of the authors: one webhook gets 5,000 events a minute at most. */
const WEBHOOKS = 10;
const READERS = 2_000;
/** Messages a second while all readers are connected: each goes to every one of them. */
const READER_MESSAGES = 10;
const READER_SECONDS = 20;
/** Rows of the log that are searched for one event. */
const SCANNED_ROWS = 300_000;
const MATCH_SECONDS = 5;
const TYPES = ['cast.created', 'follow.created', 'reaction.created'];

export interface EventInput {
  readonly target: Target;
  readonly flags: readonly string[];
  readonly progress: Progress;
}

/** Stores messages as a process that follows a hub does, for some seconds. @returns those that were stored, and the rate */
const write = async (
  { environment }: Target,
  material: Omit<WriteOrder, 'port' | 'apiKey' | 'perSecond'>,
  perSecond: number,
  seconds: number,
): Promise<WriteCount> => {
  const child: Child<BackgroundWriteInput, WriteCount> = startChild('background-write.ts');
  try {
    await child.ask({ environment, perSecond, ...material });
    await child.ask('start');
    await wait(1000 * seconds);
    return await child.ask('stop');
  } finally {
    await child.ask('close');
    await child.stop();
  }
};

/** Their secrets are sealed with this run's key, and a service with another one would not start. */
const forgetWebhooks = ({ environment }: Target): Promise<void> =>
  withDatabase(environment, async (db) => {
    for (const table of ['webhook_delivery', 'webhook_secret', 'webhook']) await db.run(`delete from ${table}`);
  });

const rank = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number;

interface Measured {
  readonly service: Service;
  readonly material: Awaited<ReturnType<typeof selectMaterial>>;
  readonly target: Target;
}

const newestRow = async ({ target }: Measured): Promise<number> =>
  withDatabase(target.environment, async (db) => {
    const [row] = await db.run<{ id: number }>('select coalesce(max(id), 0)::integer as id from hub_event');
    return row?.id as number;
  });

/** From the begin of the transaction that writes an event to its arrival at the receiver of a webhook. */
const measureDelivery = async (measured: Measured): Promise<Row> => {
  const { service, material, target } = measured;
  const receiver: Child<Record<string, never>, EventReceipts> = startChild('event-receiver.ts');
  try {
    const { port } = await receiver.ask({});
    const headers = { 'x-api-key': service.apiKey, 'content-type': 'application/json' };
    const path = `http://127.0.0.1:${service.port}/v2/social/webhook/`;
    const ids: string[] = [];
    for (let index = 0; index < WEBHOOKS; index += 1) {
      const fids = material.authors.filter((fid) => fid % WEBHOOKS === index);
      const subscription = {
        'cast.created': { author_fids: fids },
        'follow.created': { fids },
        'reaction.created': { fids },
      };
      const body = JSON.stringify({ name: `bench ${index}`, url: `http://127.0.0.1:${port}/`, subscription });
      const made = (await (await fetch(path, { method: 'POST', headers, body })).json()) as {
        webhook: { webhook_id: string };
      };
      ids.push(made.webhook.webhook_id);
    }
    await write(target, material, MESSAGES_PER_SECOND, WARM_UP_SECONDS);
    const before = await newestRow(measured);
    const { stored, seconds } = await write(target, material, MESSAGES_PER_SECOND, WRITE_SECONDS);
    await wait(3_000);
    const { arrivals } = await receiver.ask({});
    for (const webhook_id of ids)
      await fetch(path, { method: 'DELETE', headers, body: JSON.stringify({ webhook_id }) });
    // Only those after the first seconds, in which the code is compiled.
    const rows = await withDatabase(target.environment, (db) =>
      db.run<{ id: number; ms: number }>(
        `select e.id::integer as id, (extract(epoch from e.at) * 1000)::float8 as ms
           from hub_event e
          where e.id > $1 and exists (select from webhook_delivery d where d.log_id = e.id)`,
        [before],
      ),
    );
    const delays = rows.flatMap(({ id, ms }) => (arrivals.has(id) ? [(arrivals.get(id) as number) - ms] : []));
    delays.sort((a, b) => a - b);
    const p95 = rank(delays, 0.95);
    return {
      what: 'events, from the transaction to the receiver of a webhook',
      measured: `${whole(delays.length / seconds)} events/s of ${whole(stored / seconds)} messages/s, p95 ${whole(p95)} ms`,
      p50: rank(delays, 0.5),
      p99: rank(delays, 0.99),
      target: { text: 'p95 < 250 ms', isMet: p95 < 250 && delays.length === rows.length },
    };
  } finally {
    await receiver.stop();
  }
};

/** Memory of the service with many open streams, each of which gets every event. */
const measureReaders = async (
  { service, material, target }: Measured,
  client: Child<StreamRequest, StreamReport>,
): Promise<Row> => {
  const { bytes: before } = await service.usage();
  const url = `http://127.0.0.1:${service.port}/v2/social/stream/?types=${TYPES}`;
  await client.ask({ open: READERS, url, apiKey: service.apiKey });
  const { stored } = await write(target, material, READER_MESSAGES, READER_SECONDS);
  const { events } = await client.ask({ until: stored * READERS });
  const { bytes } = await service.usage();
  await client.ask('close');
  const more = (bytes - before) / 1e6;
  return {
    what: `${whole(READERS)} streams, each with every event`,
    measured: `${whole(more)} MB more memory, ${whole(events / READER_SECONDS)} events/s sent`,
    target: { text: '< 300 MB', isMet: more < 300 },
  };
};

/** Reads what the log has of one time, rendered, with one stream. */
const measureReplay = async (
  { service }: Measured,
  client: Child<StreamRequest, StreamReport>,
  { since, count }: { readonly since: number; readonly count: number },
): Promise<Row> => {
  const url = `http://127.0.0.1:${service.port}/v2/social/stream/?types=${TYPES}&since=${since}`;
  await client.ask({ open: 1, url, apiKey: service.apiKey });
  const { events, seconds } = await client.ask({ until: count });
  await client.ask('close');
  const rate = events / seconds;
  return {
    what: 'replay of a stream, rendered',
    measured: `${whole(rate)} events/s of ${whole(events)}`,
    target: { text: '>= 10,000/s', isMet: rate >= 10_000 },
  };
};

/** Searches a long log for the one event that a filter matches. */
const measureScan = async (measured: Measured, client: Child<StreamRequest, StreamReport>): Promise<Row> => {
  const { service, target, material } = measured;
  const since = await newestRow(measured);
  await withDatabase(target.environment, async (db) => {
    await db.run(
      `insert into hub_event (fid, type, body)
       select e.fid, e.type, e.body
         from (select fid, type, body, row_number() over (order by id) as n from hub_event where type = 1 limit 5000) e
         cross join generate_series(1, $1::integer) copy`,
      [Math.ceil(SCANNED_ROWS / 5_000)],
    );
  });
  await write(target, { ...material, parent: 'https://bench.example/last' }, 1, 2);
  const rows = (await newestRow(measured)) - since;
  const subscription = JSON.stringify({ 'cast.created': { parent_urls: ['https://bench.example/last'] } });
  const query = new URLSearchParams({ since: String(since), subscription });
  const url = `http://127.0.0.1:${service.port}/v2/social/stream/?${query}`;
  await client.ask({ open: 1, url, apiKey: service.apiKey });
  const { seconds } = await client.ask({ until: 1 });
  await client.ask('close');
  const rate = rows / seconds;
  return {
    what: 'search of the log by a stream',
    measured: `${whole(rate)} rows/s of ${whole(rows)}`,
    target: { text: '>= 50,000/s', isMet: rate >= 50_000 },
  };
};

const measureMatches = async ({ environment }: Target): Promise<Row[]> => {
  const child: Child<MatchInput, MatchResult> = startChild('event-match.ts');
  try {
    const ask = (webhooks: number) => child.ask({ environment, webhooks, fids: 1_000, seconds: MATCH_SECONDS });
    const [few, many] = [await ask(10), await ask(1_000)];
    return [
      {
        what: 'events matched against 1,000 webhooks of 1,000 accounts each',
        measured: `${whole(many.eventsPerSecond)} events/s, ${many.matched.toFixed(1)} matches each`,
        limit: `${whole(few.eventsPerSecond)} events/s with 10 webhooks`,
        share: many.eventsPerSecond / few.eventsPerSecond,
        target: { text: '>= 100,000/s', isMet: many.eventsPerSecond >= 100_000 },
      },
    ];
  } finally {
    await child.stop();
  }
};

/**
 * Measures what goes out about what happens: webhooks and streams. Leaves its messages in the database.
 * @throws for the embedded database, which allows only one process
 */
export const measureEvents = async ({ target, flags, progress }: EventInput): Promise<Row[]> => {
  if (target.kind !== 'postgres') throw new Error('events are measured on a PostgreSQL server alone');
  const material = await withDatabase(target.environment, selectMaterial);
  await forgetWebhooks(target);
  const environment = { ...target.environment, CASTELLAN_ALLOW_LOOPBACK_TARGETS: '1', CASTELLAN_LOCAL_CHAIN: 'off' };
  // Only the development profile calls addresses of this machine; the code is the same.
  const service = await startService(environment, flags, 'dev');
  const client: Child<StreamRequest, StreamReport> = startChild('stream-client.ts');
  progress.start('events', 5, 'measurements');
  try {
    const measured = { service, material, target };
    const rows: Row[] = [];
    const add = (row: Row): void => {
      rows.push(row);
      progress.add(1);
    };
    // First: the memory of a service that has done nothing else.
    add(await measureReaders(measured, client));
    const since = await newestRow(measured);
    add(await measureDelivery(measured));
    const count = (await newestRow(measured)) - since;
    add(await measureReplay(measured, client, { since, count }));
    add(await measureScan(measured, client));
    rows.push(...(await measureMatches(target)));
    return rows;
  } finally {
    progress.stop();
    await client.stop();
    await service.stop();
    await forgetWebhooks(target);
  }
};
