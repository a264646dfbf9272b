import type { EntityKind } from '../cache/entity-kind.js';
import type { Envelope } from '../protocol/wire/message.js';
import { selectEnvelopes } from '../store/hub/message.js';
import type { MessageReference } from '../store/hub/message-page.js';

/** A signed message. */
export interface HubMessage {
  readonly envelope: Envelope;
  /** Its JSON by dialect, once the view wrote it. */
  readonly json: { neutral?: string; ecosystem?: string };
}

const SIGNATURE_BYTES = 8;

/** @returns the first bytes, one character for each */
const characters = ({ buffer, byteOffset, length }: Uint8Array, most: number): string =>
  Buffer.from(buffer, byteOffset, Math.min(most, length)).toString('latin1');

/** The hash alone is not enough: when a key is revoked, another key of the account may sign the same data again. */
const keyOf = ({ hash, signature }: Pick<Envelope, 'hash' | 'signature'>): string =>
  `message ${characters(hash, hash.length)}${characters(signature, SIGNATURE_BYTES)}`;

/**
 * Signed messages by where they stand. They never change; the list that names one says whether it is still in force,
 * and one that was removed since its list was read is not found.
 */
export const hubMessageByReference: EntityKind<MessageReference, HubMessage> = {
  keyOf,
  tagsOf: () => [],
  // One that was removed may be merged again, with the same hash and signature.
  mayComeUnnoticed: true,
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
