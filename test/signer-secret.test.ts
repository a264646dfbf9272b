import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_APP_ID } from '../src/access/key.js';
import { MasterKey } from '../src/config/secret.js';
import { createLog } from '../src/log.js';
import { seedSigner } from '../src/signer/seed.js';
import { createSigners } from '../src/signer/signers.js';
import { selectManagedSigner } from '../src/store/access/managed-signer.js';
import { selectOtherKeySealCount } from '../src/store/access/sealed-column.js';
import { resealSecrets } from '../src/store/access/secret-rotation.js';
import { verify } from './support/ed25519.js';
import { type Network, startNetwork } from './support/network.js';
import { NO_NETWORKS } from './support/no-network.js';
import { FIDS, seedBasics } from './support/seed.js';
import { addKey, approvedSigner } from './support/signer.js';

let network: Network;
const lines: string[] = [];

beforeAll(async () => {
  network = await startNetwork({}, createLog('trace', { write: (line) => lines.push(line) }));
  await seedBasics(network.load);
});
afterAll(() => network.stop());

/** Every spelling in which bytes may stand in a text. */
const spellings = (bytes: Uint8Array): string[] => {
  const buffer = Buffer.from(bytes);
  const list = [...buffer];
  return [
    buffer.toString('hex'),
    buffer.toString('base64').replace(/=+$/, ''),
    buffer.toString('base64url'),
    // As inspect and JSON show the beginning of a buffer.
    list
      .slice(0, 8)
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join(' '),
    list.slice(0, 8).join(','),
    list.slice(0, 8).join(', '),
  ];
};

describe('the seed of a signer', () => {
  it('is in no log, response or metric, and cannot be inspected', async () => {
    const { db, services } = { db: network.app.core.db, services: network.app.services };
    const { uuid } = await approvedSigner(network, FIDS.alice);
    const row = await selectManagedSigner(db, uuid);
    if (!row) throw new Error('the signer is not stored');
    const seed = network.config.masterKey.open('signer', row.sealedSeed, uuid);
    expect(Buffer.from(seedSigner.publicKey(seed)).equals(row.publicKey)).toBe(true);

    const answers: unknown[] = [];
    const publish = () => network.send('POST', '/v2/social/cast/', { signer_uuid: uuid, text: 'gm' });
    const published = await publish();
    expect(published.status).toBe(200);
    answers.push(published.body, (await network.get(`/v2/social/signer/?signer_uuid=${uuid}`)).body);
    const usable = await services.signers.use(DEFAULT_APP_ID, uuid, 'PUBLISH_CAST');
    usable.sign(Buffer.from('message'));
    const seen: string[] = [inspect(usable, { depth: 9, showHidden: true }), JSON.stringify(usable)];
    for (const part of [services.signers, network.config, network.app.services.signers.use]) {
      seen.push(inspect(part, { depth: 9, showHidden: true, maxArrayLength: 200 }));
    }
    // A seal that does not open is the error nearest to the secret.
    const spoiled = Buffer.from(row.sealedSeed);
    spoiled.writeUInt8(spoiled.readUInt8(spoiled.length - 1) ^ 1, spoiled.length - 1);
    await db.run('update managed_signer set sealed_seed = $2 where id = $1::uuid', [uuid, spoiled]);
    const failed = await publish();
    expect(failed.status).toBe(500);
    await db.run('update managed_signer set sealed_seed = $2 where id = $1::uuid', [uuid, row.sealedSeed]);
    answers.push(failed.body, (await network.send('POST', '/v2/social/cast/', { signer_uuid: uuid, text: 7 })).body);
    expect(lines.join('')).toContain('SealError');

    const text = [...lines, ...seen, JSON.stringify(answers), await services.metrics.registry.metrics()].join('\n');
    const key = network.config.masterKey.derive('seal/signer');
    for (const secret of [seed, row.sealedSeed, spoiled, key]) {
      for (const spelling of spellings(secret)) expect(text.includes(spelling), spelling.slice(0, 6)).toBe(false);
    }
    // The search finds what is there.
    expect(spellings(row.publicKey).some((spelling) => text.includes(spelling))).toBe(true);
  });
});

