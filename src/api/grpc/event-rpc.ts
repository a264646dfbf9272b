import { GetInfoResponse } from '@farcaster/core';
import { invalidField, notFound } from '../../error.js';
import { findEnd } from '../../event/log-position.js';
import { eventIdOf, logIdFrom, ONLY_SHARD, placeOf } from '../../protocol/event/place.js';
import { sentEvent } from '../../protocol/wire/sent-message.js';
import { encodeByteString } from '../../protocol/wire/wire.js';
import { type LoggedEvent, selectHubEvent, selectHubEvents, selectHubEventsReverse } from '../../store/hub/event.js';
import { selectStoreCounts } from '../../store/hub/info.js';
import { hubFetchEvents } from '../hub/event/hub-fetch-events.js';
import { hubLookupEvent } from '../hub/event/hub-lookup-event.js';
import { hubLookupInfo } from '../hub/event/hub-lookup-info.js';
import { requireShard } from '../hub/parameter.js';
import { MAX_PAGE_SIZE } from './message-wire.js';
import { type Rpc, rpc } from './rpc.js';

/** Fields of the protobuf `EventsResponse` (protocol document, request_response.proto). */
const FIELD = { event: 1, nextPageToken: 2 } as const;

const TOKEN_BYTES = 8;

/** @returns the row in a page token: that of the last event of the page; undefined for an empty one @throws AppError invalid */
const readToken = (token: Uint8Array | undefined): number | undefined => {
  if (token === undefined || token.length === 0) return undefined;
  const id = token.length === TOKEN_BYTES ? Number(Buffer.from(token).readBigUInt64BE()) : Number.NaN;
  if (Number.isSafeInteger(id)) return id;
  throw invalidField('page_token', 'Invalid page token: send the next_page_token of an earlier page, unchanged.');
};

const writeToken = (id: number): Uint8Array => {
  const token = Buffer.alloc(TOKEN_BYTES);
  token.writeBigUInt64BE(BigInt(id));
  return token;
};

const eventBytes = ({ id, body, seconds }: LoggedEvent): Buffer => sentEvent(body, placeOf({ logId: id, seconds }));

/** @throws AppError invalid */
const requireEventShard = (shard: number | undefined): void => requireShard(shard, 'shard_index', 'Shard not found');

/** The calls that read the log of events, and what there is to say of this hub. */
export const EVENT_RPCS: readonly Rpc[] = [
  rpc('getEvent', hubLookupEvent, {
    handle: async ({ id, shardIndex }, { db }) => {
      requireEventShard(shardIndex);
      const logId = logIdFrom(id);
      const event = eventIdOf(logId) === id ? await selectHubEvent(db, logId) : undefined;
      if (event === undefined) throw notFound('Event not found');
      return eventBytes(event);
    },
  }),
  rpc('getEvents', hubFetchEvents, {
    handle: async ({ startId, stopId, shardIndex, pageSize = MAX_PAGE_SIZE, pageToken, reverse = false }, { db }) => {
      requireEventShard(shardIndex);
      const size = Math.min(MAX_PAGE_SIZE, Math.max(1, pageSize));
      const last = readToken(pageToken);
      const start = logIdFrom(startId);
      const from = last === undefined || reverse ? start : Math.max(start, last + 1);
      const stop = stopId === undefined ? Number.MAX_SAFE_INTEGER : logIdFrom(stopId);
      const before = last === undefined || !reverse ? stop : Math.min(stop, last);
      const select = reverse ? selectHubEventsReverse : selectHubEvents;
      const found = await select(db, { from, before, limit: size + 1 });
      const parts = found.slice(0, size).map((event) => encodeByteString(FIELD.event, eventBytes(event)));
      const end = found.length > size ? found[size - 1] : undefined;
      if (end !== undefined) parts.push(encodeByteString(FIELD.nextPageToken, writeToken(end.id)));
      return Buffer.concat(parts);
    },
  }),
  rpc('getInfo', hubLookupInfo, {
    handle: async (_, { db, hub }) => {
      const [counts, { logId: newest }] = await Promise.all([selectStoreCounts(db), findEnd(db)]);
      const common = { numMessages: counts.messages, numFidRegistrations: counts.fidEvents, approxSize: 0 };
      return GetInfoResponse.encode({
        version: hub.version,
        dbStats: common,
        peerId: '',
        numShards: 1,
        shardInfos: [
          {
            ...common,
            shardId: ONLY_SHARD,
            maxHeight: newest,
            blockDelay: 0,
            mempoolSize: 0,
            numOnchainEvents: 0,
          },
        ],
        nextEngineVersionTimestamp: 0,
      }).finish();
    },
  }),
];
