import type { Address } from 'viem';
import { cleanText } from '../../clean-text.js';
import { isObject } from '../../is-object.js';
import { hasRightCase } from '../checked-address.js';

/** A token of a list that the operator trusts. */
export interface ListedToken {
  /** Chain id (EIP-155). */
  readonly chainId: number;
  /** Lower case. */
  readonly address: Address;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  /** https, http or ipfs; null if the list has none. */
  readonly imageUrl: string | null;
}

/** The tokens of all lists. */
export interface TokenLists {
  /** @returns the tokens of a chain by their addresses in lower case */
  of(chainId: number): ReadonlyMap<string, ListedToken>;
}

/** A problem of a list with its path: `tokens[3].address: ...`. */
export class TokenListError extends Error {
  override readonly name = 'TokenListError';
}

const MAX_TOKENS = 10_000;
const MAX_PROBLEMS = 5;

type Fields = Readonly<Record<string, unknown>>;

const HERE = /^0x[0-9a-fA-F]{40}$/;
/** Lists may contain Solana tokens, which are skipped. */
const SOLANA_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** The rules for members, worded for error messages (https://uniswap.org/tokenlist.schema.json). */
const RULES: readonly (readonly [member: string, rule: string, holds: (value: unknown) => boolean])[] = [
  ['chainId', 'is no whole number from 1', (value) => Number.isSafeInteger(value) && (value as number) > 0],
  [
    'address',
    'is not 0x and 40 hex digits with the right checksum',
    (value) => typeof value === 'string' && (SOLANA_ADDRESS.test(value) || (HERE.test(value) && hasRightCase(value))),
  ],
  [
    'decimals',
    'is no whole number from 0 to 255',
    (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255,
  ],
  ['name', 'is no text of up to 60 characters', (value) => typeof value === 'string' && value.length <= 60],
  ['symbol', 'is no text of up to 20 characters', (value) => typeof value === 'string' && value.length <= 20],
  ['logoURI', 'is no text', (value) => value === undefined || typeof value === 'string'],
];

const imageOf = (logo: unknown): string | null =>
  typeof logo === 'string' && /^(https?|ipfs):\/\//i.test(logo) ? logo : null;

const readDocument = (text: string): Fields => {
  try {
    const document: unknown = JSON.parse(text);
    if (isObject(document)) return document;
  } catch (error) {
    throw new TokenListError(`is not JSON: ${(error as Error).message}`);
  }
  throw new TokenListError('is not a JSON object');
};

/**
 * Parses a list in the format of https://tokenlists.org.
 * @throws TokenListError naming the first problems
 */
export const parseTokenList = (text: string): ListedToken[] => {
  const { name, tokens } = readDocument(text);
  const problems: string[] = [];
  if (typeof name !== 'string' || name === '') problems.push('name: is missing');
  if (!Array.isArray(tokens)) problems.push('tokens: is no array');
  else if (tokens.length > MAX_TOKENS) problems.push(`tokens: holds ${tokens.length}, more than ${MAX_TOKENS}`);
  const entries: readonly unknown[] = Array.isArray(tokens) ? tokens : [];
  for (const [index, token] of entries.entries()) {
    if (!isObject(token)) problems.push(`tokens[${index}]: is no object`);
    else
      for (const [member, rule, holds] of RULES)
        if (!holds(token[member])) problems.push(`tokens[${index}].${member}: ${rule}`);
  }
  if (problems.length > 0) {
    const more = problems.length > MAX_PROBLEMS ? `; and ${problems.length - MAX_PROBLEMS} more` : '';
    throw new TokenListError(`is no token list: ${problems.slice(0, MAX_PROBLEMS).join('; ')}${more}`);
  }
  const here = (entries as (Fields & ListedToken)[]).filter(({ address }) => HERE.test(address));
  return here.map((token) => ({
    chainId: token.chainId,
    address: token.address.toLowerCase() as Address,
    name: cleanText(token.name),
    symbol: cleanText(token.symbol),
    decimals: token.decimals,
    imageUrl: imageOf(token.logoURI),
  }));
};

/** @param lists if two contain the same token, the later one counts */
export const createTokenLists = (lists: readonly (readonly ListedToken[])[]): TokenLists => {
  const chains = new Map<number, Map<string, ListedToken>>();
  for (const token of lists.flat()) {
    const chain = chains.get(token.chainId) ?? new Map<string, ListedToken>();
    chains.set(token.chainId, chain.set(token.address, token));
  }
  const none: ReadonlyMap<string, ListedToken> = new Map();
  return { of: (chainId) => chains.get(chainId) ?? none };
};
