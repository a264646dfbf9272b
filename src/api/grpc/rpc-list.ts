import { ACCOUNT_RPCS } from './account-rpc.js';
import { EVENT_RPCS } from './event-rpc.js';
import { MESSAGE_RPCS } from './message-rpc.js';
import type { Rpc, RpcName } from './rpc.js';
import { STORAGE_RPC } from './storage-rpc.js';
import { SUBMIT_RPCS } from './submit-rpc.js';

/** All calls with one response that are answered; beside them there is the stream `subscribe`. */
export const RPCS: readonly Rpc[] = [...MESSAGE_RPCS, ...ACCOUNT_RPCS, STORAGE_RPC, ...SUBMIT_RPCS, ...EVENT_RPCS];

/** Calls about what this service does not have, each with what its clients can do instead. */
export const UNAVAILABLE_RPCS: Readonly<Partial<Record<RpcName, string>>> = {
  getBlocks: 'This service keeps messages, not the blocks in which validators ordered them. Read events instead.',
  getShardChunks: 'This service keeps messages, not the blocks in which validators ordered them. Read events instead.',
  getConnectedPeers: 'This service takes no part in the gossip of hubs, so it has no peers.',
  getTrieMetadataByPrefix:
    'This service keeps no Merkle trie of messages. Compare accounts by their GetAll...MessagesByFid instead.',
};
