import type { Envelope } from '../../protocol/message.js';
import { encodePageToken } from '../../protocol/page-token.js';
import { selectEnvelopes } from '../../store/hub-message.js';
import type { MessageReference } from '../../store/hub-message-page.js';
import { viewHubMessage } from '../../view/hub-message.js';
import { JsonWriter } from '../../view/json-writer.js';
import { Rendered } from '../../view/rendered.js';
import type { Services } from '../service.js';
import { type PageQuery, pageSizeOf } from './page-query.js';

type Parts = Pick<Services, 'db' | 'hub' | 'log'>;

const SIGNATURE_BYTES = 8;

/**
 * Under which a rendered message is cached, one character a byte. The hash alone is not enough: when a key is revoked,
 * another key of the account may sign the same data again.
 */
const keyOf = ({ hash, signature }: Pick<Envelope, 'hash' | 'signature'>): string =>
  Buffer.concat([hash, signature.subarray(0, SIGNATURE_BYTES)]).toString('latin1');

/** @returns the rendered message, cached for the next time */
const renderMessage = ({ hub }: Parts, envelope: Envelope): Buffer => {
  const key = keyOf(envelope);
  return hub.messages.get(key) ?? hub.messages.set(key, viewHubMessage(envelope, hub.dialect));
};

/** One message as an answer of its own. */
export const singleMessage = (parts: Parts, envelope: Envelope): Rendered =>
  new Rendered(renderMessage(parts, envelope));

/** @returns the rendered message; undefined, with an error in the log, for one that cannot be rendered. */
const renderIfPossible = (parts: Parts, envelope: Envelope): Buffer | undefined => {
  try {
    return renderMessage(parts, envelope);
  } catch (err) {
    const entity = `message 0x${Buffer.from(envelope.hash).toString('hex')}`;
    parts.log.error({ err, entity }, 'an entity that cannot be rendered is left out of its page');
    return undefined;
  }
};

/** Joins the fragments, in order, with what stands around them. */
const assemble = (fragments: readonly Buffer[], nextPageToken: string): Rendered => {
  const json = new JsonWriter();
  json.text('{"messages":[');
  fragments.forEach((fragment, index) => {
    if (index > 0) json.text(',');
    json.bytes(fragment);
  });
  json.text(`],"nextPageToken":"${nextPageToken}"}`);
  return new Rendered(json.finish());
};

/** Renders a list that needs no pages. */
export const messageList = (parts: Parts, envelopes: readonly Envelope[]): Rendered =>
  assemble(
    envelopes.flatMap((envelope) => renderIfPossible(parts, envelope) ?? []),
    '',
  );

/** A page of a list of messages, before they are rendered. */
export interface MessageReferencePage {
  readonly references: readonly MessageReference[];
  /** Of each reference, under which its rendered message is kept. */
  readonly keys: readonly string[];
  /** '' when the list ends here. */
  readonly nextPageToken: string;
}

/** @param found what a list read for `messagePageOf(query)` */
export const cutMessagePage = (found: readonly MessageReference[], query: PageQuery): MessageReferencePage => {
  const size = pageSizeOf(query);
  const references = found.slice(0, size);
  const last = found.length > size ? references.at(-1) : undefined;
  return {
    references,
    keys: references.map(keyOf),
    nextPageToken: last === undefined ? '' : encodePageToken({ timestamp: last.ts, hash: last.hash }),
  };
};

/**
 * Renders one page of raw messages. Those that were rendered before are taken from memory; the others are read with
 * one more query, whatever their number. A message that was removed since its page was read is left out.
 */
export const renderMessagePage = async (
  parts: Parts,
  { references, keys, nextPageToken }: MessageReferencePage,
): Promise<Rendered> => {
  const fragments = keys.map((key) => parts.hub.messages.get(key));
  const missing = references.filter((_, index) => fragments[index] === undefined);
  if (missing.length === 0) return assemble(fragments as Buffer[], nextPageToken);
  const loaded = new Map<string, Buffer>();
  for (const envelope of await selectEnvelopes(parts.db, missing)) {
    const rendered = renderIfPossible(parts, envelope);
    if (rendered !== undefined) loaded.set(keyOf(envelope), rendered);
  }
  const found = keys.flatMap((key, index) => fragments[index] ?? loaded.get(key) ?? []);
  return assemble(found, nextPageToken);
};

/** @param found what a list read for `messagePageOf(query)` */
export const messagePage = (parts: Parts, found: readonly MessageReference[], query: PageQuery): Promise<Rendered> =>
  renderMessagePage(parts, cutMessagePage(found, query));
