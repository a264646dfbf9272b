import { MessageType } from '@farcaster/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { audit } from '../src/ingest/pipeline/audit.js';
import { fromUnixMs } from '../src/protocol/time.js';
import { type Shell, startShell } from './support/http-shell.js';
import { rounds } from './support/rounds.js';
import { StoreModel, type Told } from './support/store-model.js';
import { checkScripts, type Step, StoreScript, scripts } from './support/store-script.js';

/** Protocol seconds. */
const NOW = fromUnixMs(Date.now());

/** Each script has accounts of its own in one database, so no script needs a new one. */
let nextFid = 1_000;
const play = async (steps: readonly Step[]): Promise<StoreScript> => {
  nextFid += 10;
  const script = new StoreScript(nextFid, NOW);
  await script.introduce();
  await script.play(steps);
  return script;
};

const hashes = (body: { messages: { hash: string }[] }): string[] =>
  body.messages.map(({ hash }) => hash.slice(2)).sort();

/** What the service and the model say of accounts, in one form. */
const stateOf = async (shell: Shell, apiKey: string, fids: readonly number[]) => {
  const get = async (path: string) => {
    const response = await shell.server.fastify.inject({ url: path, headers: { 'x-api-key': apiKey } });
    expect(response.statusCode, response.body).toBe(200);
    return response.json();
  };
  const state: Record<string, unknown> = {};
  for (const fid of fids) {
    const of = `fid=${fid}&pageSize=1000`;
    const reactions = await Promise.all([1, 2].map((type) => get(`/v1/reactionsByFid?${of}&reaction_type=${type}`)));
    const all = await shell.db.run<{ hash: Buffer }>(
      'select hash from message where fid = $1 and message_set <> 9 and not void',
      [fid],
    );
    const proofs: { name: string }[] = (await get(`/v1/userNameProofsByFid?fid=${fid}`)).proofs;
    state[fid] = {
      casts: hashes(await get(`/v1/castsByFid?${of}`)),
      reactions: reactions.flatMap(hashes).sort(),
      links: hashes(await get(`/v1/linksByFid?${of}`)),
      userData: hashes(await get(`/v1/userDataByFid?${of}`)),
      verifications: hashes(await get(`/v1/verificationsByFid?${of}`)),
      all: all.map(({ hash }) => hash.toString('hex')).sort(),
      names: proofs.map(({ name }) => name).sort(),
      units: (await get(`/v1/storageLimitsByFid?fid=${fid}`)).units,
    };
  }
  const keys = await shell.db.run<{ place: string }>(
    `select fid || ' ' || encode(key, 'hex') as place from signer_key where active and fid = any($1)`,
    [fids],
  );
  return { ...state, keys: keys.map(({ place }) => place).sort(), audit: await audit(shell.db) };
};

const expected = (model: StoreModel, fids: readonly number[]) => {
  const state: Record<string, unknown> = {};
  for (const fid of fids) {
    state[fid] = {
      casts: model.hashes(fid, MessageType.CAST_ADD),
      reactions: model.hashes(fid, MessageType.REACTION_ADD),
      links: model.hashes(fid, MessageType.LINK_ADD),
      userData: model.hashes(fid, MessageType.USER_DATA_ADD),
      verifications: model.hashes(fid, MessageType.VERIFICATION_ADD_ETH_ADDRESS),
      all: model.hashes(fid),
      names: model.names(fid),
      units: model.units(fid),
    };
  }
  return { ...state, keys: model.accounts.keysInForce(fids), audit: [] };
};

describe('submitted without a hub', () => {
  let shell: Shell;
  let apiKey: string;
  beforeAll(async () => {
    shell = await startShell();
    apiKey = await shell.key();
  });
  afterAll(() => shell.stop());

  /** @returns why each was refused, undefined for those that were taken */
  const submit = async (batch: readonly Told[]): Promise<(string | undefined)[]> => {
    const [one] = batch;
    if (one?.kind === 'message' && batch.length === 1) {
      const response = await shell.server.fastify.inject({
        ...{ method: 'POST', url: '/v1/submitMessage', payload: Buffer.from(one.wire) },
        headers: { 'x-api-key': apiKey, 'content-type': 'application/octet-stream' },
      });
      return [response.statusCode === 200 ? undefined : response.json().details];
    }
    const source = one?.kind === 'message' ? 'local' : 'hub';
    const { outcomes } = await shell.services.hub.submit(batch, { source, announce: true });
    return outcomes.map((outcome) => {
      if (outcome.status === 'merged') return undefined;
      return outcome.status === 'invalid' ? outcome.detail : outcome.status;
    });
  };

  /** @param size of the batches of messages; chain events and proofs come one by one */
  const check = async (steps: readonly Step[], size: number): Promise<void> => {
    const script = await play(steps);
    const model = new StoreModel(NOW);
    let place = 0;
    let batch: Told[] = [];
    const flush = async (): Promise<void> => {
      const faults = batch.map((told) => model.tell(told));
      const answers = batch.length === 0 ? [] : await submit(batch);
      for (const [index, { kind }] of batch.entries()) {
        const [fault, answer] = [faults[index], answers[index]];
        const act = steps[place++ - script.introduced]?.act;
        const what = `${act}: the model says ${fault}, the service ${answer}`;
        if (kind === 'message') expect(answer === undefined, what).toBe(fault === undefined);
      }
      batch = [];
    };
    for (const told of script.told) {
      const isFull = batch.length >= size || told.kind !== 'message' || batch[0]?.kind !== 'message';
      if (isFull) await flush();
      batch.push(told);
    }
    await flush();
    expect(await stateOf(shell, apiKey, script.fids)).toEqual(expected(model, script.fids));
  };

  test('one at a time', async () => {
    await checkScripts(scripts(60), rounds(60), (steps) => check(steps, 1));
  }, 120_000);

  test('addresses, and who may lend how much', async () => {
    await checkScripts(
      scripts(40, ['verify', 'verify', 'removeVerification', 'primary', 'lend']),
      rounds(30),
      (steps) => check(steps, 1),
    );
  }, 120_000);

  const step = { who: 0, what: 0, more: 1, key: 0, late: 0 } as const;

  test('a lender of four units lends to three accounts', () =>
    check([{ ...step, act: 'rent' }, ...[1, 2, 3].map((what) => ({ ...step, act: 'lend' as const, what }))], 1));

  test('a key of a message is no key of another account, also when it is registered onchain as well', () =>
    check(
      [
        { ...step, act: 'keyAdd' },
        { ...step, act: 'addSigner' },
        { ...step, act: 'keyAdd', who: 1 },
      ],
      1,
    ));
});
