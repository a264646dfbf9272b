import { FarcasterNetwork } from '@farcaster/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { channelData, wireOf } from '../../test/support/channel-message.js';
import { type ChannelMessage, decodeChannelMessage } from '../protocol/channel/decode.js';
import { verifyWire } from '../protocol/verify/verify.js';
import { decodeEnvelope } from '../protocol/wire/envelope.js';
import { signerKey } from '../sample/key.js';
import { derive } from '../sample/random.js';
import { draftChannelFollow, signChannelMessage } from './channel.js';

const key = signerKey(derive('channel', 'signer'));
const author = { fid: 7, publicKey: key.publicKey, sign: key.sign };
const AT = 140_000_000;

const sign = (message: ChannelMessage) => signChannelMessage(author, message, AT, FarcasterNetwork.DEVNET);

const id = fc.uint8Array({ minLength: 32, maxLength: 32 });
const hash = fc.uint8Array({ minLength: 20, maxLength: 20 });
const text = fc.option(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 }), { nil: null });
const texts = { name: text, description: text, imageUrl: text, header: text, rules: text };
const modes = { castingMode: fc.constantFrom(1, 2, 3), membershipMode: fc.constantFrom(1, 2) };
const message = fc.oneof(
  fc.record({ kind: fc.constant('update'), channelId: id, metadata: fc.record({ ...texts, ...modes }) }),
  fc.record({
    kind: fc.constant('member'),
    channelId: id,
    fid: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
    action: fc.integer({ min: 1, max: 6 }),
  }),
  fc.record({ kind: fc.constant('pin'), channelId: id, castHash: fc.option(hash, { nil: undefined }) }),
  fc.record({ kind: fc.constant('moderate'), channelId: id, castHash: hash, isHidden: fc.boolean() }),
) as fc.Arbitrary<ChannelMessage>;

test('every message about a channel is signed as hubs accept it, and read as it was written', () => {
  fc.assert(
    fc.property(message, (written) => {
      const wire = sign(written);
      expect(verifyWire(wire, { now: Date.now() })).toEqual({ ok: true });
      expect(decodeChannelMessage(decodeEnvelope(wire).dataBytes)).toEqual(written);
    }),
    { numRuns: 60 },
  );
});

test('the bytes are those of the protocol', () => {
  const channelId = new Uint8Array(32).fill(1);
  const body = wireOf({ 1: channelId, 2: 9, 3: 5 });
  const { dataBytes } = decodeEnvelope(sign({ kind: 'member', channelId, fid: 9, action: 5 }));
  expect(Buffer.compare(dataBytes, channelData(7, 19, body, AT))).toBe(0);
});

test('a follow is a like of the URL', () => {
  const registrar = 'eip155:1/erc721:0x5FbDB2315678afecb367f032d93F642f64180aa3';
  const channelId = Buffer.from('7'.padStart(64, '0'), 'hex');
  const reactionBody = { type: 1, targetUrl: `${registrar}/7` };
  expect(draftChannelFollow(registrar, channelId, true)).toEqual({ type: 3, reactionBody });
  expect(draftChannelFollow(registrar, channelId, false)).toEqual({ type: 4, reactionBody });
});