describe('a change of the master key', () => {
  it('continues while two services create signers and sign, and ends with the old key out of use', async () => {
    const { db } = network.app.core;
    const clock = Date.now;
    const old = network.config.masterKey;
    const fresh = MasterKey.parse(MasterKey.generate()) as MasterKey;
    // Of several services some have the new key first already: each opens what the others seal.
    const first = createSigners({ db, networks: NO_NETWORKS, masterKey: old.following(fresh), clock });
    const second = createSigners({ db, networks: NO_NETWORKS, masterKey: fresh.following(old), clock });
    const uuids: string[] = [];
    const make = async (signers: typeof first) => {
      const { uuid, publicKey } = await signers.create(DEFAULT_APP_ID);
      await addKey(network, FIDS.bob, publicKey);
      uuids.push(uuid);
    };
    for (let n = 0; n < 6; n++) await make(first);
    for (let n = 0; n < 6; n++) await make(second);

    let isOver = false;
    let signatures = 0;
    const sign = async (signers: typeof first) => {
      for (let n = 0; !isOver || n < uuids.length; n++) {
        const uuid = uuids[n % uuids.length] as string;
        const signer = await signers.use(DEFAULT_APP_ID, uuid, 'PUBLISH_CAST');
        const message = Buffer.from(`message ${n}`);
        expect(verify(signer.publicKey, message, signer.sign(message))).toBe(true);
        signatures++;
      }
    };
    const signing = [sign(first), sign(second)];
    const told: [number, number][] = [];
    const reseal = (signal = new AbortController().signal) =>
      resealSecrets(db, fresh.following(old), { signal, progress: (done, total) => told.push([done, total]) });
    const before = await selectOtherKeySealCount(db, [fresh.id]);
    expect(before).toBeGreaterThanOrEqual(6);
    await expect(reseal(AbortSignal.abort())).rejects.toThrow();
    expect(await reseal()).toBe(before);
    expect(told.at(-1)).toEqual([before, before]);
    // Sealed under the old key after that, by a service that still has it first.
    await make(first);
    expect(await reseal()).toBe(1);
    expect(await reseal()).toBe(0);
    isOver = true;
    await Promise.all(signing);
    expect(signatures).toBeGreaterThan(uuids.length);

    const alone = createSigners({ db, networks: NO_NETWORKS, masterKey: fresh, clock });
    for (const uuid of uuids) (await alone.use(DEFAULT_APP_ID, uuid, 'PUBLISH_CAST')).sign(Buffer.from('x'));
    const ended = await createSigners({ db, networks: NO_NETWORKS, masterKey: old, clock }).use(
      DEFAULT_APP_ID,
      uuids[0] as string,
      'PUBLISH_CAST',
    );
    expect(() => ended.sign(Buffer.from('x'))).toThrow(/another master key/);
  });

  // The embedded database has one connection: nobody else can hold a row there.
  it.runIf(process.env.TEST_DATABASE_URL)('waits for rows that another process has locked', async () => {
    const { db } = network.app.core;
    const [old, fresh] = [MasterKey.generate(), MasterKey.generate()].map((key) => MasterKey.parse(key) as MasterKey);
    if (!old || !fresh) throw new Error('no keys');
    await network.sql('delete from managed_signer');
    const signers = createSigners({ db, networks: NO_NETWORKS, masterKey: old, clock: Date.now });
    const { uuid } = await signers.create(DEFAULT_APP_ID);
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isHeld = false;
    const holder = db.transaction(async (session) => {
      await session.run('select 1 from managed_signer where id = $1 for update', [uuid]);
      isHeld = true;
      await released;
    });
    await expect.poll(() => isHeld).toBe(true);
    const resealing = resealSecrets(db, fresh.following(old), {
      signal: new AbortController().signal,
      progress: () => undefined,
    });
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(() => db.run(waiting)).toHaveLength(1);
    release();
    await holder;
    expect(await resealing).toBe(1);
  });
});
