import type { EntityKind } from '../cache/read-context.js';
import type { Envelope } from '../protocol/wire/message.js';
import { selectEnvelopes } from '../store/hub/message.js';
import { type MessageReference, SIGNATURE_PREFIX_BYTES } from '../store/hub/message-page.js';

export interface HubMessage {
  readonly envelope: Envelope;
  /** Its JSON by dialect; set when the view first renders it. */
  readonly json: { neutral?: string; ecosystem?: string };
}

/** @returns the first bytes as a string of one character each */
const characters = ({ buffer, byteOffset, length }: Uint8Array, most: number): string =>
  Buffer.from(buffer, byteOffset, Math.min(most, length)).toString('latin1');

/** The hash alone is not unique: when a key is revoked, another key of the account may sign the same data again. */
const keyOf = ({ hash, signature }: Pick<Envelope, 'hash' | 'signature'>): string =>
  `message ${characters(hash, hash.length)}${characters(signature, SIGNATURE_PREFIX_BYTES)}`;

/**
 * Signed messages by reference. A message never changes; the list that refers to it decides whether it is in force. A
 * message that was removed since its list was read is not found.
 */
export const hubMessageByReference: EntityKind<MessageReference, HubMessage> = {
  keyOf,
  tagsOf: () => [],
  // A removed message may be merged again with the same hash and signature.
  isAbsenceUncacheable: true,
  load: async (references, read) => {
    const byKey = new Map(references.map((reference) => [keyOf(reference), reference]));
    const envelopes = await selectEnvelopes(read, references);
    return new Map(
      envelopes.flatMap((envelope) => {
        const reference = byKey.get(keyOf(envelope));
        return reference === undefined ? [] : [[reference, { value: { envelope, json: {} } }] as const];
      }),
    );
  },
};
