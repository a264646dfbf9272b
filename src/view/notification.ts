import type { Hydration } from '../hydrate/hydrate.js';
import { toIso } from '../protocol/time.js';
import { castName, type ShownCast, shownCast, writeCast } from './cast.js';
import { writeCastDehydrated } from './cast-dehydrated.js';
import { writeItems } from './items.js';
import { JsonWriter } from './json-writer.js';
import { reactionObject } from './reaction.js';
import { Rendered } from './rendered.js';
import { userName, writeUserOf } from './user.js';
import { renderUserDehydrated } from './user-dehydrated.js';

/** A notification as lists have it. */
interface Notification {
  /** Protocol seconds of its newest event. */
  readonly ts: number;
  readonly kind: number;
  /** Hash of its cast, hex without 0x; '' when it has none. */
  readonly key: string;
}

interface Group {
  readonly actors: readonly { readonly fid: number; readonly appFid: number | null }[];
  readonly count: number;
}

/** What the view needs of a page; see src/hydrate/notification.ts. */
interface Page<Row extends Notification> {
  readonly rows: readonly Row[];
  readonly groups: ReadonlyMap<Row, Group>;
  readonly marks: { readonly seenUntil: ReadonlyMap<number, number>; readonly unseen: number };
  readonly entities: Hydration;
}

/** Words of a record by the number of its kind; filters say some of them in the plural. */
const TYPE: Readonly<Record<number, string>> = {
  1: 'likes',
  2: 'recasts',
  3: 'mention',
  4: 'reply',
  5: 'quote',
  6: 'follows',
};
/** `cast.type`, for kinds that it knows. */
const CAST_TYPE: Readonly<Record<number, string>> = { 3: 'cast-mention', 4: 'cast-reply' };
const FOLLOWS = 6;

type Actor = Group['actors'][number];

const actorName = ({ fid }: Actor): string => userName(fid);

const writeFollows = (json: JsonWriter, group: Group | undefined, page: Hydration): void => {
  json.text(',"follows":[');
  writeItems(json, group?.actors ?? [], page, actorName, ({ fid, appFid }) => {
    json.text('{"object":"follower",');
    if (appFid !== null) {
      json.text('"app":');
      json.bytes(renderUserDehydrated(appFid, page.accounts.get(appFid)));
      json.text(',');
    }
    json.text('"user":');
    if (!writeUserOf(json, fid, page)) return false;
    json.text('}');
    return true;
  });
  json.text(']');
};

const writeReactions = (json: JsonWriter, kind: number, shown: ShownCast, group: Group, page: Hydration): void => {
  const { cast, assembly } = shown;
  json.text(',"reactions":[');
  writeItems(json, group.actors, page, actorName, ({ fid }) => {
    json.text(`{"object":"${reactionObject(kind)}","cast":`);
    writeCastDehydrated(json, cast.content, assembly, page);
    json.text(',"user":');
    if (!writeUserOf(json, fid, page)) return false;
    json.text('}');
    return true;
  });
  json.text(']');
};

const writeCastOf = (json: JsonWriter, kind: number, shown: ShownCast, page: Hydration): void => {
  json.text(',"cast":');
  writeCast(json, shown, page);
  const type = CAST_TYPE[kind];
  if (type === undefined) return;
  json.back(1);
  json.text(`,"type":"${type}"}`);
};

/** @returns `NotificationsResponse`; notifications whose cast went away since the list was made are left out. */
export const viewNotifications = <Row extends Notification>(page: Page<Row>, cursor: string | null): Rendered => {
  const { rows, groups, marks, entities } = page;
  const json = new JsonWriter();
  json.text(`{"unseen_notifications_count":${marks.unseen},"notifications":[`);
  const nameOf = ({ kind, key }: Row): string => `notification ${TYPE[kind]} ${castName(key)}`;
  writeItems(json, rows, entities, nameOf, (row) => {
    const { kind, ts, key } = row;
    const shown = shownCast(json, key, entities);
    if (kind !== FOLLOWS && shown === undefined) return false;
    const group = groups.get(row);
    const seen = ts <= (marks.seenUntil.get(kind) ?? -1);
    json.text(
      `{"object":"notification","type":"${TYPE[kind]}","seen":${seen},` +
        `"most_recent_timestamp":"${toIso(ts)}","count":${group?.count ?? 1}`,
    );
    if (shown === undefined) writeFollows(json, group, entities);
    else {
      writeCastOf(json, kind, shown, entities);
      if (group !== undefined) writeReactions(json, kind, shown, group, entities);
    }
    json.text('}');
    return true;
  });
  json.text(`],"next":{"cursor":${JSON.stringify(cursor)}}}`);
  return new Rendered(json.finish());
};
