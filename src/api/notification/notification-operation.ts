import Type, { type TProperties } from 'typebox';
import type { ReadContext } from '../../cache/read-context.js';
import { readNotifications, referencedEntities } from '../../hydrate/notification.js';
import { hydrateCasts } from '../../hydrate/page.js';
import { toUnixMs } from '../../protocol/time.js';
import { NotificationsResponse } from '../../schema/social/notification.js';
import { selectNextNotification } from '../../store/notification/next.js';
import { NOTIFICATION_FILTERS, type NotificationFilter, NotificationKind } from '../../store/notification/source.js';
import { viewNotifications } from '../../view/notification.js';
import type { Operation } from '../http/operation.js';
import { experimentalHeader } from '../http/parameter.js';
import { type PageRequest, pagedOperation } from '../page/paged-operation.js';

type Places = readonly string[];

interface NotificationDefinition<Query extends TProperties>
  extends Pick<Operation, 'id' | 'path' | 'title' | 'summary'> {
  /** Members of the query, without `limit` and `cursor`. */
  readonly query: Query;
  readonly parameters: NonNullable<Operation['parameters']>;
  /** @returns the notified account, and kinds to list (undefined: all) or places (channels or URLs) that the casts stand in */
  readonly chosen: (query: PageRequest<Query>['query']) => {
    readonly fid: number;
    readonly kinds?: readonly NotificationFilter[] | undefined;
    readonly places?: Places;
  };
  /** @returns the parent URLs of places */
  readonly parentUrls?: (read: ReadContext, places: Places) => Promise<readonly string[]>;
}

/** Follows are about no cast. */
const KINDS_OF_PLACES = NOTIFICATION_FILTERS.filter((kind) => kind !== 'follows');

const numbersOf = (kinds: readonly NotificationFilter[]): number[] =>
  [...new Set(kinds.map((kind) => NotificationKind[kind]))].sort();

/** Declares an operation that lists the notifications of a user page by page. */
export const notificationOperation = <const Query extends TProperties>({
  parameters,
  chosen,
  parentUrls: urlsOf = async (_, places) => places,
  ...definition
}: NotificationDefinition<Query>): Operation =>
  pagedOperation({
    ...definition,
    tags: ['Notifications'],
    cost: { each: 4, of: 'limit' },
    headers: experimentalHeader,
    limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 25, default: 15 }),
    parameters: {
      fid: { description: 'The account that is notified; those whom it muted or blocked are left out.', example: 1 },
      ...parameters,
    },
    response: NotificationsResponse,
    sortKey: Type.Object({ ts: Type.Integer(), kind: Type.Integer(), key: Type.String() }),
    filters: ({ query, caller: { appId } }) => {
      const { fid, places, kinds = places === undefined ? NOTIFICATION_FILTERS : KINDS_OF_PLACES } = chosen(query);
      return { fid, appId, kinds: numbersOf(kinds), places: places && [...new Set(places)].sort() };
    },
    // Threads of other accounts have no tag for their channel, so lists by place are not cached.
    isUncached: ({ places }) => places !== undefined,
    load: async (read, { places, ...filters }, { after, size, horizon }) => {
      const parentUrls = places && (await urlsOf(read, places));
      const [content, next] = await Promise.all([
        readNotifications(read, { ...filters, parentUrls, horizon }, { limit: size, after }),
        after === undefined ? selectNextNotification(read, filters.fid, horizon) : null,
      ]);
      read.endsAt(next === null ? null : toUnixMs(next));
      const last = content.more ? content.rows.at(-1) : undefined;
      return { content, end: last && { ts: last.ts, kind: last.kind, key: last.key } };
    },
    view: async (list, cursor, _, read, { fid: viewer, appId }) => {
      const { hashes, fids, appFids } = referencedEntities(list);
      const audience = { appId, viewer };
      const page = await hydrateCasts(read, hashes, { audience, accounts: fids, dehydrated: appFids });
      return viewNotifications(list, cursor, page);
    },
  });
