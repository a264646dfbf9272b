import { FarcasterNetwork, MessageType, ReactionType } from '@farcaster/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../src/ingest/pipeline/audit.js';
import { signerKey } from '../src/sample/key.js';
import { derive } from '../src/sample/random.js';
import { type Signed, signed } from '../src/sample/signed-message.js';
import { type HubFlow, hashesOf, hex, startHubFlow } from './support/hub-api.js';
import { FIDS, SEED } from './support/seed.js';

let hub: HubFlow;
beforeAll(async () => {
  hub = await startHubFlow();
});
afterAll(() => hub.stop());

/** A reaction to alice's first cast, of a type that no client offers. */
const reactionOfNoType = (fid: number, type: MessageType = MessageType.REACTION_ADD): Signed =>
  signed(
    {
      type,
      fid,
      timestamp: hub.seeded.clock.tick(),
      network: FarcasterNetwork.DEVNET,
      reactionBody: { type: ReactionType.NONE, targetCastId: { fid: FIDS.alice, hash: hub.seeded.casts.hello.hash } },
    },
    signerKey(derive(SEED, 'signer', fid, 0)),
  );

const counts = async () =>
  (
    await hub.shell.db.run('select like_count, recast_count from cast_count where fid = $1 and hash = $2', [
      FIDS.alice,
      hub.seeded.casts.hello.hash,
    ])
  )[0];

const stored = (message: Signed) => hub.shell.db.run('select 1 from message where hash = $1', [message.hash]);

test('a reaction of type NONE that a hub sends is stored and counted nowhere', async () => {
  const before = await counts();
  const message = reactionOfNoType(FIDS.grace);
  await hub.submit([message.item]);
  expect(await stored(message)).toHaveLength(1);
  expect(await counts()).toEqual(before);
  expect(await hub.shell.db.run('select * from reaction where fid = $1', [FIDS.grace])).toEqual([]);
  expect(await audit(hub.shell.db)).toEqual([]);
  for (const type of ['Like', 'Recast']) {
    const url = `/v1/reactionsByCast?target_fid=${FIDS.alice}&target_hash=${hex(hub.seeded.casts.hello.hash)}&reaction_type=${type}`;
    expect(hashesOf(await hub.get('hub-fetch-cast-reactions', url))).not.toContain(hex(message.hash));
  }
  await hub.submit([reactionOfNoType(FIDS.grace, MessageType.REACTION_REMOVE).item]);
  expect(await counts()).toEqual(before);
  expect(await audit(hub.shell.db)).toEqual([]);
});

test('a submitted reaction of type NONE is refused as hubs refuse it', async () => {
  for (const type of [MessageType.REACTION_ADD, MessageType.REACTION_REMOVE]) {
    const message = reactionOfNoType(FIDS.heidi, type);
    const answer = await hub.post('hub-publish-message', '/v1/submitMessage', message.wire);
    expect(answer).toMatchObject({ status: 400, body: { errCode: 'bad_request.validation_failure' } });
    expect(await stored(message)).toEqual([]);
  }
});

test('the audit finds a reaction of another type that is counted as a recast', async () => {
  const message = reactionOfNoType(FIDS.frank);
  await hub.submit([message.item]);
  const target = [FIDS.alice, hub.seeded.casts.hello.hash] as const;
  await hub.shell.db.run(
    'insert into reaction (target_fid, target_hash, type, ts, hash, fid) values ($1, $2, 0, $3, $4, $5)',
    [...target, message.timestamp, message.hash, FIDS.frank],
  );
  await hub.shell.db.run(
    'insert into reaction_group (target_fid, target_hash, type, latest_ts) values ($1, $2, 0, $3)',
    [...target, message.timestamp],
  );
  await hub.shell.db.run('update cast_count set recast_count = recast_count + 1 where fid = $1 and hash = $2', target);
  const found = (await audit(hub.shell.db)).map(({ what, where }) => `${what} ${where.split(' ')[0]}`);
  expect(found).toEqual(expect.arrayContaining([`reaction ${FIDS.frank}`, `cast_count ${FIDS.alice}`]));
});
