import type { UsableSigner } from '../../signer/signers.js';
import type { RemoteChannels } from '../remote.js';
import type { ChannelClient } from './http.js';

/** How long a token is valid, in seconds; as in the example of the client's documentation. */
const TOKEN_SECONDS = 300;

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/**
 * Signs a token for the signer's account. The client finds the key among the signers that the account has onchain.
 * @param now Unix milliseconds
 * @returns three parts in base64url, joined by dots: who signs, until when it is valid, the Ed25519 signature of both
 *   (docs of the Farcaster client API, "Authentication")
 */
export const signToken = ({ fid, publicKey, sign }: UsableSigner, now: number): string => {
  const key = `0x${Buffer.from(publicKey).toString('hex')}`;
  const signed = `${encode({ fid, type: 'app_key', key })}.${encode({ exp: Math.floor(now / 1000) + TOKEN_SECONDS })}`;
  return `${signed}.${Buffer.from(sign(Buffer.from(signed))).toString('base64url')}`;
};

const FOLLOWS = '/fc/channel-follows';
const INVITES = '/fc/channel-invites';

/**
 * Passes changes on to the client, signed with the keys of the accounts that make them.
 * @param clock Unix milliseconds
 */
export const createRemoteChannels = (client: ChannelClient, clock: () => number): RemoteChannels => {
  const token = (signer: UsableSigner): string => signToken(signer, clock());
  return {
    follow: (signer, channelId) => client.write('POST', FOLLOWS, { channelId }, token(signer)),
    unfollow: (signer, channelId) => client.write('DELETE', FOLLOWS, { channelId }, token(signer)),
    invite: (signer, channelId, fid, role) =>
      client.write('POST', INVITES, { channelId, inviteFid: fid, role }, token(signer)),
    respond: (signer, channelId, role, accept) =>
      client.write('PATCH', INVITES, { channelId, role, accept }, token(signer)),
    remove: (signer, channelId, fid, role) =>
      client.write('DELETE', INVITES, { channelId, removeFid: fid, role }, token(signer)),
  };
};
