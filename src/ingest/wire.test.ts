import { HubEvent, HubEventType, Message, MessagesResponse, UserNameProof } from '@farcaster/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { author } from '../sample/author.js';
import { itemsOfHubEvent } from './event-item.js';
import { readHubEvent, readMessageHead, readMessagePage } from './wire.js';

const alice = author({ seed: 'wire', fid: 7 });
const [cast, other] = [alice.cast({ text: 'gm 🌱' }), alice.cast({ text: 'gn' })];

const event = (type: HubEventType, body: Partial<HubEvent>): Uint8Array =>
  HubEvent.encode({ type, id: 81_920, blockNumber: 5, shardIndex: 1, timestamp: 99, ...body }).finish();

const read = (type: HubEventType, body: Partial<HubEvent>) => {
  const raw = readHubEvent(event(type, body));
  expect(raw).toMatchObject({ type, id: 81_920, timestamp: 99 });
  return itemsOfHubEvent(raw);
};

const decoded = ({ wire }: { wire: Uint8Array }): Message => Message.decode(wire);
const bytes = (wire: Uint8Array): Buffer => Buffer.from(wire);

test('messages of events and pages keep their exact bytes', () => {
  const items = read(HubEventType.MERGE_MESSAGE, {
    mergeMessageBody: { message: decoded(cast), deletedMessages: [decoded(other)] },
  });
  expect(items?.map((item) => item.kind)).toEqual(['message', 'removal']);
  expect(items?.map((item) => 'wire' in item && item.wire && bytes(item.wire))).toEqual([
    bytes(cast.wire),
    bytes(other.wire),
  ]);
  const page = MessagesResponse.encode({ messages: [decoded(cast)], nextPageToken: Uint8Array.of(1, 2) }).finish();
  const { messages, nextPageToken } = readMessagePage(page);
  expect(messages.map(bytes)).toEqual([bytes(cast.wire)]);
  expect([...nextPageToken]).toEqual([1, 2]);
  expect(readMessagePage(new Uint8Array(0))).toEqual({ messages: [], nextPageToken: new Uint8Array(0) });
});

test('each event type becomes items', async () => {
  const message = decoded(cast);
  expect(read(HubEventType.PRUNE_MESSAGE, { pruneMessageBody: { message } })).toMatchObject([{ reason: 'prune' }]);
  expect(read(HubEventType.REVOKE_MESSAGE, { revokeMessageBody: { message } })).toMatchObject([{ reason: 'revoke' }]);
  const registration = alice.register();
  if (registration.kind !== 'onchain') throw new Error('not an onchain event');
  const onChainEvent = registration.event;
  expect(read(HubEventType.MERGE_ON_CHAIN_EVENT, { mergeOnChainEventBody: { onChainEvent } })).toEqual([registration]);
  expect(read(HubEventType.MERGE_FAILURE, { mergeFailure: { message, code: 'x', reason: 'y' } })).toEqual([]);
  expect(read(12 as HubEventType, {})).toEqual([]);
  expect(read(13 as HubEventType, {})).toBeUndefined();
});

test('username proofs: of the registry, of a message, and removed', async () => {
  const proof = UserNameProof.create({ name: Buffer.from('alice'), fid: 7, timestamp: 5 });
  const ens = await alice.ensProof('alice.eth');
  const nothing = {
    usernameProof: undefined,
    deletedUsernameProof: undefined,
    usernameProofMessage: undefined,
    deletedUsernameProofMessage: undefined,
  };
  const type = HubEventType.MERGE_USERNAME_PROOF;
  const said = (body: Partial<typeof nothing> | object) =>
    read(type, { mergeUsernameProofBody: { ...nothing, ...body } });
  expect(said({ usernameProof: proof, deletedUsernameProof: { ...proof, fid: 8 } })).toMatchObject([
    { kind: 'proof', proof: { fid: 7 } },
  ]);
  expect(said({ usernameProof: proof, usernameProofMessage: decoded(ens) })).toMatchObject([{ kind: 'message' }]);
  expect(said({ deletedUsernameProof: proof, deletedUsernameProofMessage: decoded(ens) })).toMatchObject([
    { kind: 'removal', reason: 'revoke' },
  ]);
  const raw = readHubEvent(
    event(type, {
      mergeUsernameProofBody: { ...nothing, usernameProof: proof, deletedUsernameProof: { ...proof, fid: 8 } },
    }),
  );
  expect(raw.formerFid).toBe(8);
});

test('the head of a message is read without its body; invalid bytes have none', () => {
  expect(readMessageHead(cast.wire)).toMatchObject({ fid: 7, type: 1, signatureScheme: 1 });
  expect(bytes(readMessageHead(cast.wire)?.signer as Uint8Array)).toEqual(bytes(alice.signer));
  expect(readMessageHead(cast.wire.subarray(0, 40))).toBeUndefined();
});

test('reading any bytes returns an event or throws', () => {
  const whole = event(HubEventType.MERGE_MESSAGE, {
    mergeMessageBody: { message: decoded(cast), deletedMessages: [] },
  });
  const damaged = fc
    .tuple(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length))
    .map(([at, value, length]) =>
      Uint8Array.from(whole, (byte, index) => (index === at ? value : byte)).subarray(0, length),
    );
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), damaged), (wire) => {
      try {
        itemsOfHubEvent(readHubEvent(wire));
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }),
    { numRuns: 2_000 },
  );
});
