import {
  type KeyRemoveBody,
  Message,
  MessageData,
  MessageType,
  type OnChainEvent,
  Protocol,
  UserDataType,
  type UserNameProof,
} from '@farcaster/core';
import { base58 } from '@scure/base';
import { getAddress } from 'viem';
import { AccountModel, type KeyClaims, ORDER_DEPENDENT } from './store-model-account.js';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** What a hub is told, in its order. */
export type Told =
  | { readonly kind: 'onchain'; readonly event: OnChainEvent }
  | { readonly kind: 'proof'; readonly proof: UserNameProof }
  | { readonly kind: 'message'; readonly wire: Uint8Array; readonly claims?: KeyClaims };

/** What the hub tells others: what it took with what that replaced, and what it deleted for another reason. */
export type Streamed =
  | Exclude<Told, { kind: 'message' }>
  | { readonly kind: 'message'; readonly wire: Uint8Array; readonly deleted: readonly Uint8Array[] }
  | { readonly kind: 'removal'; readonly reason: 'prune' | 'revoke'; readonly wire: Uint8Array };

/** The stores of a hub. Messages of links and their compact states share a limit. */
type Store = 'cast' | 'reaction' | 'link' | 'userData' | 'verification' | 'loan';

interface Row {
  readonly fid: number;
  readonly ts: number;
  readonly hash: string;
  readonly type: MessageType;
  readonly signer: string;
  readonly data: MessageData;
  readonly wire: Uint8Array;
  readonly store: Store;
  /** Messages of an account and a store with one subject conflict. */
  readonly subject: string;
}

const NOT_LISTED = 'not in the compact state';

/** Messages for each unit rented since July 2025 (`Limits::of_type` in `stores.rs`). Loans have no limit of their own. */
const LIMITS: Record<Store, number> = {
  cast: 100,
  reaction: 200,
  link: 200,
  userData: 25,
  verification: 5,
  loan: Number.POSITIVE_INFINITY,
};

const REMOVALS: readonly number[] = [
  MessageType.CAST_REMOVE,
  MessageType.REACTION_REMOVE,
  MessageType.LINK_REMOVE,
  MessageType.VERIFICATION_REMOVE,
];
const isRemoval = ({ type }: Row): boolean => REMOVALS.includes(type);
const isCompactState = ({ type }: Row): boolean => type === MessageType.LINK_COMPACT_STATE;

const PRIMARY: Readonly<Record<number, UserDataType>> = {
  [Protocol.ETHEREUM]: UserDataType.USER_DATA_PRIMARY_ADDRESS_ETHEREUM,
  [Protocol.SOLANA]: UserDataType.USER_DATA_PRIMARY_ADDRESS_SOLANA,
};

const addressText = (protocol: number, address: Uint8Array): string =>
  protocol === Protocol.ETHEREUM ? getAddress(`0x${hex(address)}`) : base58.encode(address);

/** `make_add_key` and `make_remove_key` of the stores. */
const subjectOf = (data: MessageData, hash: string): [Store, string] => {
  const { castRemoveBody, reactionBody: reaction, linkBody: link, linkCompactStateBody: state } = data;
  if (data.type === MessageType.CAST_ADD) return ['cast', hash];
  if (castRemoveBody) return ['cast', hex(castRemoveBody.targetHash)];
  if (reaction) {
    const { type, targetCastId: cast, targetUrl } = reaction;
    return ['reaction', `${type} ${cast ? `${cast.fid} ${hex(cast.hash)}` : targetUrl}`];
  }
  if (link) return ['link', `${link.type} ${link.targetFid}`];
  if (state) return ['link', `${state.type} compact`];
  if (data.userDataBody) return ['userData', `${data.userDataBody.type}`];
  if (data.lendStorageBody) return ['loan', `${data.lendStorageBody.toFid}`];
  const verification = data.verificationAddAddressBody ?? data.verificationRemoveBody;
  if (verification) return ['verification', hex(verification.address)];
  throw new Error(`the model has no store for type ${data.type}`);
};

const read = (wire: Uint8Array): Omit<Row, 'store' | 'subject'> => {
  const message = Message.decode(wire);
  const data = message.data ?? MessageData.decode(message.dataBytes ?? new Uint8Array(0));
  const { fid, timestamp: ts, type } = data;
  return { fid, ts, type, data, wire, hash: hex(message.hash), signer: hex(message.signer) };
};

