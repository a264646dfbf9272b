import {
  HubEvent,
  HubEventType,
  type MergeOnChainEventBody,
  type Message,
  OnChainEvent,
  OnChainEventType,
  SignerEventType,
  UserDataType,
  type UserNameProof,
} from '@farcaster/core';
import { describe, expect, test } from 'vitest';
import { bodyData, sign } from '../../../test/support/signed-message.js';
import { bareHex } from '../../hex.js';
import { author } from '../../sample/author.js';
import type { Signed } from '../../sample/signed-message.js';
import { readEnvelope } from '../wire/envelope-wire.js';
import { decodeEvents } from './decode.js';

const FID = 12;
const AT = new Date('2025-06-15T12:00:00.250Z');
const alice = author({ seed: 'decode test', fid: FID });
const ORIGIN = { logId: 70, fid: FID, at: AT, part: 0 };

const message = (wire: Uint8Array): Message => ({ data: undefined, ...readEnvelope(wire) });

const rowOf = (type: HubEventType, body: Partial<HubEvent>, fid = FID) => ({
  id: 70,
  fid,
  type,
  at: AT,
  body: HubEvent.encode(HubEvent.create({ type, ...body })).finish(),
});

/** Events of a merged message, and of what it replaced. */
const merged = (wire: { wire: Uint8Array }, ...deleted: Signed[]) =>
  decodeEvents(
    rowOf(HubEventType.MERGE_MESSAGE, {
      mergeMessageBody: { message: message(wire.wire), deletedMessages: deleted.map((one) => message(one.wire)) },
    }),
  );

const onchain = (event: OnChainEvent) =>
  decodeEvents(
    rowOf(HubEventType.MERGE_ON_CHAIN_EVENT, {
      mergeOnChainEventBody: { onChainEvent: event } as MergeOnChainEventBody,
    }),
  );

const onchainItem = (item: unknown) => onchain((item as { event: OnChainEvent }).event);

const hex = ({ hash }: { hash: Uint8Array }): string => Buffer.from(hash).toString('hex');
const UPDATED = [{ type: 'user.updated', ...ORIGIN }];

describe('casts', () => {
  const parent = alice.cast({ text: 'gm' });
  const cast = alice.cast({
    text: ['gm ', 3, ' 🌱'],
    embeds: ['https://news.example/beans', parent],
    parent,
  });
  const members = {
    ...ORIGIN,
    hash: hex(cast),
    ts: cast.timestamp,
    castType: 0,
    text: 'gm  🌱',
    mentions: [3],
    mentionPositions: [3],
    embeds: [{ url: 'https://news.example/beans' }, { fid: FID, hash: hex(parent) }],
    parentFid: FID,
    parentHash: hex(parent),
    parentUrl: null,
  };

  const withoutSigner = (events: readonly object[]) =>
    events.map((event) => {
      const { signer, ...rest } = event as { signer: Uint8Array };
      expect(Buffer.from(signer)).toEqual(Buffer.from(alice.signer));
      return rest;
    });

  test('a cast is created', () => {
    expect(withoutSigner(merged(cast))).toEqual([{ type: 'cast.created', ...members }]);
  });

  test('a removal says the cast that it removed', () => {
    expect(withoutSigner(merged(alice.removeCast(cast.hash), cast))).toEqual([{ type: 'cast.deleted', ...members }]);
  });

  test('a removal of an unknown cast, or one that replaces a removal, deletes nothing', () => {
    expect(merged(alice.removeCast(cast.hash))).toEqual([]);
    expect(merged(alice.removeCast(cast.hash), alice.removeCast(cast.hash))).toEqual([]);
  });

  test('a channel is its URL, and old casts embed URLs only', () => {
    const [event] = merged(alice.cast({ text: 'x', parent: 'https://channel.example/x' }));
    expect(event).toMatchObject({ parentUrl: 'https://channel.example/x', parentFid: null, parentHash: null });
    const old = sign(
      bodyData(1, {
        castAddBody: {
          text: 'old',
          type: 0,
          embeds: [],
          embedsDeprecated: ['https://old.example/'],
          mentions: [],
          mentionsPositions: [],
        },
      }),
    );
    expect(merged({ wire: old })).toMatchObject([{ embeds: [{ url: 'https://old.example/' }] }]);
  });

  test('pruned and revoked messages are no events', () => {
    const body = { message: message(cast.wire) };
    expect(decodeEvents(rowOf(HubEventType.PRUNE_MESSAGE, { pruneMessageBody: body }))).toEqual([]);
    expect(decodeEvents(rowOf(HubEventType.REVOKE_MESSAGE, { revokeMessageBody: body }))).toEqual([]);
  });
});

describe('follows', () => {
  const follow = alice.follow(5);
  const created = { type: 'follow.created', ...ORIGIN, targetFid: 5, ts: follow.timestamp };
  const deleted = { ...created, type: 'follow.deleted' };

  test('are created and deleted, with the time of the follow', () => {
    expect(merged(follow)).toEqual([created]);
    expect(merged(follow, alice.unfollow(5))).toEqual([created]);
    expect(merged(alice.unfollow(5), follow)).toEqual([deleted]);
  });

  test('are not created again by a repeated follow, nor deleted where there was none', () => {
    expect(merged(alice.follow(5), follow)).toEqual([]);
    expect(merged(alice.unfollow(5))).toEqual([]);
    expect(merged(alice.unfollow(5), alice.unfollow(5))).toEqual([]);
  });

  test('are deleted one by one by a compact state that leaves them out', () => {
    const other = alice.follow(6);
    const state = alice.compactLinks('follow', [7]);
    expect(merged(alice.compactLinks('follow', [8]), state, follow, other)).toEqual([
      deleted,
      { ...deleted, part: 1, targetFid: 6, ts: other.timestamp },
    ]);
    expect(merged(state)).toEqual([]);
  });

  test('other links are no events', () => {
    const block = alice.link('block', 5);
    expect(merged(block)).toEqual([]);
    expect(merged(alice.unlink('block', 5), block)).toEqual([]);
    expect(merged(alice.compactLinks('block', []), block)).toEqual([]);
  });
});

