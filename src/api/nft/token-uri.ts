/** Where the metadata of tokens is, under PUBLIC_URL; parameters as the router writes them. */
export const METADATA_PATH = '/v2/social/nft/metadata/:collection_id/:token_id';

/** @returns what stands before the id of each token in the addresses of a collection's metadata. */
export const tokenUriOf = (publicUrl: string, collectionId: string): string =>
  `${publicUrl}/v2/social/nft/metadata/${collectionId}/`;
