import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HubFlow, hex, startHubFlow } from './support/hub-api.js';
import { FIDS } from './support/seed.js';

let hub: HubFlow;
beforeAll(async () => {
  hub = await startHubFlow();
});
afterAll(() => hub.stop());

test('usernames: the proofs of an account, and the account of a name', async () => {
  const proofs = await hub.get('hub-fetch-username-proofs-by-fid', `/v1/userNameProofsByFid?fid=${FIDS.alice}`);
  expect(proofs.body.proofs).toMatchObject([
    { name: 'alice', fid: FIDS.alice, type: 'USERNAME_TYPE_FNAME', owner: hex(hub.seeded.alice.custody.address) },
  ]);
  const one = (name: string) => hub.get('hub-fetch-username-proof-by-name', `/v1/userNameProofByName?name=${name}`);
  expect((await one('alice')).body).toEqual(proofs.body.proofs[0]);
  expect(await one('nobody')).toMatchObject({ status: 404, body: { errCode: 'not_found' } });
  await hub.refused('hub-fetch-username-proof-by-name', '/v1/userNameProofByName?name=', /^name must be/);
});

test('a name proved later by another account leaves the list of the first', async () => {
  await hub.submit([await hub.seeded.grace.fnameProof('heidi')]);
  const list = async (fid: number) => {
    const { body } = await hub.get('hub-fetch-username-proofs-by-fid', `/v1/userNameProofsByFid?fid=${fid}`);
    return body.proofs.map((proof: { name: string }) => proof.name);
  };
  expect(await list(FIDS.heidi)).toEqual([]);
  expect(await list(FIDS.grace)).toEqual(['grace', 'heidi']);
  expect(await list(99)).toEqual([]);
});

test('verifications of both chains, all or of one address', async () => {
  const id = 'hub-fetch-verifications-by-fid';
  const { alice } = hub.seeded;
  const ethereum = await hub.get(id, `/v1/verificationsByFid?fid=${FIDS.alice}`);
  const address = hex(alice.wallet(1).address);
  expect(ethereum.body.messages).toMatchObject([
    {
      data: {
        type: 'MESSAGE_TYPE_VERIFICATION_ADD_ETH_ADDRESS',
        verificationAddEthAddressBody: { address },
        verificationAddAddressBody: { address, protocol: 'PROTOCOL_ETHEREUM' },
      },
    },
  ]);
  const solana = await hub.get(id, `/v1/verificationsByFid?fid=${FIDS.bob}`);
  const solanaAddress = solana.body.messages[0].data.verificationAddEthAddressBody.address;
  expect(solanaAddress).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
  const only = (fid: number, one: string) => hub.get(id, `/v1/verificationsByFid?fid=${fid}&address=${one}`);
  expect((await only(FIDS.bob, solanaAddress)).body).toEqual(solana.body);
  expect((await only(FIDS.alice, address.toUpperCase().replace('0X', '0x'))).body).toEqual(ethereum.body);
  expect((await only(FIDS.bob, address)).body).toEqual({ messages: [], nextPageToken: '' });
  await hub.refused(id, `/v1/verificationsByFid?fid=${FIDS.alice}&address=0x12`, /^address must be an Ethereum/);
});

test('onchain events by type; active signers; the account of a custody address', async () => {
  const events = (type: string | number) =>
    hub.get('hub-fetch-user-on-chain-events', `/v1/onChainEventsByFid?fid=${FIDS.dan}&event_type=${type}`);
  const rents = await events('EVENT_TYPE_STORAGE_RENT');
  expect(rents.body.events).toMatchObject([{ fid: FIDS.dan, storageRentEventBody: { units: 2 } }]);
  expect(await events(4)).toEqual(rents);
  expect((await events('EVENT_TYPE_SIGNER_MIGRATED')).body).toEqual({ events: [] });
  const id = 'hub-fetch-user-on-chain-events';
  await hub.refused(id, `/v1/onChainEventsByFid?fid=${FIDS.dan}&event_type=EVENT_TYPE_PARTY`, /^event_type must be/);
  await hub.refused(id, `/v1/onChainEventsByFid?fid=${FIDS.dan}`, /^event_type is required/);

  const { dan } = hub.seeded;
  const second = dan.withKey(1);
  await hub.submit([await second.addSigner()]);
  const path = `/v1/onChainSignersByFid?fid=${FIDS.dan}`;
  const signers = async () => {
    const { body } = await hub.get('hub-fetch-user-on-chain-signers-events', path);
    return body.events.map((event: { signerEventBody: { key: string } }) => event.signerEventBody.key);
  };
  expect(await signers()).toEqual([hex(dan.signer), hex(second.signer)]);
  const one = () => hub.get('hub-fetch-user-on-chain-signers-events', `${path}&signer=${hex(second.signer)}`);
  expect((await one()).body.signerEventBody).toMatchObject({ eventType: 'SIGNER_EVENT_TYPE_ADD' });
  await hub.submit([second.removeSigner()]);
  expect(await signers()).toEqual([hex(dan.signer)]);
  expect(await one()).toMatchObject({ status: 404, body: { errCode: 'not_found' } });
  await hub.refused('hub-fetch-user-on-chain-signers-events', `${path}&signer=0x00`, /^signer must be 0x and 64 hex/);
});

