import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserDataType } from '@farcaster/core';
import { Configuration, NeynarAPIClient, NeynarHubClient } from '@neynar/nodejs-sdk';
import { fromUnixMs } from '../../src/protocol/time.js';
import { DAY } from '../../src/sample/clock.js';
import { keyWith } from '../support/app.js';
import { storeChannels } from '../support/channel.js';
import { say, startFakeModel } from '../support/fake-model.js';
import { type Network, startNetwork } from '../support/network.js';
import { makeTenant } from '../support/organization.js';
import { CHANNEL_URL, FIDS, type Seeded, seedBasics } from '../support/seed.js';
import type { Clients } from './case.js';
import { type Described, readDescription } from './operation-description.js';
import { type Recorder, startRecorder } from './recorder.js';

/** Keys that an operation refuses, each for its own reason. */
export interface Refused {
  /** No key of this service: 401. */
  readonly unknown: string;
  /** Of an organization whose units are used up: 402. */
  readonly spent: string;
  /** Of an organization that may ask once a minute: 429. */
  readonly slow: string;
  /** Lack the scope of every operation, of the portal and of all others: 403, or 401 where that is not listed. */
  readonly narrow: { readonly portal: string; readonly other: string };
}

/** The running service with what the public client needs to try it. */
export interface Environment {
  readonly network: Network;
  readonly seeded: Seeded;
  readonly recorder: Recorder;
  readonly described: readonly Described[];
  readonly refused: Refused;
  /** Clients with the network's own key. @param headers that they send with each request */
  clients(key?: string, headers?: Record<string, string>): Clients;
  stop(): Promise<void>;
}

const plan = (id: string, units: number | null, requestsPerMinute: number | null, priceCents = 0) => ({
  id,
  name: id,
  category: 'API',
  tier: id,
  priceCents,
  units,
  requestsPerMinute,
  webhooks: null,
  apps: null,
});

const PLANS = [
  plan('endless', null, null),
  plan('spent', 1, null),
  plan('slow', null, 1),
  plan('growth', 1_000_000, null, 4900),
  plan('scale', 2_000_000, null, 9900),
  plan('top', 3_000_000, null, 19_900),
];

const clientsAt = (url: string, key: string, headers: Record<string, string> = {}): Clients => {
  const configuration = new Configuration({ apiKey: key, basePath: url, baseOptions: { headers } });
  return {
    api: new NeynarAPIClient(configuration),
    hub: new NeynarHubClient(configuration),
    key,
    with: (more) => clientsAt(url, key, { ...headers, ...more }),
    plain: async (method, path, body) => {
      const isBytes = body instanceof Uint8Array;
      const type = isBytes ? 'application/octet-stream' : 'application/json';
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { 'x-api-key': key, ...headers, ...(body === undefined ? {} : { 'content-type': type }) },
        ...(body === undefined ? {} : { body: isBytes ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
    },
  };
};

const refusedKeys = async (network: Network): Promise<Refused> => {
  const onPlan = async (id: string): Promise<string> => {
    const tenant = await makeTenant(network, id);
    // Whoever may use one unit has used it.
    await network.sql('update subscription set plan_id = $1, used_units = 1 where organization_id = $2', [
      id,
      tenant.id,
    ]);
    return tenant.headers['x-api-key'];
  };
  const keyOf = (headers: Record<string, string>): string => headers['x-api-key'] as string;
  return {
    unknown: 'cst_of_nobody',
    spent: await onPlan('spent'),
    slow: await onPlan('slow'),
    narrow: { portal: keyOf(await keyWith(network, 'read')), other: keyOf(await keyWith(network, 'portal')) },
  };
};

/** What every service that is tried is told. */
export const environmentOf = (plansFile: string, modelUrl: string): Record<string, string> => ({
  CASTELLAN_WIRE_NAMES: 'ecosystem',
  CASTELLAN_QUOTA_MODE: 'enforce',
  CASTELLAN_PLANS_FILE: plansFile,
  CASTELLAN_DEFAULT_PLAN: 'endless',
  CASTELLAN_RATE_LIMIT_PER_MINUTE: '',
  CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true',
  CASTELLAN_SUMMARY_URL: modelUrl,
  CASTELLAN_SUMMARY_MODEL: 'small',
});

/** Parent URL of a second channel. */
export const KITCHEN_URL = 'https://channel.example/~/channel/kitchen';

/** What lists need to have a second page. */
const seedMore = async ({ alice, bob, carol, dan, erin, casts, send }: Seeded): Promise<void> => {
  await send(
    dan.userData(UserDataType.TWITTER, 'dan_x'),
    alice.react('like', casts.quote),
    alice.react('recast', casts.reply),
    alice.react('like', casts.deepReply),
    bob.react('like', casts.hello),
    bob.cast({ text: 'A picture', embeds: ['https://image.example/tomato.png'] }),
    bob.cast({ text: 'More beans', parent: casts.hello }),
    carol.cast({ text: ['In the garden, ', bob.fid], parent: CHANNEL_URL }),
    dan.react('like', casts.channel),
    alice.cast({ text: 'Beans too', parent: CHANNEL_URL, embeds: ['https://news.example/beans'] }),
    alice.cast({ text: 'And tomatoes', parent: casts.channel, embeds: [casts.reply] }),
    carol.cast({ text: ['Look, ', alice.fid], embeds: [casts.reply] }),
    erin.cast({ text: ['Tomatoes? ', alice.fid], parent: casts.hello }),
    erin.link('block', dan.fid),
    carol.link('block', erin.fid),
  );
};

/**
 * Starts the service, seeds it, and puts the recorder between it and the clients.
 *
 * @param start makes the network; a plain one unless given
 */
export const startEnvironment = async (
  start: (environment: Record<string, string>) => Promise<Network> = (environment) => startNetwork(environment),
): Promise<Environment> => {
  const folder = await mkdtemp(join(tmpdir(), 'castellan-conformance-'));
  const plansFile = join(folder, 'plans.json');
  await writeFile(plansFile, JSON.stringify({ plans: PLANS }));
  const model = await startFakeModel();
  model.answer = say('A summary that names bob.');
  const network = await start(environmentOf(plansFile, model.url));
  await storeChannels(network.app.core.db, [
    { id: 'garden', parentUrl: CHANNEL_URL, name: 'Garden', leadFid: FIDS.carol },
    { id: 'kitchen', parentUrl: KITCHEN_URL, name: 'Kitchen garden', leadFid: FIDS.carol },
  ]);
  await network.sql(
    "insert into channel_follow select c.id, f, now() - interval '1 hour' from channel c, unnest($1::bigint[]) f",
    [[FIDS.alice, FIDS.erin]],
  );
  // Storage lasts a year: the seed must not be older than that.
  const seeded = await seedBasics((items) => network.load(items), fromUnixMs(Date.now()) - DAY);
  await seedMore(seeded);
  const document = await network.get('/openapi.json?names=ecosystem');
  const recorder = await startRecorder(network.url);
  return {
    network,
    seeded,
    recorder,
    described: readDescription(document.body),
    refused: await refusedKeys(network),
    clients: (key = network.apiKey, headers = {}) => clientsAt(recorder.url, key, headers),
    stop: async () => {
      await recorder.stop();
      await network.stop();
      await model.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
