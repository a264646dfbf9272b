import { afterAll, beforeAll, beforeEach } from 'vitest';
import { readStoredChannels } from '../../src/ingest/channel/stored-message-job.js';
import type { IngestItem } from '../../src/ingest/item.js';
import type { Ingest } from '../../src/ingest/pipeline/pipeline.js';
import { channelIdOf, channelUrl } from '../../src/protocol/channel/identity.js';
import { fromUnixMs } from '../../src/protocol/time.js';
import type { Author } from '../../src/sample/author.js';
import type { Signed } from '../../src/sample/signed-message.js';
import { channelMessage, channelRegistration, type RegisterInput, wireOf } from './channel-message.js';
import { openTestDatabase, type TestDatabase } from './database.js';
import { authors, registration } from './hub-fixture.js';
import { openTestIngest } from './ingest.js';

export const REGISTRAR = 'eip155:31337/erc721:0x5FbDB2315678afecb367f032d93F642f64180aa3';
export const KEY = 'gardens';
export const URL = channelUrl(REGISTRAR, channelIdOf(KEY));
export const CAST = new Uint8Array(20).fill(4);
const ACTION = { add: 1, remove: 2, addModerator: 3, removeModerator: 4, ban: 5, unban: 6 } as const;
export const AT = fromUnixMs(Date.UTC(2025, 5, 1));

let tick = 0;
export const make = (who: Author, type: number, body: Uint8Array, key = KEY): Signed =>
  channelMessage(
    { seed: 'hub', fid: who.fid, at: AT + ++tick },
    type,
    new Uint8Array(Buffer.concat([wireOf({ 1: channelIdOf(key) }), body])),
  );
export const update = (who: Author, name: string, membershipMode?: number, castingMode?: number): Signed =>
  make(
    who,
    18,
    wireOf({ 2: name, 3: `About ${name}`, 4: 'https://i.example/a.png', 7: castingMode, 8: membershipMode }),
  );
export const member = (who: Author, fid: number, action: keyof typeof ACTION): Signed =>
  make(who, 19, wireOf({ 2: fid, 3: ACTION[action] }));
export const pin = (who: Author, hash?: Uint8Array): Signed => make(who, 20, wireOf({ 2: hash }));
export const moderate = (who: Author, action: number): Signed => make(who, 21, wireOf({ 2: CAST, 3: action }));
/** Empties what the pipeline writes. */
const empty = async ({ db }: TestDatabase): Promise<void> => {
  const social = ['message', '"cast"', 'reaction', 'reaction_group', 'verification', 'address_owner', 'username_proof'];
  const service = ['onchain_event', 'signer_key', 'account', 'hub_event', 'hub_position', 'refused_item'];
  const channels = ['channel_parent_url', 'channel_member', 'channel_restriction', 'channel_follow', 'channel'];
  const parts = ['slot', 'moderation', 'message'].map((part) => `protocol_channel_${part}`);
  const tables = [...social, ...service, ...channels, ...parts, 'protocol_channel'];
  await db.script(tables.map((table) => `delete from ${table}`).join('; '));
};