/** `message_compare`: of casts a removal wins always; else the later one, then a removal, then the higher hash. */
const isLater = (one: Row, other: Row): boolean => {
  const removal = Number(isRemoval(one)) - Number(isRemoval(other));
  if (one.store === 'cast' && removal !== 0) return removal > 0;
  if (one.ts !== other.ts) return one.ts > other.ts;
  return removal !== 0 ? removal > 0 : one.hash > other.hash;
};

/**
 * The stores of a hub in maps, by the rules of snapchain 0.14.2 with engine version 20: `engine.rs`, `block_engine.rs`
 * and `account/*_store.rs`. It imports nothing of the service. Signatures, hashes and the form of messages are not
 * judged. Some differences are meant: a name that moves takes only the user data that claims it, not that of another name;
 * a proof that releases a name is kept, so that no older one claims it again; and of a full store the oldest go, also
 * those that the transaction stored, which hubs spare until the next one.
 */
export class StoreModel {
  readonly #now: number;
  readonly #orderFree: readonly ('link' | 'key')[];
  readonly accounts: AccountModel;
  readonly #rows = new Map<string, Row>();
  readonly #names = new Map<string, UserNameProof>();
  /** Stores of accounts in which the transaction stored messages, with one of these. */
  readonly #grown = new Map<string, Row>();
  /** By place, the latest link that a compact state deleted or kept out. */
  readonly #forgotten = new Map<string, Row>();
  /** In the order in which the hub says it. */
  readonly streamed: Streamed[] = [];

  /**
   * @param now Protocol seconds at which messages are submitted.
   * @param orderFree Kinds of which it refuses, as `ORDER_DEPENDENT`, what depends on the order: hubs forget links that a
   *   compact state deletes or keeps out, and the service remembers them (`isInCompactState` in
   *   `src/protocol/conflict.ts` says why).
   */
  constructor(now: number, orderFree: readonly ('link' | 'key')[] = []) {
    this.#now = now;
    this.#orderFree = orderFree;
    this.accounts = new AccountModel(orderFree.includes('key'));
  }

  /**
   * Takes a transaction: what a block has for an account, or a single item. Only at its end a hub prunes the stores that
   * took something (`replay_snapchain_txn`).
   * @returns why each is refused
   */
  tell(transaction: readonly Told[]): (string | undefined)[] {
    const faults = transaction.map((told) => this.#tell(told));
    for (const grown of this.#grown.values()) this.#prune(grown);
    this.#grown.clear();
    return faults;
  }

  #tell(told: Told): string | undefined {
    if (told.kind === 'proof') return this.#tellProof(told);
    if (told.kind === 'message') return this.#submit(told);
    if (!this.accounts.tell(told.event)) return 'duplicate';
    this.streamed.push(told);
    return undefined;
  }

  /** `merge_username_proof` in `user_data_store.rs`, and what `replay_snapchain_txn` revokes after it. */
  #tellProof(told: Extract<Told, { kind: 'proof' }>): string | undefined {
    const { proof } = told;
    const name = Buffer.from(proof.name).toString();
    const stored = this.#names.get(name);
    if (stored && !isLaterProof(proof, stored)) return 'older proof';
    this.#names.set(name, proof);
    if (!stored && proof.fid === 0) return 'no such proof';
    this.streamed.push(told);
    if (!stored || stored.fid === proof.fid) return undefined;
    const claim = this.#get(stored.fid, 'userData', `${UserDataType.USERNAME}`);
    if (claim?.data.userDataBody?.value === name) this.#remove(claim, 'revoke');
    return undefined;
  }

