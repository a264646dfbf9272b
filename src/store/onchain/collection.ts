import { readQuery, selectQuery, writeQuery } from '../query-function.js';

export interface CollectionRow {
  readonly id: string;
  readonly network: string;
  /** 20 bytes; null: not known to be mined yet. */
  readonly address: Buffer | null;
  readonly organizationId: string;
  /** Whether a wallet of this service deployed it. */
  readonly isDeployedHere: boolean;
  /** Account of the wallet that deployed it, or that gave metadata for it; 20 bytes. */
  readonly wallet: Buffer;
  /** Nonce of its transaction; the address follows from it and the wallet. */
  readonly nonce: number | null;
  /** Whether that transaction is known to be mined; until then its nonce may become another one. */
  readonly isMined: boolean;
}

const SELECT = `
  select c.id as "id!", c.network as "network!", c.address, c.organization_id as "organizationId!", w.address as "wallet!",
         c.transaction_id is not null as "isDeployedHere!", coalesce(t.state = 'mined', false) as "isMined!",
         case t.state when 'mined' then m.nonce else t.nonce end as nonce
    from collection c
    join wallet w on w.id = c.wallet_id
    left join chain_transaction t on t.id = c.transaction_id and (t.state = 'open' or t.state = 'mined' and t.succeeded)
    left join chain_attempt m on m.hash = t.hash`;

/**
 * @param address 20 bytes
 * @returns the collection at an address, and those whose addresses are not stored yet, although they may be mined
 */
export const selectCandidates = readQuery(
  'collection_candidates',
  `${SELECT}
    where c.network = :network and c.address = :address
    union all
   ${SELECT}
    where c.network = :network and c.address is null and (t.state = 'open' or m.nonce is not null)`,
).rows((network: string, address: Uint8Array) => ({ network, address }));

export interface NewCollection {
  readonly id: string;
  readonly network: string;
  readonly organizationId: string;
  readonly walletId: string;
  /** Its deployment; absent: it was deployed elsewhere, at `address`. */
  readonly transactionId?: string;
  readonly address?: Uint8Array;
  /** The body of the request, JSON. */
  readonly config: object;
  readonly createdAt: Date;
}

/** @returns whether it was new: there may be one at that address already. */
export const insertCollection = writeQuery(
  'insert_collection',
  `insert into collection (id, network, address, organization_id, wallet_id, transaction_id, config, created_at)
    values (:id::uuid, :network, :address?, :organizationId::uuid, :walletId::uuid, :transactionId?::uuid, :config::jsonb, :createdAt)
    on conflict (network, address) where address is not null do nothing
    returning id`,
).hasRows((collection: NewCollection) => ({
  id: collection.id,
  network: collection.network,
  address: collection.address ?? null,
  organizationId: collection.organizationId,
  walletId: collection.walletId,
  transactionId: collection.transactionId ?? null,
  config: JSON.stringify(collection.config),
  createdAt: collection.createdAt,
}));

// An address belongs to one collection: if another row has it, that one keeps it.
const IS_FREE = `address is null and not exists
  (select from collection other where other.network = collection.network and other.address = :address)`;

/** Stores the address of a collection whose transaction was mined, unless another row has that address. */
export const updateCollectionAddress = writeQuery(
  'update_collection_address',
  `update collection set address = :address where id = :id::uuid and ${IS_FREE}`,
).done((id: string, address: Uint8Array) => ({ id, address }));

/** The same, by the transaction that deployed it. */
export const updateDeployedAddress = writeQuery(
  'update_deployed_address',
  `update collection set address = :address where transaction_id = :transactionId::uuid and ${IS_FREE}`,
).done((transactionId: string, address: Uint8Array) => ({ transactionId, address }));

/** @returns the newest collections of an organization */
export const selectCollectionsOf = selectQuery(
  'collections_of_organization',
  `select c.id, c.network, c.address, c.config ->> 'name' as name, c.config ->> 'symbol' as symbol,
          c.wallet_id as "walletId", w.address as "walletAddress", c.transaction_id is not null as "isDeployedHere!",
          t.state, t.succeeded, c.created_at as "createdAt"
     from collection c
     join wallet w on w.id = c.wallet_id
     left join chain_transaction t on t.id = c.transaction_id
    where c.organization_id = :organizationId
    order by c.created_at desc, c.id limit :limit`,
).rows((organizationId: string, limit: number) => ({ organizationId, limit }));
