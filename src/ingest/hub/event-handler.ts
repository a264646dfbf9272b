import { MessageType, OnChainEventType, SignerEventType } from '@farcaster/core';
import { AppError } from '../../error.js';
import { decodeMessage } from '../../protocol/wire/decode.js';
import { decodeEnvelope } from '../../protocol/wire/envelope.js';
import { itemsOfHubEvent } from '../event-item.js';
import type { FidFilter } from '../fid-filter.js';
import type { SubmitOptions } from '../ingest-outcome.js';
import type { IngestItem } from '../item.js';
import { type MessageHead, type RawHubEvent, readMessageHead } from '../wire.js';
import type { LiveEventLog } from './live-event-log.js';
import type { HubDependencies, SignerResolver } from './signer-resolver.js';

export interface HubEventHandler {
  /**
   * @returns the items of an event that concern indexed accounts; undefined for an unknown event type. Records them for
   *   running syncs, so call it once for each event, in order.
   */
  read(event: RawHubEvent): IngestItem[] | undefined;
  /** Stores items in order, after the accounts that signed them are known. See {@link SignerResolver.submit}. */
  store(items: readonly IngestItem[], options: SubmitOptions): Promise<void>;
}

/** Turns events of a hub into items, drops those that partial mode does not index, and resolves unknown signers. */
export const createHubEventHandler = (
  { filter, log }: Pick<HubDependencies, 'filter' | 'log'>,
  signerResolver: SignerResolver,
  marks: LiveEventLog,
): HubEventHandler => {
  const record = (item: IngestItem): void => {
    if (item.kind !== 'message' && item.kind !== 'removal') return;
    const head = readMessageHead(item.wire);
    if (!head) return;
    if (item.kind === 'message') marks.merged(head.fid, head.hash);
    else marks.removed(head.fid, head.hash, item.wire);
  };
  return {
    read: (event) => {
      const { ownerHint } = event;
      if (ownerHint) log.debug({ channel: ownerHint.key }, 'the hub says that a channel may have another owner');
      const items = itemsOfHubEvent(event);
      const concerning = filter ? items?.filter((item) => concerns(filter, item, event)) : items;
      if (!marks.idle) for (const item of concerning ?? []) record(item);
      return concerning;
    },
    store: async (items, options) => {
      const heads = items.flatMap((item) => (item.kind === 'message' ? (readMessageHead(item.wire) ?? []) : []));
      for (const { fid } of heads.filter(({ type }) => type === MessageType.KEY_REMOVE)) signerResolver.forget(fid);
      await signerResolver.ensureKnown(heads, items.flatMap(registeredKey));
      await signerResolver.submit(items, options);
    },
  };
};

/** Removals name only their author, so they are accepted for every account of which something may be stored. */
const concerns = (filter: FidFilter, item: IngestItem, event: RawHubEvent): boolean => {
  if (item.kind === 'onchain') return filter.knows(item.event.fid);
  if (item.kind === 'proof') return filter.knows(item.proof.fid) || filter.knows(event.formerFid);
  if (item.kind === 'message') return accepts(filter, item.wire);
  const head: MessageHead | undefined = readMessageHead(item.wire);
  return head !== undefined && filter.knows(head.fid);
};

/** Messages that cannot be decoded are accepted, because the pipeline counts them with their reason. */
const accepts = (filter: FidFilter, wire: Uint8Array): boolean => {
  try {
    return filter.accepts(decodeMessage(decodeEnvelope(wire)));
  } catch (error) {
    if (error instanceof AppError) return true;
    throw error;
  }
};

const registeredKey = (item: IngestItem): { fid: number; key: Uint8Array }[] => {
  if (item.kind !== 'onchain' || item.event.type !== OnChainEventType.EVENT_TYPE_SIGNER) return [];
  const { fid, signerEventBody: body } = item.event;
  return body?.eventType === SignerEventType.ADD ? [{ fid, key: body.key }] : [];
};
