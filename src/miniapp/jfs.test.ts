import { randomBytes } from 'node:crypto';
import { compact, encodeHeader, encodePayload, encodeSignature, uncompact, verify } from '@farcaster/jfs';
import { createJsonFarcasterSignature, verifyJsonFarcasterSignature } from '@farcaster/miniapp-node';
import { ed25519 } from '@noble/curves/ed25519';
import fc from 'fast-check';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { createNetworks } from '../onchain/rpc/networks.js';
import { compactJfs, JfsError, jfsError, makeJfs, parseJfs } from './jfs.js';

const seed = randomBytes(32);
const networks = createNetworks({ rpc: {} });
const errorOf = (input: Parameters<typeof parseJfs>[0]) => jfsError(parseJfs(input), networks);
const publicKey = ed25519.getPublicKey(seed);
const signer = { fid: 77, publicKey, sign: (bytes: Uint8Array) => ed25519.sign(bytes, seed) };
const made = makeJfs(signer, '{"a":"é"}');

test("the protocol's own packages take what is made here, and the other way round", async () => {
  await verify({ data: compactJfs(made), strict: true, keyTypes: ['app_key'] });
  const seen = await verifyJsonFarcasterSignature(made, async () => ({ valid: true, appFid: 9 }));
  expect([seen.fid, Buffer.from(seen.payload).toString()]).toEqual([77, '{"a":"é"}']);

  const theirs = createJsonFarcasterSignature({
    fid: 5,
    type: 'app_key',
    privateKey: seed,
    payload: Buffer.from('{}'),
  });
  for (const form of [theirs, compact(theirs)]) {
    const jfs = parseJfs(form);
    expect(jfs).toMatchObject({ fid: 5, type: 'app_key', key: Buffer.from(publicKey), encoded: theirs });
    expect(await jfsError(jfs, networks)).toBeUndefined();
  }
});

test.each(['custody', 'auth'] as const)(
  'an address signs as %s, in bytes or in the hex text of early clients',
  async (type) => {
    const wallet = privateKeyToAccount(generatePrivateKey());
    const stranger = privateKeyToAccount(generatePrivateKey());
    const header = encodeHeader({ fid: 5, type, key: wallet.address });
    const payload = encodePayload({ domain: 'app.example' });
    const signed = async (by: typeof wallet) => by.signMessage({ message: `${header}.${payload}` });
    const bytes = encodeSignature(Buffer.from((await signed(wallet)).slice(2), 'hex'));
    const text = encodeSignature(Buffer.from(await signed(wallet)));
    for (const signature of [bytes, text]) {
      await verify({ data: { header, payload, signature } });
      expect(await errorOf({ header, payload, signature })).toBeUndefined();
    }
    const forged = encodeSignature(Buffer.from((await signed(stranger)).slice(2), 'hex'));
    expect(await errorOf({ header, payload, signature: forged })).toContain('CASTELLAN_RPC_OPTIMISM');
    const nonsense = encodeSignature(randomBytes(65));
    expect(await errorOf({ header, payload, signature: nonsense })).toContain('CASTELLAN_RPC_OPTIMISM');
  },
);

test('a changed header, payload or signature is rejected', async () => {
  const other = makeJfs({ ...signer, fid: 78 }, '{"a":"b"}');
  for (const part of ['header', 'payload', 'signature'] as const) {
    expect(await errorOf({ ...made, [part]: other[part] })).toContain('does not hold');
  }
});

const headerOf = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const key = `0x${'ab'.repeat(32)}`;
test.each([
  ['two parts', `${made.header}.${made.payload}`],
  ['four parts', `${compactJfs(made)}.x`],
  ['an empty text', ''],
  ['an empty payload', `${made.header}..${made.signature}`],
  ['padding to no multiple of four', { ...made, signature: `${made.signature}=` }],
  ['padding alone', { ...made, payload: '====' }],
  ['a mixture of alphabets', { ...made, payload: 'ab-_ab+/' }],
  ['a line break', { ...made, payload: `${made.payload}\n` }],
  ['loose bits at the end', { ...made, payload: 'eyJhIjoxfR' }],
  ['a header that is no JSON', { ...made, header: Buffer.from('nope').toString('base64url') }],
  ['a header that is no object', { ...made, header: headerOf(null) }],
  ['a header that is no UTF-8', { ...made, header: Buffer.from('{"a":"\xff"}', 'latin1').toString('base64url') }],
  ['a header as long as a book', { ...made, header: headerOf({ fid: 1, type: 'app_key', key, x: 'x'.repeat(2000) }) }],
  ['fid 0', { ...made, header: headerOf({ fid: 0, type: 'app_key', key }) }],
  ['a fid as text', { ...made, header: headerOf({ fid: '1', type: 'app_key', key }) }],
  ['a fid beyond 53 bits', { ...made, header: headerOf({ fid: 2 ** 53, type: 'app_key', key }) }],
  ['another type', { ...made, header: headerOf({ fid: 1, type: 'toString', key }) }],
  ['no key', { ...made, header: headerOf({ fid: 1, type: 'app_key' }) }],
  ['an address as app key', { ...made, header: headerOf({ fid: 1, type: 'app_key', key: key.slice(0, 42) }) }],
  ['an app key as address', { ...made, header: headerOf({ fid: 1, type: 'custody', key }) }],
  ['a short signature', { ...made, signature: Buffer.alloc(63, 1).toString('base64url') }],
])('%s is rejected', (_what, input) => {
  expect(() => parseJfs(input)).toThrow(JfsError);
});

test('parseJfs throws nothing but JfsError for any text', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(fc.base64String()).map((parts) => parts.join('.')),
      ),
      (text) => {
        try {
          parseJfs(text);
        } catch (error) {
          return error instanceof JfsError;
        }
        return true;
      },
    ),
  );
});

test('the compact form and the object are the same thing', () => {
  expect(uncompact(compactJfs(made))).toEqual(made);
  expect(parseJfs(compactJfs(made))).toEqual(parseJfs(made));
});
