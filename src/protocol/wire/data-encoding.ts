import { MessageData } from '@farcaster/core';
import { checkCanonical, withoutEmptyLists } from './canonical.js';
import { WireError } from './wire.js';

/**
 * @returns the bytes that the network's encoders make of the same data: first hubs (prost), then the protocol's package
 *   (ts-proto), which writes empty lists. Where data have no such list the two are equal.
 */
export function dataEncodings(data: MessageData): readonly [hub: Uint8Array, typescript: Uint8Array] {
  const typescript = MessageData.encode(data).finish();
  return [withoutEmptyLists(typescript), typescript];
}

/** @returns whether a hub that decodes these `MessageData` and encodes them anew gets the same bytes */
export function isHubForm(dataBytes: Uint8Array): boolean {
  try {
    checkCanonical(dataBytes, 'hub');
    return true;
  } catch (error) {
    if (error instanceof WireError) return false;
    throw error;
  }
}
