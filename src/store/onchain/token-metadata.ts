import { readQuery, writeQuery } from '../query-function.js';

/** Replaces the metadata of tokens. `tokenId` is decimal, a uint256; each at most once. */
export const upsertTokenMetadata = writeQuery(
  'upsert_token_metadata',
  `insert into token_metadata (collection_id, token_id, metadata, updated_at)
    select :collectionId::uuid, token_id::numeric, metadata::jsonb, :now from unnest(:tokenIds::text[], :metadatas::text[]) as t (token_id, metadata)
    on conflict (collection_id, token_id) do update set metadata = excluded.metadata, updated_at = excluded.updated_at`,
).done(
  (collectionId: string, tokens: readonly { readonly tokenId: string; readonly metadata: object }[], now: Date) => ({
    collectionId,
    tokenIds: tokens.map(({ tokenId }) => tokenId),
    metadatas: tokens.map(({ metadata }) => JSON.stringify(metadata)),
    now,
  }),
);

export interface DisplayedToken {
  /** As it was uploaded; null: nothing was. */
  readonly metadata: object | null;
  /** The request that deployed the collection; empty for one that was deployed elsewhere. */
  readonly config: {
    readonly name?: string;
    readonly description?: string;
    readonly image?: string;
    readonly external_link?: string;
    readonly max_supply?: number;
  };
}

/** @returns the metadata of a token and its collection; undefined for an unknown collection. */
export const selectDisplayedToken = readQuery(
  'shown_token',
  `select m.metadata, c.config
     from collection c
     left join token_metadata m on m.collection_id = c.id and m.token_id = :tokenId::numeric
    where c.id = :collectionId::uuid`,
).first((collectionId: string, tokenId: string) => ({ collectionId, tokenId }));
