import { resolve } from 'node:path';
import type { ConfigReader } from './reader.js';

/** Who is asked for prices, in this order: contracts of the networks themselves, and a service on the internet. */
export const PRICE_SOURCES = ['onchain', 'api'] as const;
export type PriceSourceName = (typeof PRICE_SOURCES)[number];

/** Which tokens are known by name, and where prices come from. */
export interface TokenConfig {
  /** Absolute paths of token lists, beside the few tokens that the service knows itself; a later one counts more. */
  readonly lists: readonly string[];
  /** Absolute path of a file of fixed prices, which count more than all others. */
  readonly priceFile: string | undefined;
  readonly priceSources: readonly PriceSourceName[];
  /** Without a trailing slash; undefined: the public one. */
  readonly priceApi: string | undefined;
}

const wordsOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

function readSources(reader: ConfigReader, fallback: readonly PriceSourceName[]): readonly PriceSourceName[] {
  const words = wordsOf(reader.text('PRICE_SOURCE')?.toLowerCase());
  if (words.length === 0) return fallback;
  if (words.length === 1 && words[0] === 'off') return [];
  const wrong = words.find((word, index) => !PRICE_SOURCES.some((one) => one === word) || words.indexOf(word) < index);
  if (wrong === undefined) return words as PriceSourceName[];
  reader.problem('PRICE_SOURCE', `"${wrong}" is neither off nor one of ${PRICE_SOURCES.join(', ')}, each once.`);
  return fallback;
}

function readApi(reader: ConfigReader): string | undefined {
  const text = reader.text('PRICE_API_URL');
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash) {
    return url.href.replace(/\/+$/, '');
  }
  reader.problem('PRICE_API_URL', `"${text}" is no http or https address without user, query and fragment.`);
  return undefined;
}

/**
 * Reads TOKEN_LIST, PRICE_SOURCE, PRICE_API_URL and PRICE_FILE; what is in the files is looked at when the service
 * starts. Development asks nobody for prices unless told to.
 */
export function readTokenConfig(reader: ConfigReader, profile: 'dev' | 'serve'): TokenConfig {
  const priceFile = reader.text('PRICE_FILE');
  return {
    lists: wordsOf(reader.text('TOKEN_LIST')).map((path) => resolve(path)),
    priceFile: priceFile === undefined ? undefined : resolve(priceFile),
    priceSources: readSources(reader, profile === 'dev' ? [] : PRICE_SOURCES),
    priceApi: readApi(reader),
  };
}