/** Registers hooks that give each test of the file the accounts 51 to 54, registered, in an otherwise empty database. */
export const protocolChannels = () => {
  let database: TestDatabase;
  let ingest: Ingest;
  const [alice, bob, carol, dan] = authors(51, 52, 53, 54);
  /** Cache tags that were invalidated since the test began. */
  const tags = new Set<number>();

  /** Opens the pipeline anew, as a restart does. @param registrar null: unknown */
  const open = (registrar: string | null = REGISTRAR): void => {
    ingest = openTestIngest(database.db, {
      channelRegistrar: registrar ?? undefined,
      onCommit: (invalidation) => {
        for (const tag of invalidation.tags) tags.add(tag);
      },
    });
  };
  const submit = (...items: readonly (Signed | IngestItem)[]) =>
    ingest.submit(
      items.map((item) => ('item' in item ? item.item : item)),
      { source: 'hub', announce: true },
    );
  /** Submits items as a file does. */
  const load = (items: readonly IngestItem[]) => ingest.submit(items, { source: 'file', announce: false });
  let registrations: Promise<IngestItem[][]> | undefined;
  const registerAccounts = async (): Promise<void> => {
    registrations ??= Promise.all([alice, bob, carol, dan].map(registration));
    await submit(...(await registrations).flat());
  };
  /** Runs the job that reads stored messages. @returns the tags that it invalidated */
  const runJob = async (): Promise<ReadonlySet<number>> => {
    const found = new Set<number>();
    const changed = (invalidation: { readonly tags: readonly number[] }): void => {
      for (const tag of invalidation.tags) found.add(tag);
    };
    await readStoredChannels({ db: database.db, registrar: REGISTRAR, changed }, new AbortController().signal);
    return found;
  };

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(async () => {
    tags.clear();
    open();
    await empty(database);
    await registerAccounts();
  });
  afterAll(() => database.drop());

  const register = (input: Partial<RegisterInput> = {}): IngestItem =>
    channelRegistration({ key: KEY, owner: alice.wallet(1).address, label: 'Gardens', ...input });

  const rows = <Row = Record<string, unknown>>(text: string): Promise<Row[]> => database.db.run<Row>(text);
  const shownChannel = async () =>
    (
      await rows(
        `select id, parent_url, name, description, image_url, lead_fid, encode(pinned_cast_hash, 'hex') as pin, public_casting,
                source, coalesce(listed_follower_count, follower_count) as follower_count,
                coalesce(listed_member_count, member_count) as member_count from channel`,
      )
    )[0];
  const members = async (): Promise<string[]> =>
    (await rows<{ fid: number; role: string }>('select fid, role from channel_member order by fid')).map(
      ({ fid, role }) => `${fid} ${role}`,
    );
  const banned = async (): Promise<number[]> =>
    (await rows<{ fid: number }>(`select fid from channel_restriction where kind = 'banned' order by fid`)).map(
      ({ fid }) => fid,
    );
  const followers = async (): Promise<number[]> =>
    (await rows<{ fid: number }>('select fid from channel_follow order by fid')).map(({ fid }) => fid);
  const refusals = async (): Promise<(string | null)[]> =>
    (await rows<{ refusal: string | null }>('select refusal from protocol_channel_message order by position')).map(
      ({ refusal }) => refusal,
    );

  /** All rows that follow from channels. */
  const everything = async (): Promise<unknown> => {
    const tables = [
      'channel',
      'channel_parent_url',
      'channel_member',
      'channel_restriction',
      'channel_follow',
      'protocol_channel',
      'protocol_channel_slot',
      'protocol_channel_moderation',
    ];
    const found: Record<string, unknown> = {};
    for (const table of tables) found[table] = await rows(`select * from ${table} t order by t::text`);
    found.log = await rows(
      'select channel_id, fid, hash, type, refusal from protocol_channel_message order by position',
    );
    return found;
  };

  /** Register, verify, describe, add, follow, leave, ban, pin and hide, with refused messages in between. */
  const scenario = async (): Promise<(Signed | IngestItem)[]> => [
    register(),
    update(alice, 'Too early', 1),
    await alice.verifyEthereum(alice.wallet(1)),
    update(alice, 'Gardens', 1, 1),
    update(bob, 'Mine now'),
    member(alice, bob.fid, 'addModerator'),
    member(carol, carol.fid, 'add'),
    member(dan, dan.fid, 'add'),
    bob.react('like', URL, AT + 5_000),
    carol.react('like', URL, AT + 5_001),
    member(bob, carol.fid, 'ban'),
    member(carol, carol.fid, 'add'),
    pin(bob, CAST),
    pin(dan),
    moderate(bob, 1),
    carol.unreact('like', URL, AT + 5_002),
  ];

  return {
    ...{ alice, bob, carol, dan, tags, open, submit, load, registerAccounts, register, scenario, runJob },
    ...{ rows, shownChannel, members, banned, followers, refusals, everything },
    empty: () => empty(database),
    db: () => database.db,
  };
};
