import Type from 'typebox';
import { invalidField } from '../../error.js';
import { readFilters } from '../../event/filter.js';
import { findEnd, findPosition } from '../../event/log-position.js';
import { EventStream } from '../../event/stream/event-stream.js';
import { EVENT_TYPES, type EventType } from '../../protocol/event/social-event.js';
import { StreamText } from '../../schema/event/stream.js';
import { WebhookSubscriptionFilters } from '../../schema/event/webhook.js';
import { renamer } from '../../schema/rename.js';
import { stringEnum } from '../../schema/string-enum.js';
import type { Dialect } from '../../schema/wire-names.js';
import { commaSeparated } from '../http/comma-separated.js';
import { invalidRequest } from '../http/invalid-request.js';
import { operation, StreamResponse } from '../http/operation.js';
import { createCheck } from '../http/validation.js';

const Query = Type.Object({
  types: Type.Optional(
    commaSeparated(stringEnum([...EVENT_TYPES]), {
      description: 'Send all events of these types. Default: every type.',
    }),
  ),
  subscription: Type.Optional(
    Type.String({ description: 'JSON as the `subscription` of a webhook: types of events, each with its filters.' }),
  ),
  since: Type.Optional(
    Type.String({
      description:
        'Begin after this event id, from this time on, or with 0 at the oldest event that is kept. Default: now.',
    }),
  ),
  ticket: Type.Optional(Type.String({ description: 'Takes the place of the API key, once.' })),
});

const checkSubscription = createCheck(Type.Object({ subscription: WebhookSubscriptionFilters }));

const toNeutral = renamer(WebhookSubscriptionFilters, 'neutral');

/** @throws AppError `invalid` for text that is no JSON or no subscription */
const readSubscription = (text: string, dialect: Dialect): WebhookSubscriptionFilters => {
  let subscription: unknown;
  try {
    subscription = JSON.parse(text);
    if (dialect !== 'neutral') subscription = toNeutral?.(subscription) ?? subscription;
  } catch {
    throw invalidField('subscription', 'subscription must be JSON, such as {"cast.created":{"author_fids":[3]}}.');
  }
  const errors = checkSubscription({ subscription });
  if (errors !== undefined) throw invalidRequest(errors, 'query');
  return readFilters(subscription as WebhookSubscriptionFilters);
};

const filtersOf = (
  { types, subscription }: { readonly types?: readonly EventType[]; readonly subscription?: string },
  dialect: Dialect,
): WebhookSubscriptionFilters => {
  if (subscription === undefined) return Object.fromEntries((types ?? EVENT_TYPES).map((type) => [type, {}]));
  if (types !== undefined) throw invalidField('types', 'Send types or subscription, not both.');
  const filters = readSubscription(subscription, dialect);
  if (Object.keys(filters).length > 0) return filters;
  throw invalidField('subscription', 'subscription names no type of event, so nothing would be sent.');
};

export const streamEvents = operation({
  id: 'stream-events',
  path: '/v2/social/stream/',
  tags: ['Stream'],
  title: 'Stream events',
  summary: 'Own extension: what happens, as Server-Sent Events or over a WebSocket.',
  // A client that comes back after a while has its history read.
  cost: { fixed: 100 },
  needsApp: true,
  takesTicket: true,
  mediaType: 'text/event-stream',
  query: Query,
  headers: Type.Object({
    'last-event-id': Type.Optional(
      Type.String({ description: 'Sent by `EventSource` when it connects again; comes before `since`.' }),
    ),
  }),
  parameters: {
    types: { example: 'cast.created,follow.created' },
    subscription: { example: '{"cast.created":{"author_fids":[1],"text":"(?i)hello"}}' },
    since: { example: '0' },
  },
  response: StreamText,
  errors: [400, 410, 503],
  handle: async ({ query, headers, caller }, { db, dialect, streams }) => {
    const filters = filtersOf(query, dialect);
    const { since } = query;
    const lastId = headers['last-event-id'] || undefined;
    streams.requireCapacity(caller.appId, filters);
    const [text, property] = lastId === undefined ? [since, 'since'] : [lastId, 'last-event-id'];
    const position = text === undefined ? await findEnd(db) : await findPosition(db, text, property);
    const { appId, keyId } = caller;
    return new StreamResponse((output) =>
      streams.run(new EventStream({ appId, keyId, dialect, position }, output), filters),
    );
  },
});
