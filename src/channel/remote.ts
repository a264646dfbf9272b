import type { UsableSigner } from '../signer/signers.js';

/** A role to which accounts are invited. */
export type InvitedRole = 'moderator' | 'member';

/**
 * The client that decides about channels, where its channels are mirrored (`CASTELLAN_CHANNEL_SOURCE=client`). Each call is
 * made in the name of the signer's account, and resolves when the client has accepted it.
 *
 * All methods throw AppError: invalid with the client's words when it refuses, forbidden when the account may not do it,
 * bad_gateway (follow, unfollow) or internal (the others) when the client does not answer or is asked too often.
 */
export interface RemoteChannels {
  follow(signer: UsableSigner, channelId: string): Promise<void>;
  unfollow(signer: UsableSigner, channelId: string): Promise<void>;
  /** @param fid of the invited account */
  invite(signer: UsableSigner, channelId: string, fid: number, role: InvitedRole): Promise<void>;
  /** Accepts or declines an invite of the signer's account. */
  respond(signer: UsableSigner, channelId: string, role: InvitedRole, accept: boolean): Promise<void>;
  /** Removes a member, or an open invite. */
  remove(signer: UsableSigner, channelId: string, fid: number, role: InvitedRole): Promise<void>;
}
