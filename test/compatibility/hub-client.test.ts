import { getInsecureHubRpcClient, HubServiceService, Message, Metadata } from '@farcaster/hub-nodejs';
import { expect, test } from 'vitest';
import { UNAVAILABLE_RPCS } from '../../src/api/grpc/rpc-list.js';
import { fromUnixMs } from '../../src/protocol/time.js';
import { DAY } from '../../src/sample/clock.js';
import { startNetwork } from '../support/network.js';
import { FIDS, seedBasics } from '../support/seed.js';
import { recordRun } from './record.js';

test('the client of the protocol calls every method', async () => {
  const network = await startNetwork({}, undefined, { hubRpc: {} });
  const seeded = await seedBasics(
    (items) => network.app.core.ingest.submit(items, { source: 'hub', announce: true }),
    fromUnixMs(Date.now()) - DAY,
  );
  const client = getInsecureHubRpcClient(network.hubRpc);
  const key = new Metadata();
  key.set('x-api-key', network.apiKey);
  const { alice, heidi, casts } = seeded;
  const targetCastId = { fid: casts.hello.fid, hash: casts.hello.hash };
  // What each request needs, of all requests together: the client sends the members that a request has.
  const common = {
    ...{ fid: alice.fid, hash: casts.hello.hash, shardId: 1, shardIndex: 1, id: 16_384, startId: 0, eventType: 1 },
    ...{ targetCastId, parentCastId: targetCastId, reactionType: 1, linkType: 'follow', userDataType: 1 },
    ...{
      name: Buffer.from('alice'),
      signer: alice.signer,
      requesterFids: [],
      messages: [],
      eventTypes: [1],
      fromId: 0,
    },
    ...{ startBlockNumber: 0, stopBlockNumber: 1, prefix: new Uint8Array() },
  };
  const own: Readonly<Record<string, object>> = {
    submitMessage: Message.decode(heidi.cast({ text: 'By the client of the protocol' }).wire),
    validateMessage: Message.decode(heidi.cast({ text: 'Only looked at' }).wire),
    getReaction: { ...common, fid: FIDS.carol },
    getLink: { ...common, fid: FIDS.bob, targetFid: FIDS.alice },
    getLinksByTarget: { ...common, targetFid: FIDS.alice },
    getVerification: { ...common, address: alice.wallet(1).address },
    getIdRegistryOnChainEventByAddress: { address: alice.custody.address },
    getFidAddressType: { ...common, address: alice.custody.address },
  };
  const names = Object.keys(HubServiceService);
  const calls: Record<string, boolean> = {};
  for (const name of names.filter((one) => !(one in UNAVAILABLE_RPCS))) {
    const method = Reflect.get(client, name) as (request: object, metadata: Metadata) => Promise<unknown>;
    const result = (await method.call(client, own[name] ?? common, key)) as { isOk(): boolean; value: unknown };
    calls[name] = result.isOk();
    expect([name, result]).toEqual([name, expect.objectContaining({ value: expect.anything() })]);
    if (name !== 'subscribe') continue;
    const stream = result.value as AsyncIterable<{ id: number }> & {
      cancel(): void;
      on(name: 'error', call: () => void): void;
    };
    stream.on('error', () => undefined);
    for await (const { id } of stream) {
      expect([id > 0, id % 16_384]).toEqual([true, 0]);
      break;
    }
    stream.cancel();
  }
  const left = Object.keys(UNAVAILABLE_RPCS);
  recordRun('@farcaster/hub-nodejs', calls, {
    summary: `all ${names.length} methods, but for ${left.join(', ')} (UNIMPLEMENTED)`,
    isOfProject: true,
  });
  client.close();
  await network.stop();
});
