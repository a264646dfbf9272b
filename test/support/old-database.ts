import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Message, MessageData, OnChainEvent, type UserNameProof } from '@farcaster/core';
import pg from 'pg';
import { readFileItems } from '../../src/ingest/file/read.js';
import type { OldNetwork, RemovalColumn } from './old-network.js';

/** Real messages in a file outside of the project. */
export const MAINNET_FILE = fileURLToPath(new URL('../../../shared/data/mainnet-2024-04.ndjson', import.meta.url));

/** Seconds between 1970 and 2021, where the protocol begins to count. */
const EPOCH = 1_609_459_200;

/** Columns that both programs have. */
const MESSAGES = `
  id uuid primary key default gen_random_uuid(), created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(), "timestamp" timestamptz not null, deleted_at timestamptz,
  pruned_at timestamptz, revoked_at timestamptz, fid bigint not null, type smallint not null,
  hash_scheme smallint not null, signature_scheme smallint not null, hash bytea not null unique,
  signer bytea not null, body json not null, raw bytea not null`;

/** `apps/replicator` of farcasterxyz/hub-monorepo as of June 2024, `src/migrations/001_initial_migration.ts`. */
const REPLICATOR = `
  create table messages (${MESSAGES}, signature bytea not null);
  create table chain_events (
    id uuid primary key default gen_random_uuid(), created_at timestamptz not null default now(),
    block_timestamp timestamptz not null, fid bigint not null, chain_id bigint not null, block_number bigint not null,
    transaction_index smallint not null, log_index smallint not null, type smallint not null,
    block_hash bytea not null, transaction_hash bytea not null, body json not null, raw bytea not null,
    unique (block_number, log_index)
  );
  create table username_proofs (
    id uuid primary key default gen_random_uuid(), created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(), "timestamp" timestamptz not null, deleted_at timestamptz,
    fid bigint not null, type smallint not null, username text not null, signature bytea not null,
    owner bytea not null, unique (username, "timestamp")
  );`;

/** `packages/shuttle` of the same, `src/example-app/migrations`: no signature, and events without their bytes. */
const SHUTTLE = `
  create table messages (${MESSAGES});
  create table onchain_events (
    id uuid default gen_random_uuid(), chain_id bigint not null, created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(), block_timestamp timestamptz not null, fid bigint not null,
    block_number bigint not null, log_index integer not null, type integer not null, tx_hash bytea not null,
    body json not null
  );`;

/** A PostgreSQL database for tables of other programs, with a schema for each of them. */
export class OldDatabase {
  readonly #serverUrl: string;
  readonly #name: string;

  constructor(serverUrl: string, name: string) {
    this.#serverUrl = serverUrl;
    this.#name = name;
  }

  static async create(serverUrl: string): Promise<OldDatabase> {
    const old = new OldDatabase(serverUrl, `castellan_old_${randomBytes(4).toString('hex')}`);
    await old.ask(serverUrl, `create database ${old.#name}`);
    return old;
  }

  /** @returns the address at which a schema's tables are found. */
  urlOf(schema: string): string {
    const url = Object.assign(new URL(this.#serverUrl), { pathname: `/${this.#name}` });
    return `${url.href}?options=-c%20search_path%3D${schema}`;
  }

  /** Runs SQL in any database, on a separate connection. */
  async ask(url: string, sql: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql, [...values])).rows;
    } finally {
      await client.end();
    }
  }

  async drop(): Promise<void> {
    await this.ask(this.#serverUrl, `drop database if exists ${this.#name} with (force)`);
  }
}

/** Both programs decode the message with the protocol's package and encode it again. */
const insertMessage = async (
  client: pg.Client,
  wire: Uint8Array,
  fate?: RemovalColumn,
  signature = false,
): Promise<void> => {
  const message = Message.decode(wire);
  const { fid, type, timestamp } = message.data ?? MessageData.decode(message.dataBytes ?? new Uint8Array());
  const { hash, hashScheme, signatureScheme, signer } = message;
  const row = {
    timestamp: new Date((timestamp + EPOCH) * 1000),
    ...{ fid, type, hash, signer, body: {}, hash_scheme: hashScheme, signature_scheme: signatureScheme },
    raw: Message.encode(message).finish(),
    ...(fate === undefined ? {} : { [fate]: new Date() }),
    ...(signature ? { signature: message.signature } : {}),
  };
  await insert(client, 'messages', row);
};

const insert = async (client: pg.Client, table: string, row: Record<string, unknown>): Promise<void> => {
  const names = Object.keys(row).map((name) => `"${name}"`);
  const places = names.map((_, index) => `$${index + 1}`);
  await client.query(`insert into ${table} (${names}) values (${places})`, Object.values(row));
};

const insertEvent = (client: pg.Client, event: OnChainEvent): Promise<void> =>
  insert(client, 'chain_events', {
    block_timestamp: new Date(event.blockTimestamp * 1000),
    ...{ fid: event.fid, chain_id: event.chainId, block_number: event.blockNumber, type: event.type, body: {} },
    ...{ transaction_index: event.txIndex, log_index: event.logIndex, block_hash: event.blockHash },
    ...{ transaction_hash: event.transactionHash, raw: OnChainEvent.encode(event).finish() },
  });

/** replicator treats the Unix seconds of a proof as protocol seconds. */
const insertProof = (client: pg.Client, proof: UserNameProof): Promise<void> =>
  insert(client, 'username_proofs', {
    timestamp: new Date((proof.timestamp + EPOCH) * 1000),
    ...{ fid: proof.fid, type: proof.type, signature: proof.signature, owner: proof.owner },
    username: Buffer.from(proof.name).toString('utf8'),
  });

/** Inserts messages in force, and removed ones. */
const insertMessages = async (client: pg.Client, { inForce, gone }: OldNetwork, signature: boolean): Promise<void> => {
  for (const { wire } of inForce) await insertMessage(client, wire, undefined, signature);
  for (const [fate, { wire }] of gone) await insertMessage(client, wire, fate, signature);
};

/** Opens a connection whose default schema is this one. */
const inSchema = async <T>(
  old: OldDatabase,
  schema: string,
  tables: string,
  work: (client: pg.Client) => Promise<T>,
) => {
  const client = new pg.Client({ connectionString: old.urlOf(schema) });
  await client.connect();
  try {
    await client.query(`create schema ${schema}; ${tables}`);
    return await work(client);
  } finally {
    await client.end();
  }
};

/** Makes the schema as replicator would. */
export const fillReplicator = (old: OldDatabase, schema: string, network: OldNetwork) =>
  inSchema(old, schema, REPLICATOR, async (client) => {
    for (const { event } of network.chain) await insertEvent(client, event);
    await insertProof(client, network.name.proof);
    await insertMessages(client, network, true);
  });

/** Makes the schema as shuttle's example does, its other tables empty. */
export const fillShuttle = (old: OldDatabase, schema: string, network: OldNetwork) =>
  inSchema(old, schema, SHUTTLE, (client) => insertMessages(client, network, false));

/** Fills the schema from {@link MAINNET_FILE}. @returns the number of messages. */
export const fillFromMainnet = (old: OldDatabase, schema: string) =>
  inSchema(old, schema, SHUTTLE, async (client) => {
    let messages = 0;
    for await (const entry of readFileItems(MAINNET_FILE)) {
      if (!entry.ok || entry.item.kind !== 'message') throw new Error('a line of the file is no message');
      await insertMessage(client, entry.item.wire);
      messages++;
    }
    return { messages };
  });
