import Type, { type Static } from 'typebox';
import { EthAddress } from '../address.js';
import { namedObject } from '../named.js';
import { stringEnum } from '../string-enum.js';
import { NftNetwork } from './nft-network.js';

/** Metadata of one token (ERC-721, with the members that marketplaces added). */
export const NftTokenMetadata = namedObject('NftTokenMetadata', {
  animation_url: Type.Optional(Type.String()),
  attributes: Type.Optional(
    Type.Array(
      Type.Object({
        display_type: Type.Optional(stringEnum(['number', 'boost_number', 'boost_percentage', 'date'])),
        max_value: Type.Optional(Type.Number()),
        trait_type: Type.String(),
        value: Type.Union([Type.String(), Type.Number()]),
      }),
    ),
  ),
  background_color: Type.Optional(Type.String({ pattern: '^[0-9a-fA-F]{6}$' })),
  description: Type.Optional(Type.String()),
  external_url: Type.Optional(Type.String()),
  image: Type.String(),
  name: Type.String(),
  youtube_url: Type.Optional(Type.String()),
});
export const UploadTokenMetadataReqBody = namedObject('UploadTokenMetadataReqBody', {
  contract_address: EthAddress,
  network: NftNetwork,
  tokens: Type.Array(Type.Object({ metadata: NftTokenMetadata, token_id: Type.String() }), {
    minItems: 1,
    maxItems: 200,
  }),
});

export const UploadTokenMetadataResponse = namedObject('UploadTokenMetadataResponse', {
  tokens: Type.Array(
    Type.Union([
      Type.Object({ token_id: Type.String(), uri: Type.String() }),
      Type.Object({ error: Type.String(), token_id: Type.String() }),
    ]),
  ),
});
export type UploadTokenMetadataResponse = Static<typeof UploadTokenMetadataResponse>;

/** Own extension: a token without uploaded metadata has no image if its collection has none. */
export const ServedTokenMetadata = Type.Object({
  ...NftTokenMetadata.properties,
  image: Type.Optional(Type.String()),
});
export type ServedTokenMetadata = Static<typeof ServedTokenMetadata>;
