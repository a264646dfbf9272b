import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { type Hex, parseEther, recoverTransactionAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_ORGANIZATION_ID } from '../src/access/key.js';
import { MasterKey } from '../src/config/secret.js';
import { createLog } from '../src/log.js';
import { createSender } from '../src/onchain/transaction/sender.js';
import { makeWallet, type UsableWallet } from '../src/onchain/transaction/wallet.js';
import { selectOtherKeySealCount } from '../src/store/access/sealed-column.js';
import { resealSecrets } from '../src/store/access/secret-rotation.js';
import { startChain, type TestChain } from './support/chain.js';
import { type Network, startNetwork } from './support/network.js';
import { pay, requireSent, unusedAddress } from './support/wallet.js';

let chain: TestChain;
let network: Network;
let wallet: UsableWallet;
const key = randomBytes(32);
const lines: string[] = [];

beforeAll(async () => {
  chain = await startChain();
  const log = createLog('trace', { write: (line) => lines.push(line) });
  network = await startNetwork({}, log, { chain: chain.url });
  wallet = await makeWallet(network.app.core.db, network.config.masterKey, {
    organizationId: DEFAULT_ORGANIZATION_ID,
    name: 'secret',
    key,
    now: new Date(),
  });
  await chain.test.setBalance({ address: wallet.address, value: parseEther('10') });
});
afterAll(async () => {
  await network.stop();
  await chain.stop();
});

/** Every spelling in which bytes may stand in a text. */
const spellings = (bytes: Uint8Array): string[] => {
  const buffer = Buffer.from(bytes);
  const start = [...buffer].slice(0, 8);
  return [
    buffer.toString('hex'),
    buffer.toString('base64').replace(/=+$/, ''),
    buffer.toString('base64url'),
    BigInt(`0x${buffer.toString('hex')}`).toString(),
    // As inspect and JSON show the beginning of a buffer.
    start.map((byte) => byte.toString(16).padStart(2, '0')).join(' '),
    start.join(','),
    start.join(', '),
  ];
};

const deploy = () =>
  network.send(
    'POST',
    '/v2/social/nft/deploy/erc721/',
    { network: 'base', name: 'Garden', symbol: 'GRDN' },
    { 'x-wallet-id': wallet.id },
  );

describe('the key of a wallet', () => {
  test('is in no log, response, metric or row, and cannot be inspected', async () => {
    const { services } = network.app;
    const { db } = network.app.core;
    const answers = [(await deploy()).body];
    const usable = await services.wallets.use(DEFAULT_ORGANIZATION_ID, wallet.id);
    const [sent] = await services.sender.send(usable, 'base', [pay(unusedAddress(1), 1n)]);
    const outcome = requireSent(sent);
    const [attempt] = await db.run<{ raw: Buffer }>('select raw from chain_attempt where transaction_id = $1::uuid', [
      outcome.id,
    ]);
    const serializedTransaction = `0x${attempt?.raw.toString('hex')}` as Hex;
    // It is this key that signed.
    expect(await recoverTransactionAddress({ serializedTransaction: serializedTransaction as `0x02${string}` })).toBe(
      wallet.address,
    );
    // A seal that does not open is the error nearest to the secret.
    const [row] = await db.run<{ sealed: Buffer }>('select sealed_key as sealed from wallet where id = $1::uuid', [
      wallet.id,
    ]);
    const sealed = row?.sealed as Buffer;
    const spoiled = Buffer.from(sealed);
    spoiled.writeUInt8(spoiled.readUInt8(spoiled.length - 1) ^ 1, spoiled.length - 1);
    await db.run('update wallet set sealed_key = $2 where id = $1::uuid', [wallet.id, spoiled]);
    const failed = await deploy();
    expect(failed.status).toBe(500);
    answers.push(failed.body);
    await db.run('update wallet set sealed_key = $2 where id = $1::uuid', [wallet.id, sealed]);
    expect(lines.join('')).toContain('SealError');

    const rows: unknown[] = [];
    for (const table of ['wallet', 'wallet_nonce', 'chain_transaction', 'chain_attempt', 'idempotent_write']) {
      rows.push(...(await db.run<{ text: string }>(`select t::text as text from ${table} t`)).map(({ text }) => text));
    }
    const seen = [usable, outcome, services.wallets, services.sender].map((part) =>
      inspect(part, { depth: 9, showHidden: true, maxArrayLength: 200 }),
    );
    const metrics = await services.metrics.registry.metrics();
    const text = [...lines, ...seen, JSON.stringify(answers), JSON.stringify(rows), metrics].join('\n');
    const sealKey = network.config.masterKey.derive('seal/wallet');
    for (const secret of [key, sealKey]) {
      for (const spelling of spellings(secret)) expect(text.includes(spelling), spelling.slice(0, 6)).toBe(false);
    }
    // The search finds what is there.
    expect(text).toContain(sealed.toString('hex'));
  });

  test('a key that cannot be decrypted uses no nonce: the next transaction gets it', async () => {
    const [sent] = await network.app.services.sender.send(wallet, 'base', [pay(unusedAddress(2), 1n)]);
    expect(requireSent(sent).nonce).toBe(2);
    expect(await network.app.services.sender.receipt(requireSent(sent).id, 20_000)).toMatchObject({
      status: 'success',
    });
  });

  test('is re-encrypted with the others when the master key changes', async () => {
    const { db } = network.app.core;
    const old = network.config.masterKey;
    const fresh = MasterKey.parse(MasterKey.generate()) as MasterKey;
    const parts = { ...network.app.services, clock: Date.now, failed: () => undefined };
    expect(await selectOtherKeySealCount(db, [fresh.id])).toBe(1);
    const pairs = [old.following(fresh), fresh.following(old)];
    for (const masterKey of pairs) {
      const [sent] = await createSender({ ...parts, masterKey }).send(wallet, 'base', [pay(unusedAddress(3), 1n)]);
      requireSent(sent);
    }
    const signal = new AbortController().signal;
    expect(await resealSecrets(db, fresh.following(old), { signal, progress: () => undefined })).toBe(1);
    const alone = createSender({ ...parts, masterKey: fresh });
    const [sent] = await alone.send(wallet, 'base', [pay(unusedAddress(3), 1n)]);
    expect(await alone.receipt(requireSent(sent).id, 20_000)).toMatchObject({ status: 'success' });
    alone.stop();
    await expect(
      createSender({ ...parts, masterKey: old }).send(wallet, 'base', [pay(unusedAddress(3), 1n)]),
    ).rejects.toThrow(/another master key/);
  });
});