  #submit(told: Extract<Told, { kind: 'message' }>): string | undefined {
    const head = read(told.wire);
    const { fid, data } = head;
    if (!this.accounts.isRegistered(fid)) return 'no registration';
    // The limit of submissions is a share of the storage (`RateLimits` in `mempool.rs`).
    if (this.units(fid) === 0) return 'no storage';
    const claims = told.claims ?? { custody: undefined };
    if (data.keyAddBody || data.keyRemoveBody) {
      const result = data.keyAddBody
        ? this.accounts.addKey({ ...head, claims }, data.keyAddBody)
        : this.accounts.removeKey({ ...head, claims }, data.keyRemoveBody as KeyRemoveBody);
      if (typeof result === 'string') return result;
      this.streamed.push({ kind: 'message', wire: told.wire, deleted: result });
      return undefined;
    }
    const signed = this.accounts.sign(head, data.type, this.#now);
    if (typeof signed === 'string') return signed;
    const [store, subject] = subjectOf(data, head.hash);
    const row: Row = { ...head, store, subject };
    const fault = this.#stateFault(row) ?? this.#mergeFault(row);
    if (this.#orderFree.includes('link') && this.#dependsOnForgotten(row, fault)) return ORDER_DEPENDENT;
    if (fault === NOT_LISTED) this.#forget(row);
    if (fault !== undefined) return fault;
    signed();
    this.#merge(row);
    return undefined;
  }

  /** What depends on other stores: `validate_user_message` of the two engines. */
  #stateFault({ fid, data }: Row): string | undefined {
    const { userDataBody: entry, lendStorageBody: loan } = data;
    // The lender keeps a unit. What is lent to the same account already is not given back before.
    if (loan) return this.accounts.rented(fid) - this.#lent(fid) < loan.numUnits + 1 ? 'nothing to lend' : undefined;
    if (!entry || entry.value === '') return undefined;
    if (entry.type === UserDataType.USERNAME && this.#names.get(entry.value)?.fid !== fid) return 'no proof';
    for (const [protocol, type] of Object.entries(PRIMARY)) {
      if (entry.type !== type) continue;
      const isVerified = this.#ofStore(fid, 'verification').some(({ data: { verificationAddAddressBody: body } }) =>
        body ? body.protocol === Number(protocol) && addressText(body.protocol, body.address) === entry.value : false,
      );
      if (!isVerified) return 'not verified';
    }
    return undefined;
  }

