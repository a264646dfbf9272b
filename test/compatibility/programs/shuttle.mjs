// Copies a hub into PostgreSQL with @farcaster/shuttle, unmodified, as its users do. `node shuttle.mjs follow` stores all
// accounts once by reconciliation, and from then on what the stream of events brings; `node shuttle.mjs reconcile` compares once,
// stores what is missing, and prints it. Either is killed at any time: what it needs to go on is in PostgreSQL and Redis.
import {
  EventStreamConnection,
  EventStreamHubSubscriber,
  getDbClient,
  getHubClient,
  HubEventProcessor,
  HubEventStreamConsumer,
  MessageReconciliation,
  RedisClient,
} from '@farcaster/shuttle';
import { sql } from 'kysely';
import { ok } from 'neverthrow';

const { HUB, REDIS_URL, POSTGRES_URL, SHARD } = process.env;

const tell = (fact) => console.log(JSON.stringify(fact));
const log = Object.fromEntries(
  ['debug', 'info', 'warn', 'error'].map((level) => [level, (...said) => console.error(level, ...said)]),
);
const db = getDbClient(POSTGRES_URL);
const hub = getHubClient(HUB, { ssl: false });
const redis = RedisClient.create(REDIS_URL);
const backfilled = `${HUB}:${SHARD}:backfilled`;
/** What is done beside storing a message, in the same transaction. */
const handler = { handleMessageMerge: async () => undefined };

/** The package has no migration of the table that it writes; its columns are in its types. */
const createTable = () =>
  sql`create table if not exists messages (
    id uuid primary key default gen_random_uuid(), created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(), "timestamp" timestamptz not null, deleted_at timestamptz,
    pruned_at timestamptz, revoked_at timestamptz, fid bigint not null, type smallint not null, hash_scheme smallint not null,
    signature_scheme smallint not null, hash bytea not null, signer bytea not null, body json not null, raw bytea not null,
    unique (hash, fid, type))`.execute(db);

const allFids = async () => {
  const fids = [];
  let pageToken;
  do {
    const page = (await hub.client.getFids({ pageSize: 100, pageToken }))._unsafeUnwrap();
    fids.push(...page.fids);
    pageToken = page.nextPageToken;
  } while (pageToken?.length > 0);
  return fids;
};

/** @returns what was missing here and in the hub, by account, and what the package refuses to store, by reason */
const reconcile = async () => {
  const found = { accounts: 0, missing: {}, surplus: {}, refused: {} };
  const count = (counts, name) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  const reconciliation = new MessageReconciliation(hub.client, db, { ...log, info: () => undefined });
  for (const fid of await allFids()) {
    found.accounts += 1;
    await reconciliation.reconcileMessagesForFid(
      fid,
      async (message, isMissing, wasPruned, wasRevoked) => {
        if (!isMissing && !wasPruned && !wasRevoked) return;
        count(found.missing, fid);
        await HubEventProcessor.handleMissingMessage(db, message, handler).catch((error) => {
          count(found.refused, `${error.message} (type ${message.data?.type})`);
        });
      },
      async (_, isMissing) => isMissing && count(found.surplus, fid),
    );
  }
  return found;
};

const follow = async () => {
  const connect = () => new EventStreamConnection(redis.client);
  const subscriber = new EventStreamHubSubscriber('castellan', hub, connect(), redis, SHARD, log);
  // One event after the other: side by side, a removal may be stored before what it removes, which then remains.
  const inOrder = { messageProcessingConcurrency: 1, eventProcessingTimeout: 1 };
  const consumer = new HubEventStreamConsumer(hub, connect(), SHARD, inOrder, log);
  const store = async (event) => {
    try {
      await HubEventProcessor.processHubEvent(db, event, handler);
      return ok({ skipped: false });
    } catch (error) {
      // The package would try it again for ever.
      if (!error.message.startsWith('Invalid message')) throw error;
      tell({ skipped: `${error.message} (type ${event.mergeMessageBody?.message?.data?.type})` });
      return ok({ skipped: true });
    }
  };
  subscriber.on('onError', (error, isStopped) => {
    tell({ broken: error.message, isStopped });
    // Whoever started this program starts it again.
    if (isStopped) process.exit(1);
  });
  await subscriber.start();
  tell({ following: await subscriber.getLastEventId() });
  if (!(await redis.client.get(backfilled))) {
    tell({ backfilled: await reconcile() });
    await redis.client.set(backfilled, 'yes');
  }
  // The group of readers can only be made once the stream has an event.
  const waiting = RedisClient.create(REDIS_URL);
  await waiting.client.xread('COUNT', 1, 'BLOCK', 0, 'STREAMS', subscriber.streamKey, '0');
  waiting.client.disconnect();
  await connect().createGroup(consumer.streamKey, consumer.groupName);
  // What a killed process had taken, and not confirmed, comes before what is new.
  while ((await consumer.processStale(store)) > 0);
  await consumer.start(store);
  tell({ consuming: true });
};

await createTable();
if (process.argv[2] === 'follow') await follow();
else {
  tell(await reconcile());
  process.exit(0);
}
