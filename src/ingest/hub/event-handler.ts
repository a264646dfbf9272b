import { MessageType, OnChainEventType, SignerEventType } from '@farcaster/core';
import { AppError } from '../../error.js';
import { decodeMessage } from '../../protocol/wire/decode.js';
import { decodeEnvelope } from '../../protocol/wire/envelope.js';
import type { FidFilter } from '../fid-filter.js';
import { itemsOfHubEvent } from '../event-item.js';
import type { HubParts, Introductions } from '../hub-introduction.js';
import type { LiveMarks } from '../hub-live-mark.js';
import { type MessageHead, type RawHubEvent, readMessageHead } from '../wire.js';
import type { IngestItem } from '../item.js';
import type { SubmitOptions } from '../ingest-outcome.js';

/** Between a hub's events and the pipeline: what an event means, whether it concerns us, and who must be known first. */
export class HubIntake {
  constructor(
    private readonly parts: HubParts,
    private readonly introductions: Introductions,
    private readonly marks: LiveMarks,
  ) {}

  /**
   * @returns what an event says of the accounts that are indexed; undefined for an event type that is not known.
   *   Comparisons that run meanwhile are told, so call it once for each event, in order.
   */
  read(event: RawHubEvent): IngestItem[] | undefined {
    const { filter } = this.parts;
    const items = itemsOfHubEvent(event);
    const concerning = filter ? items?.filter((item) => concerns(filter, item, event)) : items;
    if (!this.marks.idle) for (const item of concerning ?? []) this.mark(item);
    return concerning;
  }

  /** Stores items in order, after the accounts that signed them are known. See {@link Introductions.submit}. */
  async store(items: readonly IngestItem[], options: SubmitOptions): Promise<void> {
    const heads = items.flatMap((item) => (item.kind === 'message' ? (readMessageHead(item.wire) ?? []) : []));
    for (const { fid } of heads.filter(({ type }) => type === MessageType.KEY_REMOVE)) this.introductions.forget(fid);
    await this.introductions.meet(heads, items.flatMap(registeredKey));
    await this.introductions.submit(items, options);
  }

  private mark(item: IngestItem): void {
    if (item.kind !== 'message' && item.kind !== 'removal') return;
    const head = readMessageHead(item.wire);
    if (!head) return;
    if (item.kind === 'message') this.marks.merged(head.fid, head.hash);
    else this.marks.removed(head.fid, head.hash, item.wire);
  }
}

/** Removals tell nobody's fid but the author's: they pass for every account of which something can be stored. */
function concerns(filter: FidFilter, item: IngestItem, event: RawHubEvent): boolean {
  if (item.kind === 'onchain') return filter.knows(item.event.fid);
  if (item.kind === 'proof') return filter.knows(item.proof.fid) || filter.knows(event.formerFid);
  if (item.kind === 'message') return accepts(filter, item.wire);
  const head: MessageHead | undefined = readMessageHead(item.wire);
  return head !== undefined && filter.knows(head.fid);
}

/** What cannot be decoded passes, to be counted with its reason where everything is counted. */
function accepts(filter: FidFilter, wire: Uint8Array): boolean {
  try {
    return filter.accepts(decodeMessage(decodeEnvelope(wire)));
  } catch (error) {
    if (error instanceof AppError) return true;
    throw error;
  }
}

function registeredKey(item: IngestItem): { fid: number; key: Uint8Array }[] {
  if (item.kind !== 'onchain' || item.event.type !== OnChainEventType.EVENT_TYPE_SIGNER) return [];
  const { fid, signerEventBody: body } = item.event;
  return body?.eventType === SignerEventType.ADD ? [{ fid, key: body.key }] : [];
}
