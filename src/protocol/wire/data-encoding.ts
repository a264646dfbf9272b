import { MessageData } from '@farcaster/core';
import { checkCanonical, withoutEmptyLists } from './canonical.js';
import { WireError } from './wire.js';

/**
 * @returns the encodings of the same data by hubs (prost) and by the protocol's package (ts-proto), which writes empty
 *   lists. Without such lists both are equal.
 */
export const dataEncodings = (data: MessageData): readonly [hub: Uint8Array, typescript: Uint8Array] => {
  const typescript = MessageData.encode(data).finish();
  return [withoutEmptyLists(typescript), typescript];
};

/** @returns whether a hub that decodes these `MessageData` and encodes them again gets the same bytes */
export const isHubForm = (dataBytes: Uint8Array): boolean => {
  try {
    checkCanonical(dataBytes, 'hub');
    return true;
  } catch (error) {
    if (error instanceof WireError) return false;
    throw error;
  }
};
