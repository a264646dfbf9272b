import { bytesToBase58 } from '@farcaster/core';
import { toHex } from '../../src/hex.js';

/** What an answer is; `other`: the case says how it is written. */
type Kind =
  | 'message'
  | 'messages'
  | 'event'
  | 'events'
  | 'proof'
  | 'proofs'
  | 'fids'
  | 'hubEvent'
  | 'hubEvents'
  | 'other';

/** A request over HTTP; undefined parameters are left out. */
export interface Route {
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  /** Bytes to send: the path is posted to. */
  readonly body?: Uint8Array;
}

// biome-ignore lint/suspicious/noExplicitAny: the request of any call, as the protocol's package has it
type Request = any;

export interface Call {
  readonly kind: Kind;
  /** @returns undefined: such a request cannot be made over HTTP */
  readonly route?: (request: Request) => Route | undefined;
}

const hex = (bytes: Uint8Array | undefined): string | undefined => bytes && toHex(bytes);

const pageOf = ({ pageSize, reverse, pageToken }: Request) => ({
  pageSize,
  reverse,
  pageToken: pageToken instanceof Uint8Array ? Buffer.from(pageToken).toString('base64') : pageToken,
});

/** @param query the parameters that have other names over HTTP, or other forms; undefined: not over HTTP */
const get = (kind: Kind, path: string, query: (request: Request) => object | undefined): Call => ({
  kind,
  route: (request) => {
    const named = query(request);
    return named && { path, query: { ...pageOf(request), ...named } };
  },
});
const post = (kind: Kind, path: string): Call => ({ kind, route: ({ wire }) => ({ path, body: wire }) });

const ofFid = ({ fid }: Request) => ({ fid });
const ofChannel = ({ channelId }: Request) => ({ channelId: hex(channelId) });
const ofCast = (cast: Request) => ({ target_fid: cast?.fid, target_hash: hex(cast?.hash) });

const MESSAGE_CALLS: Readonly<Record<string, Call>> = {
  getCast: get('message', 'castById', ({ fid, hash }) => ({ fid, hash: hex(hash) })),
  getCastsByFid: get('messages', 'castsByFid', ofFid),
  getCastsByParent: get('messages', 'castsByParent', ({ parentCastId: cast, parentUrl: url }) => ({
    ...{ fid: cast?.fid, hash: hex(cast?.hash), url },
  })),
  getCastsByMention: get('messages', 'castsByMention', ofFid),
  getReaction: get('message', 'reactionById', ({ fid, reactionType, targetCastId, targetUrl }) =>
    targetUrl === undefined ? { fid, reaction_type: reactionType, ...ofCast(targetCastId) } : undefined,
  ),
  getReactionsByFid: get('messages', 'reactionsByFid', ({ fid, reactionType }) => ({
    fid,
    reaction_type: reactionType,
  })),
  getReactionsByCast: get('messages', 'reactionsByCast', ({ reactionType, targetCastId }) => ({
    ...{ reaction_type: reactionType, ...ofCast(targetCastId) },
  })),
  getReactionsByTarget: get('messages', 'reactionsByTarget', ({ reactionType, targetUrl: url }) =>
    url === undefined ? undefined : { url, reaction_type: reactionType },
  ),
  getUserData: get('message', 'userDataByFid', ({ fid, userDataType }) => ({ fid, user_data_type: userDataType })),
  getUserDataByFid: get('messages', 'userDataByFid', ofFid),
  getVerification: get('message', 'verificationsByFid', ({ fid, address }) => ({
    ...{ fid, address: address.length === 32 ? bytesToBase58(address)._unsafeUnwrap() : hex(address) },
  })),
  getVerificationsByFid: get('messages', 'verificationsByFid', ofFid),
  getLink: get('message', 'linkById', ({ fid, linkType, targetFid }) => ({
    ...{ fid, link_type: linkType, target_fid: targetFid },
  })),
  getLinksByFid: get('messages', 'linksByFid', ({ fid, linkType }) => ({ fid, link_type: linkType })),
  getLinksByTarget: get('messages', 'linksByTargetFid', ({ targetFid, linkType }) => ({
    ...{ target_fid: targetFid, link_type: linkType },
  })),
  ...Object.fromEntries(
    ['Cast', 'Reaction', 'Verification', 'UserData', 'Link', 'LendStorage'].map((set) => [
      ...[`getAll${set}MessagesByFid`, { kind: 'messages' } satisfies Call],
    ]),
  ),
  submitMessage: post('message', 'submitMessage'),
  validateMessage: post('other', 'validateMessage'),
  submitBulkMessages: post('other', 'submitBulkMessages'),
};

