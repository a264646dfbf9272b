import { AppError } from '../../error.js';
import type { UsableSigner } from '../../signer/signers.js';
import type { RemoteChannels } from '../remote.js';
import { type ChannelClient, isAway } from './http.js';

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

/** The operations on members list a 500 for a client that does not answer; only those on follows list a 502. */
const asInternal = (error: unknown): never => {
  if (!(error instanceof AppError) || !isAway(error)) throw error;
  const { code, message, retryAfter } = error;
  throw new AppError('internal', code, message, { cause: error, ...(retryAfter === undefined ? {} : { retryAfter }) });
};

/**
 * Passes changes on to the client, signed with the keys of the accounts that make them.
 * @param clock Unix milliseconds
 */
export const createRemoteChannels = (client: ChannelClient, clock: () => number): RemoteChannels => {
  const follows = (method: 'POST' | 'DELETE', signer: UsableSigner, channelId: string): Promise<void> =>
    client.write(method, FOLLOWS, { channelId }, signToken(signer, clock()));
  const invites = (method: 'POST' | 'PATCH' | 'DELETE', signer: UsableSigner, body: object): Promise<void> =>
    client.write(method, INVITES, body, signToken(signer, clock())).catch(asInternal);
  return {
    follow: (signer, channelId) => follows('POST', signer, channelId),
    unfollow: (signer, channelId) => follows('DELETE', signer, channelId),
    invite: (signer, channelId, fid, role) => invites('POST', signer, { channelId, inviteFid: fid, role }),
    respond: (signer, channelId, role, accept) => invites('PATCH', signer, { channelId, role, accept }),
    remove: (signer, channelId, fid, role) => invites('DELETE', signer, { channelId, removeFid: fid, role }),
  };
};
