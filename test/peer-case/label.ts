import { Message, type OnChainEvent } from '@farcaster/core';
import { equalBytes } from '../../src/bytes.js';
import { toHex } from '../../src/hex.js';
import type { IngestItem } from '../../src/ingest/item.js';
import { messageToJson } from '../../src/protocol/hub-json/message.js';
import { decodeMessage } from '../../src/protocol/wire/decode.js';
import { decodeEnvelope } from '../../src/protocol/wire/envelope.js';
import type { Envelope } from '../../src/protocol/wire/message.js';
import type { Signed } from '../../src/sample/signed-message.js';

const same = (a: Envelope, b: Envelope): boolean =>
  equalBytes(a.dataBytes, b.dataBytes) &&
  equalBytes(a.signature, b.signature) &&
  equalBytes(a.signer, b.signer) &&
  a.hashScheme === b.hashScheme &&
  a.signatureScheme === b.signatureScheme;

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

interface Named {
  readonly label: string;
  readonly wire: Uint8Array;
}

interface EventJson {
  readonly transactionHash: string;
  readonly logIndex: number;
}

const UNKNOWN = '?';

/** The names of messages, events and accounts in the answers of cases. */
export class Labels {
  readonly #messages = new Map<string, Named>();
  readonly #events = new Map<string, string>();
  readonly #fids = new Map<number, string>();
  readonly #proofs = new Map<string, string>();

  nameFid(fid: number, label: string): void {
    this.#fids.set(fid, label);
  }
  nameMessage({ hash, wire }: Signed, label: string): void {
    this.#messages.set(toHex(hash), { label, wire });
  }
  nameItem(item: IngestItem, label: string): void {
    if (item.kind !== 'onchain') return;
    const { transactionHash, logIndex } = item.event;
    this.#events.set(`${toHex(transactionHash)}/${logIndex}`, label);
  }

  nameProof(name: string, label: string): void {
    this.#proofs.set(name, label);
  }

  fid(fid: number): string {
    return this.#fids.get(fid) ?? UNKNOWN;
  }
  hash(hash: string): string {
    return this.#messages.get(hash)?.label ?? UNKNOWN;
  }
  /** @param wire of a message @returns its name; another one if it is not what was stored, or lacks the decoded data */
  wire(wire: Uint8Array): string {
    const envelope = decodeEnvelope(wire);
    const named = this.#messages.get(toHex(envelope.hash));
    if (named === undefined) return UNKNOWN;
    const isWhole = Message.decode(wire).data !== undefined && same(envelope, decodeEnvelope(named.wire));
    return isWhole ? named.label : `${named.label}, altered`;
  }
  /** @param json of a message @returns its name; another one if the JSON is not that of the message that was stored */
  json(json: { readonly hash: string }): string {
    const named = this.#messages.get(json.hash);
    if (named === undefined) return UNKNOWN;
    const expected = asJson(messageToJson(decodeMessage(decodeEnvelope(named.wire))));
    return JSON.stringify(sorted(json)) === JSON.stringify(sorted(expected)) ? named.label : `${named.label}, altered`;
  }
  event({ transactionHash, logIndex }: Pick<OnChainEvent, 'transactionHash' | 'logIndex'> | EventJson): string {
    const hash = typeof transactionHash === 'string' ? transactionHash : toHex(transactionHash);
    return this.#events.get(`${hash}/${logIndex}`) ?? UNKNOWN;
  }
  /** @returns the names of events of the hub, each by what it is about */
  // biome-ignore lint/suspicious/noExplicitAny: the protocol's event or its JSON
  hubEvent(event: any): string {
    const message: Message | { hash: string } | undefined =
      event.mergeMessageBody?.message ?? event.pruneMessageBody?.message ?? event.revokeMessageBody?.message;
    if (message !== undefined) return this.hash(typeof message.hash === 'string' ? message.hash : toHex(message.hash));
    const onchain = event.mergeOnChainEventBody?.onChainEvent;
    if (onchain !== undefined) return this.event(onchain);
    const proof = event.mergeUsernameProofBody?.usernameProof;
    return proof === undefined ? UNKNOWN : this.proof(proof);
  }
  proof({ name, fid }: { readonly name: Uint8Array | string; readonly fid: number }): string {
    const text = typeof name === 'string' ? name : Buffer.from(name).toString();
    return this.#proofs.get(text) ?? `${text} of ${this.fid(fid)}`;
  }
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
};
