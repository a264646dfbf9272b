import { HubEventType, Message } from '@farcaster/core';
import { expect } from 'vitest';
import { decodeEnvelope, encodeEnvelope } from '../src/protocol/wire/envelope.js';
import type { Author } from '../src/sample/author.js';
import type { Signed } from '../src/sample/signed-message.js';
import { authors, registration } from '../test/support/hub-fixture.js';
import { testFault } from './provoke.js';

const changed = (bytes: Uint8Array): Uint8Array => bytes.map((byte, at) => (at === 0 ? byte ^ 1 : byte));

/** @returns messages that the author never signed: with another signature, key, hash, or text */
const forgeries = (person: Author, stranger: Author, n: number): Uint8Array[] => {
  const envelope = ({ wire }: Signed) => decodeEnvelope(wire);
  const real = envelope(person.cast({ text: `nobody said this ${n}` }));
  const other = envelope(person.cast({ text: `nor this ${n}` }));
  const { signer, signature } = envelope(stranger.cast({ text: `a stranger's key ${n}` }));
  return [
    { ...real, signature: changed(real.signature) },
    { ...real, signer, signature },
    { ...real, hash: changed(real.hash) },
    { ...real, dataBytes: other.dataBytes },
  ].map(encodeEnvelope);
};

testFault({
  title: 'The hub sends casts that their authors never signed: with another signature, key, hash, or text',
  times: 20,
  provoke: async ({ hub, people }, n) => {
    const [stranger] = authors(99);
    const lies = forgeries(people[0], stranger, n).map((wire) => Message.decode(wire));
    expect(lies).toHaveLength(4);
    const bodies = lies.map((message) => ({
      type: HubEventType.MERGE_MESSAGE,
      mergeMessageBody: { message, deletedMessages: [] },
    }));
    hub.state.block(1, bodies);
    hub.tick();
  },
});

testFault({
  title: 'The hub sends the messages of a new account before its registration, key and storage',
  times: 20,
  provoke: async (world, n) => {
    const [person] = authors(1_000 + n);
    const account = await registration(person);
    const casts = [1, 2, 3].map((place) => person.cast({ text: `early ${place}` }).item);
    world.say(...casts, ...account.reverse());
  },
});
