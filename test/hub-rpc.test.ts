import { getInsecureHubRpcClient, HubEventType, type HubRpcClient } from '@farcaster/hub-nodejs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

let network: Network;
let seeded: Seeded;
let client: HubRpcClient;
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_PUBLIC_READS: 'hub' }, undefined, { hubRpc: {} });
  seeded = await seedBasics(async (items) => expect((await network.load(items)).invalid).toEqual({}));
  client = getInsecureHubRpcClient(network.hubRpc);
});
afterAll(async () => {
  client.close();
  await network.stop();
});

test('a cast is read as it was signed', async () => {
  const { hello } = seeded.casts;
  const cast = (await client.getCast({ fid: FIDS.alice, hash: hello.hash }))._unsafeUnwrap();
  expect(cast.data?.castAddBody?.text).toBe('x');
});
test('all', async () => {
  console.log(await client.getInfo({}));
  console.log(await client.getAllCastMessagesByFid({fid: FIDS.alice}));
  console.log(await client.getEvents({startId: 0}));
  console.log(await client.getCurrentStorageLimitsByFid({fid: FIDS.alice}));
  console.log(await client.getBlocks({shardId: 1} as never));
  console.log(await client.getConnectedPeers({}));
  const s = (await client.subscribe({eventTypes: [1,2,3,4,5,6,7,8,9,10,11,12], fromId: 0}))._unsafeUnwrap();
  s.on('error', (e) => console.log('error', e));
  s.on('data', (e) => console.log('event', e));
  await seeded.send(seeded.alice.cast({text: 'one more'}));
  await new Promise((r) => setTimeout(r, 1500));
  const report = await network.app.core.ingest.submit([seeded.alice.cast({text: 'announced'}).item], {source: 'hub', announce: true});
  console.log(report);
  await new Promise((r) => setTimeout(r, 1500));
  s.cancel();
});
