import { UserDataType } from '@farcaster/core';
import { base58 } from '@scure/base';
import { getAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HubFlow, hex, startHubFlow } from './support/hub-api.js';
import { differencesFromOwnDescription, listedValues } from './support/openapi-comparison.js';
import { FIDS } from './support/seed.js';

/*
 * An account of today: values of the protocol that older descriptions of the hub interface lack. Every answer is held
 * against openapi.json, and against the contract where it lies beside the project.
 */

let hub: HubFlow;
beforeAll(async () => {
  hub = await startHubFlow(true);
  const { grace } = hub.seeded;
  const wallet = grace.wallet(1);
  await hub.seeded.send(
    await grace.verifyEthereum(wallet),
    grace.verifySolana(grace.solanaKey(0)),
    ...NEWER_DATA.map(([type, , value]) => grace.userData(type, value)),
    grace.userData(UserDataType.USER_DATA_PRIMARY_ADDRESS_ETHEREUM, getAddress(hex(wallet.address))),
    grace.userData(UserDataType.USER_DATA_PRIMARY_ADDRESS_SOLANA, base58.encode(grace.solanaKey(0).publicKey)),
    grace.link('block', FIDS.frank),
    await grace.ensProof('grace.base.eth'),
    await grace.ensProof('grace.eth'),
    grace.rent(3),
  );
});
afterAll(() => hub.stop());

/** Names in hubs (farcasterxyz/snapchain, proto/definitions/message.proto). */
const NEWER_DATA: readonly (readonly [UserDataType, name: string, value: string])[] = [
  [UserDataType.LOCATION, 'USER_DATA_TYPE_LOCATION', 'geo:12.34,-76.54'],
  [UserDataType.TWITTER, 'USER_DATA_TYPE_TWITTER', 'grace_codes'],
  [UserDataType.GITHUB, 'USER_DATA_TYPE_GITHUB', 'grace-codes'],
  [UserDataType.BANNER, 'USER_DATA_TYPE_BANNER', 'https://image.example/banner.png'],
  [
    UserDataType.PROFILE_TOKEN,
    'USER_DATA_TYPE_PROFILE_TOKEN',
    'eip155:1/erc20:0x6b175474e89094c44da98b954eedeac495271d0f',
  ],
  [UserDataType.LIVE_AT, 'USER_DATA_TYPE_LIVE_AT', 'https://live.example/grace'],
];

const get = async (operationId: string, path: string) => {
  const answer = await hub.get(operationId, path);
  expect(answer.status).toBe(200);
  expect(differencesFromOwnDescription(operationId, 200, answer.body)).toEqual([]);
  return answer;
};

test('profile entries have the names of hubs and are found by them', async () => {
  const id = 'hub-fetch-user-data';
  const path = `/v1/userDataByFid?fid=${FIDS.grace}`;
  const types = (await get(id, path)).body.messages.map(
    (message: { data: { userDataBody: { type: string } } }) => message.data.userDataBody.type,
  );
  const names = [
    ...NEWER_DATA.map(([, name]) => name),
    'USER_DATA_PRIMARY_ADDRESS_ETHEREUM',
    'USER_DATA_PRIMARY_ADDRESS_SOLANA',
  ];
  expect(types).toEqual(expect.arrayContaining(names));
  expect(listedValues('HubUserDataType')).toEqual(expect.arrayContaining(names));
  for (const name of names) {
    const { body } = await get(id, `${path}&user_data_type=${name}`);
    expect(body.data.userDataBody.type).toBe(name);
  }
});

test('a blocking link, by id, author and target', async () => {
  const link = `fid=${FIDS.grace}&target_fid=${FIDS.frank}&link_type=block`;
  const { body } = await get('hub-lookup-user-relation', `/v1/linkById?${link}`);
  expect(body.data.linkBody).toEqual({ type: 'block', targetFid: FIDS.frank });
  expect(listedValues('HubLinkType')).toContain('block');
  const byFid = await get('hub-fetch-user-following', `/v1/linksByFid?fid=${FIDS.grace}&link_type=block`);
  expect(byFid.body.messages).toEqual([body]);
  const byTarget = await get(
    'hub-fetch-user-followers',
    `/v1/linksByTargetFid?target_fid=${FIDS.frank}&link_type=block`,
  );
  expect(byTarget.body.messages).toContainEqual(body);
});

test('a basename among the proofs', async () => {
  const list = await get('hub-fetch-username-proofs-by-fid', `/v1/userNameProofsByFid?fid=${FIDS.grace}`);
  const types = list.body.proofs.map((proof: { name: string; type: string }) => [proof.name, proof.type]);
  expect(types).toContainEqual(['grace.base.eth', 'USERNAME_TYPE_BASENAME']);
  expect(types).toContainEqual(['grace.eth', 'USERNAME_TYPE_ENS_L1']);
  const one = await get('hub-fetch-username-proof-by-name', '/v1/userNameProofByName?name=grace.base.eth');
  expect(one.body.type).toBe('USERNAME_TYPE_BASENAME');
  expect(listedValues('HubUserNameType')).toContain('USERNAME_TYPE_BASENAME');
});

test('units of 2025 in the storage limits', async () => {
  const { body } = await get('hub-lookup-user-storage-limit', `/v1/storageLimitsByFid?fid=${FIDS.grace}`);
  expect(body.unitDetails).toEqual({ unitType: 'UnitType2025', unitSize: 5 });
  expect(body.units_by_type).toEqual([{ unitType: 'UnitType2025', unitSize: 5 }]);
});

test('the events of all of it', async () => {
  const types = new Set<string>();
  let from = 0;
  for (;;) {
    const { body } = await get('hub-fetch-events', `/v1/events?from_event_id=${from}`);
    for (const event of body.events) types.add(event.type);
    const last = body.events.at(-1);
    if (last === undefined || last.id + 1 === from) break;
    from = last.id + 1;
  }
  expect([...types].sort()).toEqual([
    'HUB_EVENT_TYPE_MERGE_MESSAGE',
    'HUB_EVENT_TYPE_MERGE_ON_CHAIN_EVENT',
    'HUB_EVENT_TYPE_MERGE_USERNAME_PROOF',
  ]);
});
