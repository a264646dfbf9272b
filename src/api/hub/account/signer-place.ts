import type { OnchainKeyPlace } from '../../../store/hub/signer.js';
import { numberPosition, readNumberPosition } from '../list-token.js';

/** A place in the list of an account's signers, which has two parts. */
export type SignerPlace =
  | { readonly kind: 'onchain'; readonly place: OnchainKeyPlace }
  | { readonly kind: 'message'; readonly key: Uint8Array };

const ONCHAIN = 1;
const MESSAGE = 2;

/** @returns block (8 bytes), log index (8) and key */
export const writeOnchainPlace = ({ blockNumber, logIndex, key }: OnchainKeyPlace): Uint8Array =>
  Buffer.concat([numberPosition(blockNumber), numberPosition(logIndex), key]);

/** @param position made by {@link writeOnchainPlace} */
export const readOnchainPlace = (position: Buffer): OnchainKeyPlace => ({
  blockNumber: readNumberPosition(position),
  logIndex: readNumberPosition(position.subarray(8)),
  key: position.subarray(16),
});

/** @returns one byte for the part, then the place onchain, or the key alone */
export const writeSignerPlace = (place: SignerPlace): Uint8Array => {
  if (place.kind === 'message') return Buffer.concat([Uint8Array.of(MESSAGE), place.key]);
  return Buffer.concat([Uint8Array.of(ONCHAIN), writeOnchainPlace(place.place)]);
};

/** @param position made by {@link writeSignerPlace} */
export const readSignerPlace = (position: Buffer): SignerPlace => {
  if (position[0] === MESSAGE) return { kind: 'message', key: position.subarray(1) };
  return { kind: 'onchain', place: readOnchainPlace(position.subarray(1)) };
};
