import { MessageType } from '@farcaster/core';
import type { ChannelRegistration } from '../../protocol/channel/decode.js';
import type { OwnerClaim } from '../../protocol/channel/owner.js';
import { isChannelType } from '../../protocol/channel/type.js';
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

/** One thing in a batch that decides about channels. Their order is that of arrival. */
export type ChannelStep =
  | ClaimStep
  | { readonly kind: 'registration'; readonly registration: ChannelRegistration }
  | { readonly kind: 'message'; readonly message: StoredChannelMessage };

/** A message that was merged or removed. */
interface MergedMessage {
  readonly held: StoredMessage;
  readonly outcome: { readonly status: string };
  readonly replaced: readonly StoredMessage[];
}

const ADDRESS_BYTES = 20;

const isVerification = ({ type }: StoredMessage): boolean =>
  type === MessageType.VERIFICATION_ADD_ETH_ADDRESS || type === MessageType.VERIFICATION_REMOVE;

const claimOf = (held: StoredMessage | undefined): OwnerClaim | undefined =>
  held?.type === MessageType.VERIFICATION_ADD_ETH_ADDRESS ? { fid: held.fid, ts: held.ts, hash: held.hash } : undefined;

/** @returns what a merged or removed message decides about channels; undefined for most */
export const channelStepOf = ({ held, outcome, replaced }: MergedMessage): ChannelStep | undefined => {
  const isMerged = outcome.status === 'merged';
  if (isChannelType(held.type)) return isMerged ? { kind: 'message', message: held } : undefined;
  if (!isVerification(held) || held.key.length !== ADDRESS_BYTES) return undefined;
  const { fid, key: address } = held;
  if (isMerged) return { kind: 'claim', fid, address, before: claimOf(replaced[0]), after: claimOf(held) };
  return outcome.status === 'removed'
    ? { kind: 'claim', fid, address, before: claimOf(held), after: undefined }
    : undefined;
};