  /** `merge_add`, `merge_remove` and `merge_compact_state` in `store.rs`, until something is stored. */
  #mergeFault(row: Row): string | undefined {
    const holder = this.#get(row.fid, row.store, row.subject);
    if (holder?.hash === row.hash) return 'duplicate';
    if (holder && !isLater(row, holder)) return 'conflict';
    const state = row.data.linkBody && this.#get(row.fid, 'link', `${row.data.linkBody.type} compact`);
    return state && row.ts < state.ts && !isListed(state, row) ? NOT_LISTED : undefined;
  }

  #forget(link: Row): void {
    const other = this.#forgotten.get(placeOf(link));
    if (!other || isLater(link, other)) this.#forgotten.set(placeOf(link), link);
  }

  /** @returns whether a link would be stored or not if the forgotten ones were still known */
  #dependsOnForgotten(row: Row, fault: string | undefined): boolean {
    if (row.store !== 'link') return false;
    const isReturning = (link: Row): boolean => {
      const holder = this.#rows.get(placeOf(link));
      return isOfState(row, link) && isListed(row, link) && (!holder || isLater(link, holder));
    };
    if (isCompactState(row)) return fault === undefined && [...this.#forgotten.values()].some(isReturning);
    if (fault === NOT_LISTED) return this.#rows.has(placeOf(row));
    const other = this.#forgotten.get(placeOf(row));
    return fault === undefined && other !== undefined && !isLater(row, other);
  }

  #merge(row: Row): void {
    const holder = this.#get(row.fid, row.store, row.subject);
    const compacted = isCompactState(row) ? this.#ofStore(row.fid, 'link').filter((one) => isCompacted(row, one)) : [];
    const replaced = [...(holder ? [holder] : []), ...compacted];
    for (const one of replaced) this.#rows.delete(placeOf(one));
    for (const one of compacted) this.#forget(one);
    this.#forgotten.delete(placeOf(row));
    this.#rows.set(placeOf(row), row);
    this.streamed.push({ kind: 'message', wire: row.wire, deleted: replaced.map(({ wire }) => wire) });
    // A loan of 0 units ends one, and is deleted at once (`StorageLendStore::merge`).
    if (row.data.lendStorageBody?.numUnits === 0) this.#remove(row, 'prune');
    this.#grown.set(`${row.fid} ${row.store}`, row);
    // `handle_delete_side_effects`: also when the address is verified again.
    const verification = holder?.data.verificationAddAddressBody;
    if (!verification) return;
    const primary = this.#get(row.fid, 'userData', `${PRIMARY[verification.protocol]}`);
    if (primary?.data.userDataBody?.value === addressText(verification.protocol, verification.address))
      this.#remove(primary, 'revoke');
  }

  /** `prune_messages` in `store.rs`: the oldest go, except compact states. */
  #prune({ fid, store }: Row): void {
    const rows = this.#ofStore(fid, store).sort((a, b) => a.ts - b.ts || (a.hash < b.hash ? -1 : 1));
    const excess = Math.max(0, rows.length - LIMITS[store] * this.units(fid));
    for (const one of rows.filter((each) => !isCompactState(each)).slice(0, excess)) this.#remove(one, 'prune');
  }

  #remove(row: Row, reason: 'prune' | 'revoke'): void {
    this.#rows.delete(placeOf(row));
    this.streamed.push({ kind: 'removal', reason, wire: row.wire });
  }

  /**
   * @returns what a file can say of all this: everything that was stored at some time, in the order of the hub. A file
   *   does not say what was removed, so what was pruned or revoked is left out with what it had replaced, which would
   *   return.
   */
  inFile(): Exclude<Streamed, { kind: 'removal' }>[] {
    const left = new Set<string>();
    const replaced = new Map<string, readonly Uint8Array[]>();
    const leaveOut = (wire: Uint8Array): void => {
      if (left.has(hex(wire))) return;
      left.add(hex(wire));
      for (const one of replaced.get(hex(wire)) ?? []) leaveOut(one);
    };
    for (const item of this.streamed) {
      if (item.kind === 'removal') leaveOut(item.wire);
      if (item.kind !== 'message') continue;
      left.delete(hex(item.wire));
      replaced.set(hex(item.wire), item.deleted);
    }
    return this.streamed.flatMap((item) =>
      item.kind === 'removal' || (item.kind === 'message' && left.has(hex(item.wire))) ? [] : [item],
    );
  }

  #get(fid: number, store: Store, subject: string): Row | undefined {
    return this.#rows.get(placeOf({ fid, store, subject }));
  }

  #ofStore(fid: number, store: Store): Row[] {
    return [...this.#rows.values()].filter((row) => row.fid === fid && row.store === store);
  }

  #lent(fid: number): number {
    return this.#ofStore(fid, 'loan').reduce((sum, { data }) => sum + (data.lendStorageBody?.numUnits ?? 0), 0);
  }

  /** @returns units that the messages of an account can fill: rented, without lent, with borrowed ones */
  units(fid: number): number {
    const borrowed = [...this.#rows.values()].reduce((sum, { data: { lendStorageBody: loan } }) => {
      return loan?.toFid === fid ? sum + loan.numUnits : sum;
    }, 0);
    return this.accounts.rented(fid) - this.#lent(fid) + borrowed;
  }

  /** @returns hashes of the stored messages of an account, of one type or of all, without those about keys, sorted */
  hashes(fid: number, type?: MessageType): string[] {
    const rows = [...this.#rows.values()].filter((row) => row.fid === fid && (type ?? row.type) === row.type);
    return rows.map(({ hash }) => hash).sort();
  }

  /** @returns the names of an account by the registry, sorted */
  names(fid: number): string[] {
    return [...this.#names].flatMap(([name, proof]) => (proof.fid === fid ? [name] : [])).sort();
  }
}

const placeOf = ({ fid, store, subject }: Pick<Row, 'fid' | 'store' | 'subject'>): string =>
  `${fid} ${store} ${subject}`;

const isLaterProof = (one: UserNameProof, other: UserNameProof): boolean =>
  one.timestamp === other.timestamp
    ? Buffer.compare(one.signature, other.signature) > 0
    : one.timestamp > other.timestamp;

/** Whether an add is in a compact state; removals are in none. */
const isListed = ({ data }: Row, { type, data: { linkBody } }: Row): boolean =>
  type === MessageType.LINK_ADD && (data.linkCompactStateBody?.targetFids.includes(linkBody?.targetFid ?? 0) ?? false);

const isOfState = (state: Row, link: Row): boolean =>
  link.fid === state.fid && link.data.linkBody?.type === state.data.linkCompactStateBody?.type;

/** `is_compaction_conflict` in `link_store.rs`: links of the type that are not newer and not listed. */
const isCompacted = (state: Row, link: Row): boolean =>
  !isCompactState(link) && isOfState(state, link) && link.ts <= state.ts && !isListed(state, link);
