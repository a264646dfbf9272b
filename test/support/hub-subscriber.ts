import { type HubEvent, HubEventType, type Message, MessageData } from '@farcaster/core';
import { type HubRpcClient, Metadata } from '@farcaster/hub-nodejs';
import { bareHex } from '../../src/hex.js';

/** The types of events that say what a hub stores. */
const TYPES = [
  HubEventType.MERGE_MESSAGE,
  HubEventType.PRUNE_MESSAGE,
  HubEventType.REVOKE_MESSAGE,
  HubEventType.MERGE_USERNAME_PROOF,
  HubEventType.MERGE_ON_CHAIN_EVENT,
];

const fidOf = ({ data, dataBytes }: Message): number => (data ?? MessageData.decode(dataBytes ?? new Uint8Array())).fid;

/** A program that keeps the messages of a hub by its events alone. It can be killed, and goes on after the last event. */
export class HubSubscriber {
  readonly #client: HubRpcClient;
  readonly #metadata = new Metadata();
  readonly #heldBy = new Map<string, number>();
  /** Ids in the order of their arrival. */
  readonly ids: number[] = [];
  #stream: { cancel(): void } | undefined;
  #lastId: number;
  /** What ended the last stream, unless it was killed. */
  error: unknown;

  constructor(client: HubRpcClient, apiKey: string, lastId = 0) {
    this.#client = client;
    this.#metadata.set('x-api-key', apiKey);
    this.#lastId = lastId;
  }

  get lastId(): number {
    return this.#lastId;
  }

  async start(): Promise<void> {
    const fromId = this.#lastId === 0 ? 0 : this.#lastId + 1;
    const request = { eventTypes: TYPES, fromId, shardIndex: 1 };
    const stream = (await this.#client.subscribe(request, this.#metadata))._unsafeUnwrap();
    this.#stream = stream;
    const isCurrent = (): boolean => this.#stream === stream;
    stream.on('error', (error) => {
      if (isCurrent()) this.error = error;
    });
    stream.on('data', (event: HubEvent) => {
      // What arrives after the program was killed, it never saw.
      if (isCurrent()) this.#take(event);
    });
  }

  kill(): void {
    const stream = this.#stream;
    this.#stream = undefined;
    stream?.cancel();
  }

  /** @returns hashes in hex of what it holds of these accounts, sorted */
  hashesOf(fids: readonly number[]): string[] {
    return [...this.#heldBy].flatMap(([hash, fid]) => (fids.includes(fid) ? [hash] : [])).sort();
  }

  #add(message: Message | undefined): void {
    if (message) this.#heldBy.set(bareHex(message.hash), fidOf(message));
  }

  #remove(messages: readonly (Message | undefined)[]): void {
    for (const message of messages) if (message) this.#heldBy.delete(bareHex(message.hash));
  }

  #take(event: HubEvent): void {
    this.ids.push(event.id);
    this.#lastId = event.id;
    const { mergeMessageBody: merge, pruneMessageBody: prune, revokeMessageBody: revoke } = event;
    const { mergeUsernameProofBody: proof } = event;
    this.#remove([...(merge?.deletedMessages ?? []), proof?.deletedUsernameProofMessage]);
    this.#add(merge?.message ?? proof?.usernameProofMessage);
    this.#remove([prune?.message, revoke?.message]);
  }
}
