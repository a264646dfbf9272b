import { invalidField } from '../../error.js';

/** What the contract of a token says about it, with the names of ERC-7572 and of the interface. */
export interface TokenDescription {
  readonly name: string;
  readonly symbol: string;
  readonly description?: string;
  /** Address of a picture. */
  readonly image?: string;
  readonly external_link?: string;
  readonly nsfw?: boolean;
  readonly twitter?: string;
  readonly discord?: string;
  readonly telegram?: string;
}

/** The text is the code of a contract, which has at most 24,576 bytes (EIP-170). */
const MAX_LENGTH = 24_576;

/**
 * @returns `contractURI` of the token (ERC-7572): a data URI with the JSON, in ASCII
 * @throws AppError invalid if it is too long to be kept on the chain
 */
export const contractUri = (description: TokenDescription): string => {
  const json = Buffer.from(JSON.stringify(description), 'utf8');
  const uri = `data:application/json;base64,${json.toString('base64')}`;
  if (uri.length <= MAX_LENGTH) return uri;
  const most = Math.floor(MAX_LENGTH * 0.75) - 30;
  const message = `name, symbol and metadata must have at most ${most} bytes together as JSON, not ${json.length}.`;
  throw invalidField('metadata[description]', message);
};
