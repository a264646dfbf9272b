import { HubEvent, HubEventType, Message, MessageType, type OnChainEvent, type UserNameProof } from '@farcaster/core';
import type { IngestItem } from '../../src/ingest/item.js';
import { conflictKey, isInCompactState, MessageSet, supersedes } from '../../src/protocol/conflict.js';
import { fromUnixMs } from '../../src/protocol/time.js';
import { decodeMessage } from '../../src/protocol/wire/decode.js';
import { decodeEnvelope } from '../../src/protocol/wire/envelope.js';
import type { ProtocolMessage } from '../../src/protocol/wire/message.js';
import { encodeByteString } from '../../src/protocol/wire/wire.js';

/** As in snapchain: the block height is in the high bits, the index in the block in the low 14. */
const IDS_PER_BLOCK = 2 ** 14;

export interface StoredMessage {
  readonly wire: Uint8Array;
  readonly decoded: ProtocolMessage;
  readonly set: number;
}

/** What a hub took, and what it deleted for it. */
type RecordedItem = Exclude<IngestItem, { kind: 'message' }> | RecordedMessage;

interface RecordedMessage {
  readonly kind: 'message';
  readonly wire: Uint8Array;
  readonly deleted: readonly Uint8Array[];
}

interface HubAccount {
  readonly messages: Map<string, StoredMessage>;
  readonly onchain: OnChainEvent[];
  readonly proofs: Map<string, UserNameProof>;
  /** Keys that no chain registered. */
  trustedKeys: Uint8Array[];
}

export interface LoggedEvent {
  readonly id: number;
  readonly type: number;
  /** Bytes: one with a body that the protocol's package does not know. */
  readonly event: HubEvent | Buffer;
}

export interface ShardLog {
  height: number;
  events: LoggedEvent[];
}

/** `bytes`: fields of the event that the protocol's package does not know. */
type Body = Partial<HubEvent> & { readonly type: HubEventType; readonly bytes?: Uint8Array };

/** Messages and events of a hub, without any connection. */
export class FakeHubState {
  readonly accounts = new Map<number, HubAccount>();
  readonly logs = new Map<number, ShardLog>();

  constructor(readonly shards: readonly number[]) {
    for (const shard of shards) this.logs.set(shard, { height: 0, events: [] });
  }

  shardOf(fid: number): number {
    return this.shards[fid % this.shards.length] as number;
  }

  account(fid: number): HubAccount {
    const account = this.accounts.get(fid) ?? { messages: new Map(), onchain: [], proofs: new Map(), trustedKeys: [] };
    this.accounts.set(fid, account);
    return account;
  }

  /** One block on each shard of the items. @returns those shards */
  merge(items: readonly IngestItem[]): number[] {
    const blocks = this.#take(items, (wire) => this.#mergeMessage(wire));
    for (const [shard, bodies] of blocks) this.block(shard, bodies);
    return [...blocks.keys()];
  }

  /**
   * Takes what another hub took, with the messages that it deleted.
   * @param isLost whether there are no events of it
   */
  record(items: readonly RecordedItem[], isLost = false): void {
    const blocks = this.#take(items, (wire, deleted) => this.#store(wire, deleted));
    if (!isLost) for (const [shard, bodies] of blocks) this.block(shard, bodies);
  }