const ACCOUNT_CALLS: Readonly<Record<string, Call>> = {
  getUsernameProof: get('proof', 'userNameProofByName', ({ name }) => ({ name: Buffer.from(name).toString() })),
  getUserNameProofsByFid: get('proofs', 'userNameProofsByFid', ofFid),
  getOnChainEvents: get('events', 'onChainEventsByFid', ({ fid, eventType }) => ({ fid, event_type: eventType })),
  getOnChainSigner: get('event', 'onChainSignersByFid', ({ fid, signer }) => ({ fid, signer: hex(signer) })),
  getOnChainSignersByFid: get('events', 'onChainSignersByFid', ofFid),
  getIdRegistryOnChainEvent: { kind: 'event' },
  getIdRegistryOnChainEventByAddress: get('event', 'onChainIdRegistryEventByAddress', ({ address }) => ({
    address: hex(address),
  })),
  getFids: get('fids', 'fids', ({ shardId }) => ({ shard_id: shardId })),
  getSigner: get('other', 'signer', ({ fid, signer }) => ({ fid, signer: hex(signer) })),
  getSignersByFid: get('other', 'signersByFid', ({ fid, requesterFids = [] }) => ({
    ...{ fid, requesterFids: requesterFids.length === 0 ? undefined : requesterFids.join(',') },
  })),
  getFidAddressType: get('other', 'fidAddressType', ({ fid, address }) => ({ fid, address: hex(address) })),
  getCurrentStorageLimitsByFid: get('other', 'storageLimitsByFid', ofFid),
  getEvent: get('hubEvent', 'eventById', ({ id, shardIndex }) => ({ event_id: id, shard_index: shardIndex })),
  getEvents: get('hubEvents', 'events', ({ startId, stopId, shardIndex }) => ({
    ...{ from_event_id: startId, stop_id: stopId, shard_index: shardIndex },
  })),
  getInfo: get('other', 'info', () => ({ dbstats: true })),
  getConnectedPeers: get('other', 'currentPeers', () => ({})),
};

const CHANNEL_CALLS: Readonly<Record<string, Call>> = {
  getChannelOwner: get('other', 'channelOwner', ({ channelKey }) => ({ channel_key: channelKey })),
  getChannelsByAddress: get('other', 'channelsByAddress', ({ address }) => ({ address: hex(address) })),
  getChannelsByFid: get('other', 'channelsByFid', ofFid),
  getChannelMember: get('other', 'channelMember', ({ channelId, fid }) => ({ channelId: hex(channelId), fid })),
  getChannelMembers: get('other', 'channelMembers', ({ channelId, stateFilter }) => ({
    ...{ channelId: hex(channelId), stateFilter },
  })),
  getChannelPin: get('other', 'channelPin', ofChannel),
  getChannelModerations: get('other', 'channelModerations', ofChannel),
  getChannelMetadata: get('other', 'channelMetadata', ofChannel),
  getChannelMembershipsByFid: get('other', 'channelMembershipsByFid', ofFid),
  getChannelFollowers: get('other', 'channelFollowers', ofChannel),
  getChannelFollowerCount: get('other', 'channelFollowerCount', ofChannel),
  getChannelFollows: get('other', 'channelFollows', ofFid),
  isFollowingChannel: get('other', 'isFollowingChannel', ({ channelId, fid }) => ({ channelId: hex(channelId), fid })),
};

/** @returns what a call answers, and how the same is asked over HTTP; a call that we do not know has neither */
export const callOf = (name: string): Call =>
  MESSAGE_CALLS[name] ?? ACCOUNT_CALLS[name] ?? CHANNEL_CALLS[name] ?? { kind: 'other' };
