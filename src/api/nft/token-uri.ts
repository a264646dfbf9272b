/** Path of the tokens' metadata under PUBLIC_URL, with the router's parameters. */
export const METADATA_PATH = '/v2/social/nft/metadata/:collection_id/:token_id';

/** @returns the URL before the token id in the metadata URLs of a collection */
export const tokenUriOf = (publicUrl: string, collectionId: string): string =>
  `${publicUrl}/v2/social/nft/metadata/${collectionId}/`;
