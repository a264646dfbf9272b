import { MessageType } from '@farcaster/core';
import type { ChannelRegistration } from '../../protocol/channel/decode.js';
import type { OwnerClaim } from '../../protocol/channel/owner.js';
import { isChannelType } from '../../protocol/channel/type.js';
import { ETH_ADDRESS_BYTES } from '../../protocol/limit.js';
import type { StoredChannelMessage } from '../../store/channel/protocol-message.js';
import type { StoredMessage } from '../stored-message.js';

/** An account verified an address, or no longer does: who owns the channels of the address may change. */
export interface ClaimStep {
  readonly kind: 'claim';
  readonly fid: number;
  /** 20 bytes. */
  readonly address: Uint8Array;
  readonly before: OwnerClaim | undefined;
  readonly after: OwnerClaim | undefined;
}

/** An item of a batch that changes the state of channels. Their order is that of arrival. */
export type ChannelStep =
  | ClaimStep
  | { readonly kind: 'registration'; readonly registration: ChannelRegistration }
  | { readonly kind: 'message'; readonly message: StoredChannelMessage };

/** A message that was merged or removed. */
interface MergedMessage {
  readonly message: StoredMessage;
  readonly outcome: { readonly status: string };
  readonly replaced: readonly StoredMessage[];
}

const isVerification = ({ type }: StoredMessage): boolean =>
  type === MessageType.VERIFICATION_ADD_ETH_ADDRESS || type === MessageType.VERIFICATION_REMOVE;

const claimOf = (message: StoredMessage | undefined): OwnerClaim | undefined =>
  message?.type === MessageType.VERIFICATION_ADD_ETH_ADDRESS
    ? { fid: message.fid, ts: message.ts, hash: message.hash }
    : undefined;

/** @returns what a merged or removed message decides about channels; undefined for most */
export const channelStepOf = ({ message, outcome, replaced }: MergedMessage): ChannelStep | undefined => {
  const isMerged = outcome.status === 'merged';
  if (isChannelType(message.type)) return isMerged ? { kind: 'message', message } : undefined;
  if (!isVerification(message) || message.key.length !== ETH_ADDRESS_BYTES) return undefined;
  const { fid, key: address } = message;
  if (isMerged) return { kind: 'claim', fid, address, before: claimOf(replaced[0]), after: claimOf(message) };
  return outcome.status === 'removed'
    ? { kind: 'claim', fid, address, before: claimOf(message), after: undefined }
    : undefined;
};
