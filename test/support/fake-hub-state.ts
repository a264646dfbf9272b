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

interface HubAccount {
  readonly messages: Map<string, StoredMessage>;
  readonly onchain: OnChainEvent[];
  readonly proofs: Map<string, UserNameProof>;
  /** Registered keys that only the hub knows. */
  readonly trustedKeys: Uint8Array[];
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
    const blocks = new Map<number, Body[]>();
    const say = (fid: number, bodies: Body[]) => {
      const shard = this.shardOf(fid);
      blocks.set(shard, [...(blocks.get(shard) ?? []), ...bodies]);
    };
    for (const item of items) {
      if (item.kind === 'onchain') say(item.event.fid, this.mergeOnchain(item.event, item.wire));
      else if (item.kind === 'proof') say(item.proof.fid, this.mergeProof(item.proof));
      else if (item.kind === 'message') say(decode(item.wire).fid, this.mergeMessage(item.wire));
      else say(decode(item.wire).fid, this.remove(item.wire, item.reason === 'revoke'));
    }
    for (const [shard, bodies] of blocks) this.block(shard, bodies);
    return [...blocks.keys()];
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

  private mergeOnchain(onChainEvent: OnChainEvent, wire: Uint8Array | undefined): Body[] {
    const type = HubEventType.MERGE_ON_CHAIN_EVENT;
    if (wire) return [{ type, bytes: encodeByteString(11, encodeByteString(1, wire)) }];
    this.account(onChainEvent.fid).onchain.push(onChainEvent);
    return [{ type, mergeOnChainEventBody: { onChainEvent } }];
  }

  private mergeProof(usernameProof: UserNameProof): Body[] {
    const name = Buffer.from(usernameProof.name).toString();
    this.account(usernameProof.fid).proofs.set(name, usernameProof);
    return [proven({ usernameProof })];
  }

  private mergeMessage(wire: Uint8Array): Body[] {
    const decoded = decode(wire);
    const { messages, proofs } = this.account(decoded.fid);
    const conflicts: StoredMessage[] = [];
    const holder = messages.get(placeOf(decoded));
    if (holder && !supersedes(decoded, holder.decoded)) return [failure(wire)];
    if (holder) conflicts.push(holder);
    const others = [...messages.values()].map((held) => held.decoded);
    if (others.some((other) => other.type === MessageType.LINK_COMPACT_STATE && !isInCompactState(other, decoded)))
      return [failure(wire)];
    const fallen =
      decoded.type === MessageType.LINK_COMPACT_STATE
        ? [...messages.values()].filter(
            (held) => held.set === MessageSet.link && !isInCompactState(decoded, held.decoded),
          )
        : [];
    for (const held of fallen) messages.delete(placeOf(held.decoded));
    messages.set(placeOf(decoded), { wire, decoded, set: conflictKey(decoded).set });
    const message = Message.decode(wire);
    const deletedMessages = conflicts.map((held) => Message.decode(held.wire));
    const usernameProof = decoded.data.usernameProofBody;
    if (usernameProof) {
      proofs.set(Buffer.from(usernameProof.name).toString(), usernameProof);
      return [
        proven({ usernameProof, usernameProofMessage: message, deletedUsernameProofMessage: deletedMessages[0] }),
      ];
    }
    return [{ type: HubEventType.MERGE_MESSAGE, mergeMessageBody: { message, deletedMessages } }];
  }

  private remove(wire: Uint8Array, isRevoked: boolean): Body[] {
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