  /** @returns what there is to say on each shard */
  #take(
    items: readonly (IngestItem | RecordedItem)[],
    mergeMessage: (wire: Uint8Array, deleted: readonly Uint8Array[]) => Body[],
  ): Map<number, Body[]> {
    const blocks = new Map<number, Body[]>();
    const say = (shards: readonly number[], bodies: Body[]) => {
      for (const shard of shards) blocks.set(shard, [...(blocks.get(shard) ?? []), ...bodies]);
    };
    for (const item of items) {
      if (item.kind === 'onchain') say([this.shardOf(item.event.fid)], this.#mergeOnchain(item.event, item.wire));
      else if (item.kind === 'proof') say(this.shards, this.#mergeProof(item.proof));
      else if (item.kind === 'message')
        say(this.#shardsOf(decode(item.wire)), mergeMessage(item.wire, 'deleted' in item ? item.deleted : []));
      else say(this.#shardsOf(decode(item.wire)), this.#remove(item.wire, item.reason === 'revoke'));
    }
    return blocks;
  }

  /** Each shard takes loans, as it does proofs of the name registry (snapchain, `mempool.rs` and `routing.rs`). */
  #shardsOf({ fid, type }: ProtocolMessage): readonly number[] {
    return type === MessageType.LEND_STORAGE ? this.shards : [this.shardOf(fid)];
  }

  /** Appends a block and its confirmation. */
  block(shard: number, bodies: readonly Body[] = []): void {
    const log = this.logs.get(shard) as ShardLog;
    const height = ++log.height;
    const timestamp = fromUnixMs(Date.now());
    const blockConfirmedBody = {
      blockNumber: height,
      shardIndex: shard,
      timestamp,
      blockHash: new Uint8Array(32),
      totalEvents: bodies.length + 1,
      eventCountsByType: {},
      maxBlockEventSeqnum: 0,
    };
    const all: Body[] = [{ type: HubEventType.BLOCK_CONFIRMED, blockConfirmedBody }, ...bodies];
    for (const [place, body] of all.entries()) {
      const id = height * IDS_PER_BLOCK + place;
      const { bytes, ...known } = body;
      const whole: HubEvent = { ...known, id, blockNumber: height, shardIndex: shard, timestamp };
      const event = bytes ? Buffer.concat([HubEvent.encode(whole).finish(), bytes]) : whole;
      log.events.push({ id, type: body.type, event });
    }
  }

  /** Removes a message without an event, as if the event were lost. */
  forget(wire: Uint8Array): void {
    const message = decode(wire);
    this.account(message.fid).messages.delete(placeOf(message));
  }

  messagesOf(fid: number, set: number): StoredMessage[] {
    return [...this.account(fid).messages.values()].filter((held) => held.set === set);
  }

  /** All messages in force, unordered. */
  all(): StoredMessage[] {
    return [...this.accounts.values()].flatMap((account) => [...account.messages.values()]);
  }

  #mergeOnchain(onChainEvent: OnChainEvent, wire: Uint8Array | undefined): Body[] {
    const type = HubEventType.MERGE_ON_CHAIN_EVENT;
    if (wire) return [{ type, bytes: encodeByteString(11, encodeByteString(1, wire)) }];
    this.account(onChainEvent.fid).onchain.push(onChainEvent);
    return [{ type, mergeOnChainEventBody: { onChainEvent } }];
  }

  #mergeProof(usernameProof: UserNameProof): Body[] {
    const name = Buffer.from(usernameProof.name).toString();
    const former = [...this.accounts.values()].find(({ proofs }) => proofs.has(name))?.proofs;
    const deletedUsernameProof = former?.get(name);
    former?.delete(name);
    if (usernameProof.fid !== 0) this.account(usernameProof.fid).proofs.set(name, usernameProof);
    return [proven({ usernameProof, deletedUsernameProof })];
  }

  #mergeMessage(wire: Uint8Array): Body[] {
    const decoded = decode(wire);
    const held = [...this.account(decoded.fid).messages.values()];
    const holder = this.account(decoded.fid).messages.get(placeOf(decoded));
    // Messages about keys are taken in the order of their nonces, which tests keep.
    const isKey = conflictKey(decoded).set === MessageSet.key;
    if (holder && !isKey && !supersedes(decoded, holder.decoded)) return [failure(wire)];
    if (held.some((one) => one.set === MessageSet.linkCompactState && !isInCompactState(one.decoded, decoded)))
      return [failure(wire)];
    const compacted = held.filter((one) => isCompacted(decoded, one.decoded));
    return this.#store(
      wire,
      [...(holder ? [holder] : []), ...compacted].map((one) => one.wire),
    );
  }

  #store(wire: Uint8Array, deleted: readonly Uint8Array[]): Body[] {
    const decoded = decode(wire);
    const account = this.account(decoded.fid);
    for (const one of deleted) this.forget(one);
    account.messages.set(placeOf(decoded), { wire, decoded, set: conflictKey(decoded).set });
    const message = Message.decode(wire);
    const deletedMessages = deleted.map((one) => Message.decode(one));
    const { usernameProofBody: usernameProof, keyAddBody, keyRemoveBody } = decoded.data;
    const key = keyAddBody?.key ?? keyRemoveBody?.key;
    if (key) account.trustedKeys = account.trustedKeys.filter((one) => Buffer.compare(one, key) !== 0);
    if (keyAddBody) account.trustedKeys.push(keyAddBody.key);
    if (usernameProof) {
      account.proofs.set(Buffer.from(usernameProof.name).toString(), usernameProof);
      return [
        proven({ usernameProof, usernameProofMessage: message, deletedUsernameProofMessage: deletedMessages[0] }),
      ];
    }
    return [{ type: HubEventType.MERGE_MESSAGE, mergeMessageBody: { message, deletedMessages } }];
  }

  #remove(wire: Uint8Array, isRevoked: boolean): Body[] {
    this.forget(wire);
    const body = { message: Message.decode(wire) };
    return isRevoked
      ? [{ type: HubEventType.REVOKE_MESSAGE, revokeMessageBody: body }]
      : [{ type: HubEventType.PRUNE_MESSAGE, pruneMessageBody: body }];
  }
}

const decode = (wire: Uint8Array): ProtocolMessage => decodeMessage(decodeEnvelope(wire));

const placeOf = (message: ProtocolMessage): string => {
  const { set, key } = conflictKey(message);
  return `${set}:${Buffer.from(key).toString('hex')}`;
};

/** `is_compaction_conflict` in snapchain's `link_store.rs`: links of the type that are not newer and not listed. */
const isCompacted = ({ type, timestamp, data }: ProtocolMessage, link: ProtocolMessage): boolean => {
  const [state, body] = [data.linkCompactStateBody, link.data.linkBody];
  if (type !== MessageType.LINK_COMPACT_STATE || state?.type !== body?.type || link.timestamp > timestamp) return false;
  return link.type === MessageType.LINK_REMOVE || !state?.targetFids.includes(body?.targetFid ?? 0);
};

const proven = (body: Partial<NonNullable<HubEvent['mergeUsernameProofBody']>>): Body => ({
  type: HubEventType.MERGE_USERNAME_PROOF,
  mergeUsernameProofBody: {
    usernameProof: undefined,
    deletedUsernameProof: undefined,
    usernameProofMessage: undefined,
    deletedUsernameProofMessage: undefined,
    ...body,
  },
});

const failure = (wire: Uint8Array): Body => ({
  type: HubEventType.MERGE_FAILURE,
  mergeFailure: { message: Message.decode(wire), code: 'bad_request.conflict', reason: 'superseded' },
});
