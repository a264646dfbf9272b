import * as core from '@farcaster/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BODIES, either } from '../../../test/support/arbitrary-body.js';
import { bodyData, castData, NOW, NOW_SECONDS, sign } from '../../../test/support/signed-message.js';
import { verifyWire } from '../verify/verify.js';

const { validations } = core;

/** Text as bytes, bytes as plain arrays: both readers' results in one form. */
const plain = (value: unknown): unknown => {
  if (typeof value === 'string') return [...Buffer.from(value)];
  if (value instanceof Uint8Array) return [...value];
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
};

describe('a body reads as the package encodes it', () => {
  it.each(BODIES)('%s', (_name, codec, shape, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, (value) => {
        expect(plain(shape.read(codec.encode(value as never).finish()))).toEqual(plain(value));
      }),
      { numRuns: 60 },
    );
  });
});

describe('the limits are those of the package', () => {
  const isTaken = (data: core.MessageData): boolean => {
    const result = verifyWire(sign(data), { now: NOW });
    if (!result.ok) expect(result.reason).not.toBe('internal');
    return result.ok;
  };
  const near = (...lengths: number[]) =>
    fc.constantFrom(...lengths.flatMap((length) => [length - 1, length, length + 1]).filter((n) => n >= 0));
  const url = near(0, 1, 256).map((length) => 'u'.repeat(length));
  const id = fc.record({
    fid: fc.constantFrom(0, 1, 2 ** 33),
    hash: near(20, 0).map((length) => new Uint8Array(length)),
  });
  const goodId = fc.constant({ fid: 3, hash: new Uint8Array(20) });
  const mostly = <T>(good: fc.Arbitrary<T>, other: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 4, arbitrary: good }, { weight: 1, arbitrary: other });

  it('for casts', () => {
    const arbitrary = fc.record({
      text: near(0, 320, 1024, 10_000).map((length) => 'x'.repeat(length)),
      type: fc.constantFrom(0, 1, 2, 3),
      embeds: fc.array(
        mostly(either(fc.constant('u'), goodId), either(url, id)).map(([u, c]) => ({ url: u, castId: c })),
        { maxLength: 5 },
      ),
      embedsDeprecated: mostly(fc.constant<string[]>([]), fc.array(url, { maxLength: 3 })),
      mentions: mostly(fc.constant<number[]>([]), fc.array(fc.constantFrom(0, 1, 5), { minLength: 1, maxLength: 11 })),
      shift: fc.constantFrom(0, 0, 0, 1),
      parent: either(mostly(fc.constant('p'), url), mostly(goodId, id)),
      timestamp: fc.constantFrom(1, 73_612_799, 73_612_800, NOW_SECONDS),
    });
    fc.assert(
      fc.property(arbitrary, ({ mentions, shift, parent: [parentUrl, parentCastId], timestamp, ...rest }) => {
        const mentionsPositions = mentions.map((_, index) => index).slice(shift);
        const castAddBody = { ...rest, mentions, mentionsPositions, parentUrl, parentCastId } as core.CastAddBody;
        const expected = validations.validateCastAddBody(castAddBody, timestamp < 73_612_800).isOk();
        expect(isTaken(castData({ castAddBody, timestamp }))).toBe(expected);
      }),
      { numRuns: 400 },
    );
  });

  it('for reactions, links and frame actions', () => {
    const reaction = fc
      .record({ type: fc.nat(3), target: either(url, mostly(goodId, id)) })
      .map(({ type, target: [targetUrl, targetCastId] }) => {
        const reactionBody = { type, targetUrl, targetCastId } as core.ReactionBody;
        return [bodyData(3, { reactionBody }), validations.validateReactionBody(reactionBody).isOk()] as const;
      });
    const link = fc
      .record({
        type: near(0, 8).map((n) => 'é'.repeat(n / 2) + 'x'.repeat(n % 2)),
        targetFid: fc.constantFrom(0, 1, undefined),
      })
      .map(
        (linkBody) =>
          [
            bodyData(5, { linkBody: linkBody as core.LinkBody }),
            validations.validateLinkBody(linkBody as core.LinkBody).isOk(),
          ] as const,
      );
    const sized = (length: number) => near(0, length).map((n) => new Uint8Array(n));
    const frame = fc
      .record({
        url: sized(1024),
        buttonIndex: fc.nat(7),
        castId: fc.option(mostly(goodId, id), { nil: undefined }),
        inputText: sized(256),
        state: sized(10),
        transactionId: sized(256),
        address: sized(64),
      })
      .map(
        (frameActionBody) =>
          [bodyData(13, { frameActionBody }), validations.validateFrameActionBody(frameActionBody).isOk()] as const,
      );
    fc.assert(
      fc.property(fc.oneof(reaction, link, frame), ([data, expected]) => {
        expect(isTaken(data)).toBe(expected);
      }),
      { numRuns: 400 },
    );
  });

  it('for messages that the package makes up', async () => {
    const { Factories } = core;
    const factories = [
      Factories.CastAddMessage,
      Factories.CastRemoveMessage,
      Factories.ReactionAddMessage,
      Factories.ReactionRemoveMessage,
      Factories.LinkAddMessage,
      Factories.LinkRemoveMessage,
      Factories.LinkCompactStateMessage,
      Factories.VerificationAddEthAddressMessage,
      Factories.VerificationAddSolAddressMessage,
      Factories.VerificationRemoveMessage,
      Factories.UserDataAddMessage,
      Factories.UsernameProofMessage,
      Factories.FrameActionMessage,
      Factories.LendStorageMessage,
    ];
    for (const factory of factories) {
      const message = await factory.create();
      const result = verifyWire(core.Message.encode(message).finish(), { now: Date.now() });
      expect(result, core.messageTypeToJSON(message.data?.type ?? 0)).toEqual({ ok: true });
    }
  });
});
