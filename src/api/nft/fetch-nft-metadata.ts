import Type from 'typebox';
import { notFound } from '../../error.js';
import { COLLECTION_TOKEN, collectionMetadata } from '../../onchain/nft/collection.js';
import { ServedTokenMetadata } from '../../schema/onchain/nft-metadata.js';
import { type DisplayedToken, selectDisplayedToken } from '../../store/onchain/token-metadata.js';
import { operation } from '../http/operation.js';
import { isTokenId } from './token-id.js';
import { METADATA_PATH } from './token-uri.js';

/** Token ids begin with 1; a collection without a maximum has tokens of every id. */
const canExist = (id: bigint, { max_supply: most = 0 }: DisplayedToken['config']): boolean =>
  id > 0n && (most === 0 || id <= BigInt(most));

/** Metadata of a token for which none was uploaded: that of its collection. */
const viewCollection = (
  tokenId: string,
  { name = '', description, image, external_link }: DisplayedToken['config'],
) => ({
  name: `${name} #${tokenId}`.trimStart(),
  ...(description ? { description } : {}),
  ...(image ? { image } : {}),
  ...(external_link ? { external_url: external_link } : {}),
});

export const fetchNftMetadata = operation({
  id: 'fetch-nft-metadata',
  path: METADATA_PATH,
  tags: ['NFTs'],
  title: 'Get token metadata of an NFT',
  summary: 'Own extension: the metadata of a token, at the address that tokenURI of its contract names.',
  cost: { fixed: 0 },
  scope: 'public',
  limitsAddresses: true,
  params: Type.Object({
    collection_id: Type.String({ format: 'uuid', description: 'Stands in the token URI of the contract.' }),
    token_id: Type.String({
      description: 'Decimal digits, or `collection` for the metadata of the collection itself.',
    }),
  }),
  response: ServedTokenMetadata,
  errors: [400, 404],
  handle: async ({ params: { collection_id, token_id } }, { db }) => {
    if (token_id === COLLECTION_TOKEN) {
      const config = (await selectDisplayedToken(db, collection_id, '0'))?.config;
      if (config?.name === undefined) throw notFound('There is no metadata of such a collection here.');
      return collectionMetadata({ symbol: '', ...config, name: config.name }) as ServedTokenMetadata;
    }
    const isId = isTokenId(token_id);
    const token = isId ? await selectDisplayedToken(db, collection_id, token_id) : undefined;
    if (token?.metadata) return token.metadata as ServedTokenMetadata;
    if (token?.config.name !== undefined && canExist(BigInt(token_id), token.config)) {
      return viewCollection(token_id, token.config);
    }
    throw notFound('There is no metadata of such a token here.');
  },
});
