import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromUnixMs } from '../src/protocol/time.js';
import { type Shell, startShell } from './support/http-shell.js';
import { rounds } from './support/rounds.js';
import { StoreModel, type Told } from './support/store-model.js';
import { ORDER_DEPENDENT } from './support/store-model-account.js';
import { checkScripts, playScript, type ScriptStart, type Step, scripts, scriptsOf } from './support/store-script.js';
import { modelState, storedState } from './support/store-state.js';

/** @returns the time of a check in protocol seconds: storage can be lent only with a message of the last ten minutes */
const currentTime = (): number => fromUnixMs(Date.now());

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

  /** @param size of the batches of messages; chain events and proofs come one by one, and messages of the start at once */
  const check = async (steps: readonly Step[], size: number, start?: ScriptStart): Promise<void> => {
    const now = currentTime();
    const script = await playScript(steps, now, start);
    const model = new StoreModel(now, ['link']);
    let place = 0;
    let batch: Told[] = [];
    const flush = async (): Promise<void> => {
      const faults = model.tell(batch);
      const sent = batch.filter((_, index) => faults[index] !== ORDER_DEPENDENT);
      const answers = sent.length === 0 ? [] : await submit(sent);
      for (const [index, { kind }] of batch.entries()) {
        const fault = faults[index];
        const answer = fault === ORDER_DEPENDENT ? fault : answers.shift();
        const act = steps[place++ - script.introduced]?.act;
        const what = `${act}: the model says ${fault}, the service ${answer}`;
        if (kind === 'message') expect(answer === undefined, what).toBe(fault === undefined);
      }
      batch = [];
    };
    for (const told of script.told) {
      const isStart = place + batch.length < script.introduced;
      const isFull = batch.length >= size && !isStart;
      if (isFull || told.kind !== 'message' || batch[0]?.kind !== 'message') await flush();
      batch.push(told);
    }
    await flush();
    expect(await storedState(shell, apiKey, script.fids)).toEqual(modelState(model, script.fids));
  };

  test('one at a time', async () => {
    await checkScripts(scripts(60), rounds(45), (steps) => check(steps, 1));
  }, 120_000);

  test('addresses, and who may lend how much', async () => {
    await checkScripts(
      scriptsOf(40, ['verify', 'verify', 'removeVerification', 'primary', 'lend']),
      rounds(30),
      (steps) => check(steps, 1),
    );
  }, 120_000);

  test.each([3, 25])(
    'in batches of %d',
    async (size) => {
      await checkScripts(scripts(60), rounds(9), (steps) => check(steps, size));
    },
    120_000,
  );

  test.each([
    ['addresses', ['verify', 'verifyFurther', 'removeVerification', 'primary', 'rent', 'lend', 'again']],
    ['casts', ['cast', 'cast', 'removeCast', 'lend', 'again']],
    ['reactions', ['cast', 'react', 'react', 'unreact', 'lend', 'again']],
    ['links', ['link', 'link', 'unlink', 'unlink', 'compact', 'lend', 'again']],
  ] as const)(
    'with as many %s as there is storage for',
    async (full, acts) => {
      for (const size of [1, 6])
        await checkScripts(scriptsOf(40, acts, 20), rounds(3), (steps) => check(steps, size, { full }));
    },
    120_000,
  );

  const step = { who: 0, what: 0, more: 1, key: 0, late: 0 } as const;

  test('a lender of four units lends to three accounts', () =>
    check([{ ...step, act: 'rent' }, ...[1, 2, 3].map((what) => ({ ...step, act: 'lend' as const, what }))], 1));

  test('a repeated message prunes nothing, although the store is over its limit', () => {
    const loan = { ...step, act: 'lend' as const, what: 1, more: 2 };
    const addresses = [0, 1, 2, 3].flatMap((more) => [0, 1].map((what) => ({ ...step, what, more })));
    return check(
      [
        ...addresses.map((one) => ({ ...one, act: 'verifyFurther' as const })),
        loan,
        { ...step, act: 'again', what: 0 },
      ],
      1,
    );
  });

  test('an address stays the primary one when its verification is pruned', () => {
    const steps = ['primary', 'verifyFurther'] as const;
    return check(
      steps.map((act) => ({ ...step, act, more: 3 })),
      1,
      { full: 'addresses' },
    );
  });

  test('messages about a key count in the order of their nonces, whatever their times are', () => {
    const late = { ...step, what: 1, late: 900 };
    const other = { ...step, what: 2 };
    return check(
      [
        { ...step, act: 'keyAdd', what: 1 },
        { ...late, act: 'keyAdd' },
        { ...late, act: 'keyRemove' },
        { ...late, act: 'keyAdd' },
        { ...late, act: 'keySelfRemove' },
        { ...other, act: 'keyAdd' },
        // With the nonce that the app's other key used.
        { ...other, act: 'keySelfRemove', key: 2 },
      ],
      1,
    );
  });

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
