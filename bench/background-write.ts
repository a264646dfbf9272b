import type { ServiceCore } from '../src/app/service-core.js';
import { fromUnixMs } from '../src/protocol/time.js';
import { type Author, author, type CastRef } from '../src/sample/author.js';
import { createRandom } from '../src/sample/random.js';
import type { Signed } from '../src/sample/signed-message.js';
import { importBuilt } from './build-import.js';
import { handleParentMessages } from './child.js';
import { NETWORK_SEED } from './network-plan.js';

/** Signs messages of the network's accounts and submits them to a service, in a separate process. */
export type BackgroundWriteInput = WriteOrder | 'start' | 'stop' | 'close';

export interface WriteOrder {
  /** Port of the service that receives the messages, one by one; absent: they are stored here, as those of a hub are. */
  readonly port?: number;
  readonly apiKey?: string;
  /** Location of the database, for messages that are stored here. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly perSecond: number;
  /** Fids of the authors, drawn by activity. */
  readonly authors: readonly number[];
  /** Fids of followed accounts, drawn by popularity. */
  readonly followed: readonly number[];
  /** Casts that are liked or replied to, drawn by popularity. */
  readonly casts: readonly CastRef[];
  /** URL that all messages, then casts, are about. */
  readonly parent?: string;
}

/** Messages written since `start`. */
export interface WriteCount {
  readonly stored: number;
  /** Messages that the service rejected, for example duplicates of the same second. */
  readonly refused: number;
  readonly seconds: number;
}

const LIKES = 0.7;
const FOLLOWS = 0.2;
/** Share of replies among the casts; the others begin a thread. */
const REPLIES = 0.5;
const TURN_MS = 20;
/** Concurrent submits; a slower service gets fewer messages, which the rate then shows. */
const MAX_IN_FLIGHT = 64;

// Different messages in each run: those of an earlier one are already stored.
const random = createRandom('background-write', Date.now());
const known = new Map<number, Author>();
let order: WriteOrder | undefined;
let core: ServiceCore | undefined;
let timer: NodeJS.Timeout | undefined;
let started = 0;
let sent = 0;
let stored = 0;
let refused = 0;
const underWay = new Set<Promise<void>>();

const authorOf = (fid: number): Author => {
  const made = known.get(fid) ?? author({ seed: NETWORK_SEED, fid });
  known.set(fid, made);
  return made;
};

const nextMessage = ({ authors, followed, casts, parent: url }: WriteOrder): Signed => {
  const by = authorOf(random.pick(authors));
  const at = fromUnixMs(Date.now());
  if (url !== undefined) return by.cast({ text: `Written last: ${random.integer(1e9)}`, at, parent: url });
  const kind = random.next();
  if (kind < LIKES) return by.react('like', random.pick(casts), at);
  if (kind < LIKES + FOLLOWS) return by.follow(random.pick(followed.filter((fid) => fid !== by.fid)), at);
  const parent = random.chance(REPLIES) ? { parent: random.pick(casts) } : {};
  return by.cast({ text: `Written beside the reads: ${random.integer(1e9)}`, at, ...parent });
};

const submit = async (to: WriteOrder): Promise<void> => {
  const { wire } = nextMessage(to);
  const headers = { 'x-api-key': to.apiKey ?? '', 'content-type': 'application/octet-stream' };
  const response = await fetch(`http://127.0.0.1:${to.port}/v1/submitMessage`, {
    method: 'POST',
    headers,
    body: Buffer.from(wire),
  });
  const text = await response.text();
  if (response.ok) stored++;
  else if (response.status === 400) refused++;
  else throw new Error(`a message was answered with ${response.status}: ${text}`);
};

/** Stores messages in the database, in one batch. */
const ingest = async ({ ingest: { submit: store } }: ServiceCore, messages: readonly Signed[]): Promise<void> => {
  const { merged } = await store(
    messages.map(({ item }) => item),
    { source: 'hub', announce: true },
  );
  stored += merged;
  refused += messages.length - merged;
};

const openCore = async (environment: Readonly<Record<string, string>>): Promise<ServiceCore> => {
  const built = await importBuilt<typeof import('../src/app/service-core.js')>('app/service-core.js');
  const { loadStoreConfig } = await importBuilt<typeof import('../src/config/config.js')>('config/config.js');
  const { createLog } = await importBuilt<typeof import('../src/log.js')>('log.js');
  const config = loadStoreConfig({ ...environment, CASTELLAN_HUB_NETWORK: 'devnet' });
  return built.createCore(await built.openMigratedDatabase(config), config, createLog('warn'));
};

const takeTurn = (to: WriteOrder): void => {
  const due = Math.floor(((performance.now() - started) / 1000) * to.perSecond);
  if (core !== undefined) {
    const batch = Array.from({ length: due - sent }, () => nextMessage(to));
    const one = ingest(core, batch).finally(() => underWay.delete(one));
    underWay.add(one);
    sent = due;
    return;
  }
  for (; sent < due; sent++) {
    if (underWay.size >= MAX_IN_FLIGHT) continue;
    const one = submit(to).finally(() => underWay.delete(one));
    underWay.add(one);
  }
};

const start = (to: WriteOrder): void => {
  started = performance.now();
  [sent, stored, refused] = [0, 0, 0];
  timer = setInterval(takeTurn, TURN_MS, to);
};

const stop = async (): Promise<void> => {
  clearInterval(timer);
  timer = undefined;
  await Promise.all(underWay);
};

handleParentMessages<BackgroundWriteInput, WriteCount>(async (input) => {
  if (input === 'stop') await stop();
  else if (input === 'close') await core?.close();
  else if (input !== 'start') {
    order = input;
    if (input.environment !== undefined) core = await openCore(input.environment);
  } else if (order === undefined) throw new Error('nothing is known of what to write');
  else start(order);
  return { stored, refused, seconds: (performance.now() - started) / 1000 };
});