describe('reactions', () => {
  const target = { fid: 9, hash: new Uint8Array(20).fill(171) };
  const like = alice.react('like', target);
  const created = {
    type: 'reaction.created',
    ...ORIGIN,
    reactionType: 1,
    targetFid: 9,
    targetHash: 'ab'.repeat(20),
    ts: like.timestamp,
  };

  test('to casts are created and deleted, with the time of the reaction', () => {
    expect(merged(like)).toEqual([created]);
    expect(merged(alice.unreact('like', target), like)).toEqual([{ ...created, type: 'reaction.deleted' }]);
    expect(merged(alice.react('recast', target))).toMatchObject([{ type: 'reaction.created', reactionType: 2 }]);
  });

  test('are not created again, nor deleted where there was none', () => {
    expect(merged(alice.react('like', target), like)).toEqual([]);
    expect(merged(alice.unreact('like', target))).toEqual([]);
  });

  test('to URLs are no events', () => {
    const onUrl = alice.react('like', 'https://news.example/beans');
    expect(merged(onUrl)).toEqual([]);
    expect(merged(alice.unreact('like', 'https://news.example/beans'), onUrl)).toEqual([]);
  });
});

describe('accounts', () => {
  test('are created by their registration, and updated by a transfer and a subscription', () => {
    const custody = bareHex(alice.custody.address);
    expect(onchainItem(alice.register())).toEqual([{ type: 'user.created', ...ORIGIN, custody }]);
    expect(onchainItem(alice.transfer(1))).toEqual(UPDATED.map((event) => ({ ...event, custody })));
    expect(onchainItem(alice.buyPro(30))).toEqual(UPDATED);
  });

  test('are not changed by signers, storage and a new recovery address', async () => {
    expect(onchainItem(await alice.addSigner())).toEqual([]);
    expect(onchainItem(alice.removeSigner())).toEqual([]);
    expect(onchainItem(alice.rent(1))).toEqual([]);
    const { event } = alice.register() as { event: OnChainEvent } & object;
    const idRegisterEventBody = { ...(event.idRegisterEventBody as object), eventType: 3 };
    expect(onchain({ ...event, idRegisterEventBody } as OnChainEvent)).toEqual([]);
  });

  test('are updated by auth addresses, whose removal does not say the type of the key', () => {
    const key = new Uint8Array(32).fill(1, 12);
    const signerEvent = (eventType: SignerEventType, keyType: number) =>
      onchain(
        OnChainEvent.create({
          type: OnChainEventType.EVENT_TYPE_SIGNER,
          fid: FID,
          signerEventBody: { key, keyType, eventType, metadata: new Uint8Array(0), metadataType: 1 },
        }),
      );
    expect(signerEvent(SignerEventType.ADD, 2)).toEqual(UPDATED);
    expect(signerEvent(SignerEventType.REMOVE, 0)).toEqual(UPDATED);
    const none = new Uint8Array(0);
    const added = { key, keyType: 2, custodySignature: none, deadline: 0, nonce: 0, metadata: none, metadataType: 1 };
    const rest = { registrationTxHash: none, scopes: [], ttl: 0 };
    const add = (keyType: number) => ({
      wire: sign(bodyData(16, { keyAddBody: { ...added, ...rest, keyType } as never })),
    });
    const remove = (of: Uint8Array) => ({
      wire: sign(
        bodyData(17, { keyRemoveBody: { key: of, signature: none, signatureType: 0, deadline: 0, nonce: 0 } as never }),
      ),
    });
    expect(merged(add(2))).toEqual(UPDATED);
    expect(merged(add(1))).toEqual([]);
    expect(merged(remove(key))).toEqual(UPDATED);
    expect(merged(remove(alice.signer))).toEqual([]);
  });

  test('are updated by user data, verifications and names', async () => {
    expect(merged(alice.userData(UserDataType.BIO, 'Gardens'))).toEqual(UPDATED);
    const verification = await alice.verifyEthereum(alice.wallet(1));
    expect(merged(verification)).toEqual(UPDATED);
    const removal = alice.removeVerification(0, alice.wallet(1).address);
    expect(merged(removal, verification)).toEqual(UPDATED);
    expect(merged(removal)).toEqual([]);
  });

  test('are updated by the proof of a name, and not by its release, nor when it is pruned or revoked', async () => {
    const { proof } = (await alice.fnameProof('alice')) as { proof: UserNameProof } & object;
    const nothing = {
      usernameProof: undefined,
      deletedUsernameProof: undefined,
      usernameProofMessage: undefined,
      deletedUsernameProofMessage: undefined,
    };
    const type = HubEventType.MERGE_USERNAME_PROOF;
    const events = (body: object, fid?: number) =>
      decodeEvents(rowOf(type, { mergeUsernameProofBody: { ...nothing, ...body } }, fid));
    expect(events({ usernameProof: proof })).toEqual(UPDATED);
    expect(events({ usernameProof: proof }, 0)).toEqual([]);
    expect(events({ deletedUsernameProof: proof })).toEqual([]);
  });
});

test('messages that nobody is told about, and types of later versions, are no events', () => {
  expect(merged(alice.lendStorage(5, 1))).toEqual([]);
  expect(merged({ wire: sign(bodyData(99, {})) })).toEqual([]);
  expect(decodeEvents({ ...rowOf(HubEventType.MERGE_MESSAGE, {}), type: 40 })).toEqual([]);
});
