import Type, { type Static } from 'typebox';
import { namedObject } from '../named.js';
import { stringEnum } from '../string-enum.js';

const text = Type.Optional(Type.String());

/** The text parts of the form. A file in `metadata[media]` is an empty text here. */
export const DeployFungibleReqBody = namedObject('DeployFungibleReqBody', {
  owner: Type.String(),
  symbol: Type.String(),
  name: Type.String(),
  'metadata[media]': Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'binary',
      description: 'A file (image/jpeg, image/gif or image/png), or the address of one (https or ipfs).',
    }),
  ),
  'metadata[description]': text,
  'metadata[nsfw]': Type.Optional(stringEnum(['true', 'false'])),
  'metadata[website_link]': text,
  'metadata[twitter]': text,
  'metadata[discord]': text,
  'metadata[telegram]': text,
  network: Type.Optional(stringEnum(['base'], { default: 'base' })),
  factory: Type.Optional(stringEnum(['launchpad_a', 'launchpad_b'], { default: 'launchpad_a' })),
});
export type DeployFungibleReqBody = Static<typeof DeployFungibleReqBody>;

export const DeployFungibleResponse = namedObject('DeployFungibleResponse', {
  contract: Type.Optional(
    Type.Object({
      fungible: Type.Optional(
        Type.Object({
          object: Type.Optional(Type.String()),
          name: Type.Optional(Type.String()),
          symbol: Type.Optional(Type.String()),
          media: Type.Optional(Type.String()),
          address: Type.Optional(Type.String()),
          decimals: Type.Optional(Type.Integer()),
        }),
      ),
    }),
  ),
});
