import type { Envelope } from '../../protocol/message.js';
import { encodePageToken } from '../../protocol/page-token.js';
import { selectEnvelopes } from '../../store/hub-message.js';
import type { MessageReference } from '../../store/hub-message-page.js';
import { viewHubMessage } from '../../view/hub-message.js';
import { Rendered } from '../../view/rendered.js';
import type { Services } from '../service.js';
import { type PageQuery, pageSizeOf } from './page-query.js';

type Parts = Pick<Services, 'db' | 'hub'>;

/** Twenty bytes as twenty characters: the shortest key there is. */
const keyOf = (hash: Uint8Array): string => Buffer.from(hash).toString('latin1');

/**
 * @returns the rendered message, kept for the next time.
 * A hash stands for one signed message: only an account that signs the same data again with another key, after the
 * first one was revoked, would see its earlier signature until the fragment makes room for others.
 */
const renderMessage = ({ hub }: Parts, envelope: Envelope): Buffer => {
  const key = keyOf(envelope.hash);
  return hub.messages.get(key) ?? hub.messages.set(key, viewHubMessage(envelope));
};

/** One message as an answer of its own. */
export const singleMessage = (parts: Parts, envelope: Envelope): Rendered =>
  new Rendered(renderMessage(parts, envelope));

const BEGIN = Buffer.from('{"messages":[');
const COMMA = Buffer.from(',');

/** Joins the fragments, in order, with what stands around them. */
const assemble = (fragments: readonly Buffer[], nextPageToken: string): Rendered => {
  const chunks: Buffer[] = [BEGIN];
  for (const fragment of fragments) {
    if (chunks.length > 1) chunks.push(COMMA);
    chunks.push(fragment);
  }
  chunks.push(Buffer.from(`],"nextPageToken":"${nextPageToken}"}`));
  return new Rendered(Buffer.concat(chunks));
};

/** Renders a list that needs no pages. */
export const messageList = (parts: Parts, envelopes: readonly Envelope[]): Rendered =>
  assemble(
    envelopes.map((envelope) => renderMessage(parts, envelope)),
    '',
  );

/**
 * Renders one page of raw messages. Those that were rendered before are taken from memory; the others are read with
 * one more query, whatever their number. A message that was removed between the two queries is left out.
 * @param references what a list read for `messagePageOf(query)`
 */
export const messagePage = async (
  parts: Parts,
  references: readonly MessageReference[],
  query: PageQuery,
): Promise<Rendered> => {
  const size = pageSizeOf(query);
  const page = references.slice(0, size);
  const last = references.length > size ? page.at(-1) : undefined;
  const fragments = page.map((reference) => parts.hub.messages.get(keyOf(reference.hash)));
  const missing = page.filter((_, index) => fragments[index] === undefined);
  const loaded = new Map<string, Buffer>();
  for (const envelope of await selectEnvelopes(parts.db, missing)) {
    loaded.set(keyOf(envelope.hash), renderMessage(parts, envelope));
  }
  const found = page.flatMap((reference, index) => fragments[index] ?? loaded.get(keyOf(reference.hash)) ?? []);
  return assemble(found, last === undefined ? '' : encodePageToken({ timestamp: last.ts, hash: last.hash }));
};