test('an account is found by its custody address, and after a transfer only by the new one', async () => {
  const { frank } = hub.seeded;
  const find = (address: string) =>
    hub.get(
      'hub-lookup-on-chain-id-registry-event-by-address',
      `/v1/onChainIdRegistryEventByAddress?address=${address}`,
    );
  const [first, second] = [hex(frank.wallet(0).address), hex(frank.wallet(3).address)];
  expect((await find(first)).body).toMatchObject({
    fid: FIDS.frank,
    idRegisterEventBody: { eventType: 'ID_REGISTER_EVENT_TYPE_REGISTER', to: first },
  });
  expect((await find(second)).status).toBe(404);
  await hub.submit([frank.transfer(3)]);
  expect((await find(first)).status).toBe(404);
  expect((await find(second)).body.idRegisterEventBody).toMatchObject({
    eventType: 'ID_REGISTER_EVENT_TYPE_TRANSFER',
    from: first,
  });
  await hub.refused(
    'hub-lookup-on-chain-id-registry-event-by-address',
    '/v1/onChainIdRegistryEventByAddress?address=0x',
    /^address must be/,
  );
});

test('storage limits follow the units that are rented and lent', async () => {
  const limits = async (fid: number) =>
    (await hub.get('hub-lookup-user-storage-limit', `/v1/storageLimitsByFid?fid=${fid}`)).body;
  const before = await limits(FIDS.erin);
  expect(before.units).toBe(2);
  expect(before.unitDetails.unitSize).toBe(2);
  expect(before.units_by_type).toHaveLength(1);
  expect(before.tier_subscriptions).toEqual([]);
  expect(before.limits.map((limit: { storeType: string }) => limit.storeType)).toEqual([
    'STORE_TYPE_CASTS',
    'STORE_TYPE_LINKS',
    'STORE_TYPE_REACTIONS',
    'STORE_TYPE_USER_DATA',
    'STORE_TYPE_VERIFICATIONS',
    'STORE_TYPE_USERNAME_PROOFS',
  ]);
  const [casts] = before.limits;
  await hub.submit([hub.seeded.erin.rent(3), hub.seeded.erin.buyPro(365)]);
  const after = await limits(FIDS.erin);
  expect(after.units).toBe(5);
  expect(after.limits[0].limit).toBe((casts.limit / 2) * 5);
  expect(after.tier_subscriptions).toMatchObject([{ tier_type: 'Pro' }]);
  const nobody = await limits(12_345);
  expect(nobody).toMatchObject({ units: 0, units_by_type: [] });
  expect(nobody.limits.every((limit: { limit: number }) => limit.limit === 0)).toBe(true);
});

test('fids in pages, in both directions', async () => {
  const fids = async (query: string) => (await hub.get('hub-fetch-fids', `/v1/fids?${query}`)).body;
  const all = Object.values(FIDS).sort((a, b) => a - b);
  expect(await fids('shard_id=1')).toEqual({ fids: all, nextPageToken: '' });
  const first = await fids('shard_id=1&pageSize=4');
  expect(first.fids).toEqual(all.slice(0, 4));
  const next = `&pageToken=${encodeURIComponent(first.nextPageToken)}`;
  expect(await fids(`shard_id=1&pageSize=5${next}`)).toEqual({ fids: all.slice(4), nextPageToken: '' });
  expect((await fids(`shard_id=1&reverse=true${next}`)).fids).toEqual(all.slice(0, 3).toReversed());
  expect((await fids('shard_id=0&reverse=true')).fids).toEqual(all.toReversed());
  // Clients that are older than shards name none.
  expect(await fids('')).toEqual({ fids: all, nextPageToken: '' });
  await hub.refused('hub-fetch-fids', '/v1/fids?shard_id=2', /^shard_id must be 1/);
  for (const token of ['abc', '/////////w==', `${'A'.repeat(32)}`, '//////////8=']) {
    await hub.refused(
      'hub-fetch-fids',
      `/v1/fids?shard_id=1&pageToken=${encodeURIComponent(token)}`,
      /^pageToken must/,
    );
  }
});

test('info describes the service, with counts on request', async () => {
  const { body } = await hub.get('hub-lookup-info', '/v1/info?dbstats=false');
  expect(body).toMatchObject({ isSyncing: false, hubOperatorFid: 0 });
  expect(body.dbStats).toBeUndefined();
  const counted = await hub.get('hub-lookup-info', '/v1/info?dbstats=true');
  expect(counted.body.dbStats.numMessages).toBeGreaterThan(50);
  expect(counted.body.dbStats.numFidEvents).toBeGreaterThanOrEqual(Object.keys(FIDS).length);
  expect(counted.body.dbStats.numFnameEvents).toBeGreaterThanOrEqual(Object.keys(FIDS).length);
  expect((await hub.get('hub-lookup-info', '/v1/info')).body).toEqual(body);
});

test('without a key, with a read-only key and with a wrong method, the response is a hub error', async () => {
  const { fastify } = hub.shell.server;
  const missing = await fastify.inject({ url: '/v1/info?dbstats=true' });
  expect([missing.statusCode, missing.json().errCode]).toEqual([401, 'unauthenticated']);
  const reading = await hub.shell.key(['read']);
  const headers = { 'x-api-key': reading, 'content-type': 'application/octet-stream' };
  const write = await fastify.inject({ method: 'POST', url: '/v1/submitMessage', headers, payload: Buffer.from('x') });
  expect([write.statusCode, write.json().errCode]).toEqual([403, 'unauthorized']);
  const wrong = await fastify.inject({ method: 'DELETE', url: '/v1/castsByFid', headers: { 'x-api-key': reading } });
  expect([wrong.statusCode, wrong.json().name]).toEqual([405, 'HubError']);
});
