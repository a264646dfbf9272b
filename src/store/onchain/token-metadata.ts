import { readQuery, writeQuery } from '../query-function.js';

/** Replaces the metadata of tokens. `tokenId` is decimal, a uint256; each at most once. */
export const upsertTokenMetadata = writeQuery(
  'upsert_token_metadata',
  `insert into token_metadata (collection_id, token_id, metadata, updated_at)
    select $1::uuid, token_id::numeric, metadata::jsonb, $4 from unnest($2::text[], $3::text[]) as t (token_id, metadata)
    on conflict (collection_id, token_id) do update set metadata = excluded.metadata, updated_at = excluded.updated_at`,
).done(
  (collectionId: string, tokens: readonly { readonly tokenId: string; readonly metadata: object }[], now: Date) => [
    collectionId,
    tokens.map(({ tokenId }) => tokenId),
    tokens.map(({ metadata }) => JSON.stringify(metadata)),
    now,
  ],
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
export const selectDisplayedToken = readQuery<DisplayedToken>(
  'shown_token',
  `select m.metadata, c.config
     from collection c
     left join token_metadata m on m.collection_id = c.id and m.token_id = $2::numeric
    where c.id = $1::uuid`,
).first((collectionId: string, tokenId: string) => [collectionId, tokenId]);
