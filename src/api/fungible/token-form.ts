import { type Address, isAddress } from 'viem';
import { invalidField } from '../../error.js';
import { rasterFormatOf } from '../../image/raster.js';
import { usableAddress } from '../../onchain/checked-address.js';
import type { TokenDescription } from '../../onchain/fungible/contract-uri.js';
import type { DeployFungibleReqBody } from '../../schema/onchain/fungible-deploy.js';
import type { ReceivedForm } from '../http/form-body.js';

export const MEDIA = 'metadata[media]';

const MAX_NAME = 100;
const MAX_SYMBOL = 32;
const MAX_DESCRIPTION = 2000;
const MAX_LINK = 512;

const FORMATS: ReadonlySet<string> = new Set(['png', 'jpeg', 'gif']);

/** A picture of a form: a file, or the address of one. */
export type TokenMedia = { readonly url: string } | { readonly bytes: Buffer; readonly contentType: string };

/** @throws AppError invalid unless the text has 1 to `most` characters, none of them a control character */
const requireText = (property: string, text: string, most: number): string => {
  const trimmed = text.trim();
  const { length } = trimmed;
  if (length >= 1 && length <= most && !/\p{Cc}/u.test(trimmed)) return trimmed;
  throw invalidField(property, `${property} must have 1 to ${most} characters, without control characters`);
};

/** @throws AppError invalid for what is no address, a wrong checksum, or the zero address, which would burn the supply */
export const ownerOf = ({ owner }: DeployFungibleReqBody): Address => {
  if (!isAddress(owner, { strict: false })) {
    throw invalidField('owner', 'owner must be an Ethereum address: 0x and 40 hex digits');
  }
  return usableAddress(owner, 'owner');
};

/** Optional texts: the member of the form, the name in the contract's metadata, and the most characters. */
const TEXTS = [
  ['metadata[description]', 'description', MAX_DESCRIPTION],
  ['metadata[website_link]', 'external_link', MAX_LINK],
  ['metadata[twitter]', 'twitter', MAX_LINK],
  ['metadata[discord]', 'discord', MAX_LINK],
  ['metadata[telegram]', 'telegram', MAX_LINK],
] as const;

/** @throws AppError invalid for a text that is too long, and for a name or symbol that is empty */
export const descriptionOf = (body: DeployFungibleReqBody): Omit<TokenDescription, 'image'> => {
  const texts = TEXTS.flatMap(([member, name, most]) => {
    const text = body[member] ?? '';
    if (text.length > most) throw invalidField(member, `${member} must have at most ${most} characters`);
    return text === '' ? [] : [[name, text]];
  });
  return {
    name: requireText('name', body.name, MAX_NAME),
    symbol: requireText('symbol', body.symbol, MAX_SYMBOL),
    ...Object.fromEntries(texts),
    ...(body['metadata[nsfw]'] === 'true' && { nsfw: true }),
  };
};

/** @throws AppError invalid for a file of another format, whatever its name says, and for an address of another kind */
export const mediaOf = (body: DeployFungibleReqBody, { files }: ReceivedForm): TokenMedia | undefined => {
  const [unknown] = [...files.keys()].filter((name) => name !== MEDIA);
  if (unknown !== undefined) throw invalidField(unknown, `${unknown} must not be a file`);
  const bytes = files.get(MEDIA);
  if (bytes) {
    const format = rasterFormatOf(bytes);
    if (format !== undefined && FORMATS.has(format)) return { bytes, contentType: `image/${format}` };
    throw invalidField(MEDIA, `${MEDIA} must be a JPEG, GIF or PNG image`);
  }
  const text = body[MEDIA];
  // The public client sends null as text.
  if (text === undefined || text === null || text === '' || text === 'null') return undefined;
  if (/^(https|ipfs):\/\/\S+$/.test(text) && text.length <= MAX_LINK) return { url: text };
  throw invalidField(MEDIA, `${MEDIA} must be a file, or an address that begins with https:// or ipfs://`);
};
