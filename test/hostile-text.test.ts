import { base58 } from '@scure/base';
import Type from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readActionAddress } from '../src/api/action/action-address.js';
import { createReader } from '../src/api/query.js';
import { checkUserData } from '../src/protocol/check/user-data.js';
import { verificationRemove } from '../src/protocol/hub-json/verification.js';
import { type Network, startNetwork } from './support/network.js';

/** As many characters as fit into a request line. */
const LENGTH = 60_000;

let network: Network;
beforeAll(async () => {
  network = await startNetwork();
});
afterAll(() => network.stop());

/** Work that grows with the square of the length takes seconds here, and holds up every other request. */
const expectQuick = (work: () => void): void => {
  const began = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1000).toBeLessThan(500);
};

test('the length of a sign-in message is limited before it is parsed', async () => {
  const ask = (message: string) =>
    network.get(`/v2/social/signer/list/?${new URLSearchParams({ message, signature: '0x' })}`);
  const { status, body } = await ask('URI: '.repeat(8000));
  expect({ status, property: body.property }).toEqual({ status: 400, property: 'message' });
  expect(body.message).toBe('message may have 4096 characters at most');
  expect((await ask('URI: '.repeat(500))).body.message).toMatch(/not a Sign-In with Ethereum message/);
});

test('a number of many digits is rejected without delay', () => {
  const read = createReader(Type.Object({ latitude: Type.Number() }));
  const latitude = `${'1'.repeat(LENGTH)}x`;
  expectQuick(() => expect(read({ latitude })).toEqual({ latitude }));
  expect(read({ latitude: '-1.5e1' })).toEqual({ latitude: -15 });
  expect(read({ latitude: '1.' })).toEqual({ latitude: 1 });
});

test('the length of an action URL is limited', () => {
  const address = (path: string) => readActionAddress(`https://app.example${path}`, { allowLoopback: false });
  expectQuick(() =>
    expect(() => address(`${'/'.repeat(LENGTH)}x`)).toThrow('base_url may have 2048 characters at most.'),
  );
  expect(address('/base//').href).toBe('https://app.example/base/api/farcaster/action');
});

test('the length of a Solana address is limited before it is decoded', () => {
  const long = 'z'.repeat(LENGTH);
  expectQuick(() => expect(() => checkUserData({ type: 12, value: Buffer.from(long) })).toThrow(/32 bytes in base58/));
  checkUserData({ type: 12, value: Buffer.from(base58.encode(Buffer.alloc(32, 0xff))) });
  expectQuick(() =>
    expect(() =>
      verificationRemove.read({ verificationRemoveBody: { address: long, protocol: 'PROTOCOL_SOLANA' } }),
    ).toThrow(/base58/),
  );
});
