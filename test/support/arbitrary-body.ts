import * as core from '@farcaster/core';
import fc from 'fast-check';
import * as body from '../../src/protocol/wire/body.js';

const uint32 = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 0xffffffff }));
const uint53 = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.maxSafeNat());
const bytes = fc.uint8Array({ maxLength: 70 });
const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.constantFrom('', 'gm', '👩‍👩‍👧 🇯🇵'));
const castId = fc.record({ fid: uint53, hash: bytes });
export const either = <A, B>(a: fc.Arbitrary<A>, b: fc.Arbitrary<B>): fc.Arbitrary<[A | undefined, B | undefined]> =>
  fc.oneof(fc.tuple(a, fc.constant(undefined)), fc.tuple(fc.constant(undefined), b));

/** Each body of the package with arbitrary members, and our shape that must decode its bytes to the same value. */
export const BODIES: readonly [
  string,
  { encode(value: never): { finish(): Uint8Array } },
  { read(bytes: Uint8Array): object },
  fc.Arbitrary<object>,
][] = [
  [
    'castAddBody',
    core.CastAddBody,
    body.castAddBody,
    fc
      .record({
        embedsDeprecated: fc.array(text, { maxLength: 3 }),
        mentions: fc.array(uint53, { maxLength: 4 }),
        mentionsPositions: fc.array(uint32, { maxLength: 4 }),
        embeds: fc.array(
          either(text, castId).map(([url, id]) => ({ url, castId: id })),
          { maxLength: 3 },
        ),
        text,
        type: fc.integer({ min: 0, max: 2 }),
        parent: either(text, castId),
      })
      .map(({ parent: [parentUrl, parentCastId], ...rest }) => ({ ...rest, parentUrl, parentCastId })),
  ],
  ['castRemoveBody', core.CastRemoveBody, body.castRemoveBody, fc.record({ targetHash: bytes })],
  [
    'reactionBody',
    core.ReactionBody,
    body.reactionBody,
    fc
      .record({ type: uint32.map((n) => n % 2 ** 31), target: either(text, castId) })
      .map(({ type, target: [targetUrl, targetCastId] }) => ({ type, targetUrl, targetCastId })),
  ],
  [
    'linkBody',
    core.LinkBody,
    body.linkBody,
    fc.record({
      type: text,
      displayTimestamp: fc.option(uint32, { nil: undefined }),
      targetFid: fc.option(uint53, { nil: undefined }),
    }),
  ],
  [
    'linkCompactStateBody',
    core.LinkCompactStateBody,
    body.linkCompactStateBody,
    fc.record({ type: text, targetFids: fc.array(uint53, { maxLength: 20 }) }),
  ],
  ['userDataBody', core.UserDataBody, body.userDataBody, fc.record({ type: fc.nat(20), value: text })],
  [
    'verificationAddAddressBody',
    core.VerificationAddAddressBody,
    body.verificationAddBody,
    fc.record({
      address: bytes,
      claimSignature: bytes,
      blockHash: bytes,
      verificationType: uint32,
      chainId: uint32,
      protocol: fc.nat(2),
    }),
  ],
  [
    'verificationRemoveBody',
    core.VerificationRemoveBody,
    body.verificationRemoveBody,
    fc.record({ address: bytes, protocol: fc.nat(2) }),
  ],
  [
    'usernameProofBody',
    core.UserNameProof,
    body.usernameProofBody,
    fc.record({
      timestamp: uint53,
      name: bytes,
      owner: bytes,
      signature: bytes,
      fid: uint53,
      type: fc.nat(4),
    }),
  ],
  [
    'frameActionBody',
    core.FrameActionBody,
    body.frameActionBody,
    fc.record({
      url: bytes,
      buttonIndex: uint32,
      castId: fc.option(castId, { nil: undefined }),
      inputText: bytes,
      state: bytes,
      transactionId: bytes,
      address: bytes,
    }),
  ],
  [
    'lendStorageBody',
    core.LendStorageBody,
    body.lendStorageBody,
    fc.record({ toFid: uint53, numUnits: uint53, unitType: fc.nat(3) }),
  ],
  [
    'keyAddBody',
    core.KeyAddBody,
    body.keyAddBody,
    fc.record({
      key: bytes,
      keyType: uint32,
      custodySignature: bytes,
      deadline: uint32,
      nonce: uint32,
      metadata: bytes,
      metadataType: uint32,
      registrationTxHash: bytes,
      scopes: fc.array(fc.nat(), { maxLength: 5 }),
      ttl: uint32,
    }),
  ],
  [
    'keyRemoveBody',
    core.KeyRemoveBody,
    body.keyRemoveBody,
    fc.record({
      key: bytes,
      signature: bytes,
      signatureType: uint32,
      deadline: uint32,
      nonce: uint32,
    }),
  ],
];
