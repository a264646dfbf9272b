import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { Secret } from './secret.js';

/** Reports what is wrong with the text of a variable. Texts of secrets must not be part of the problem. */
export type Report = (problem: string) => undefined;

/** @returns the value of a text, which is trimmed and not empty; undefined: the default applies */
export type Parse<Value> = (text: string, report: Report) => Value | undefined;

export const anyText: Parse<string> = (text) => text;

export const absolutePath: Parse<string> = (text) => resolve(text);

export const integer =
  (minimum: number, maximum: number): Parse<number> =>
  (text, report) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= minimum && number <= maximum) return number;
    return report(`"${text}" is not a whole number from ${minimum} to ${maximum}.`);
  };

const tcpPort = integer(1, 65_535);

/** Domains in lower case, each with a port if it is not that of https; `none` is an empty list. */
export const domainsOrAny: Parse<'any' | readonly string[]> = (text, report) => {
  const words = splitList(text.toLowerCase());
  if (words.length === 1 && words[0] === 'any') return 'any';
  if (words.length === 1 && words[0] === 'none') return [];
  const wrong = words.find((word) => !/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/.test(word));
  return wrong === undefined ? words : report(`"${wrong}" is neither a domain like app.example.com nor any or none.`);
};

/** A TCP port, or `off` (also written 0) for no listener. */
export const portOrOff: Parse<number | 'off'> = (text, report) =>
  text === '0' || text.toLowerCase() === 'off' ? 'off' : tcpPort(text, report);

export const oneOf =
  <Choice extends string>(...choices: readonly Choice[]): Parse<Choice> =>
  (text, report) =>
    choices.find((choice) => choice === text.toLowerCase()) ?? report(`"${text}" is none of ${choices.join(', ')}.`);

export const flag: Parse<boolean> = (text, report) => {
  const choice = oneOf('true', 'false', '1', '0')(text, report);
  return choice && (choice === 'true' || choice === '1');
};

/** An address without a trailing slash. The problem does not repeat it, as it may hold a password. */
export const httpUrl: Parse<string> = (text, report) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash) {
    return url.href.replace(/\/+$/, '');
  }
  return report('is not an http or https address without user, query and fragment, like https://castellan.example.');
};

/** A text of which the pattern matches all, kept as a secret. */
export const secret =
  (pattern: RegExp, problem: string): Parse<Secret> =>
  (text, report) =>
    pattern.test(text) ? new Secret(text) : report(problem);

/** An address that may hold a password, kept as a secret. */
export const secretUrl =
  (protocol: RegExp, problem: string): Parse<Secret> =>
  (text, report) =>
    protocol.test(text) && URL.canParse(text) ? new Secret(text) : report(problem);

export const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

export const absolutePaths: Parse<readonly string[]> = (text) => splitList(text).map((path) => resolve(path));

/** Some of the choices in the given order, separated by commas; `off` means none of them. */
export const orderedChoices =
  <Choice extends string>(...choices: readonly Choice[]): Parse<readonly Choice[]> =>
  (text, report) => {
    const items = splitList(text.toLowerCase());
    if (items.length === 0) return undefined;
    if (items.length === 1 && items[0] === 'off') return [];
    const wrong = items.find(
      (item, index) => !choices.some((choice) => choice === item) || items.indexOf(item) < index,
    );
    if (wrong === undefined) return items as Choice[];
    return report(`"${wrong}" is neither off nor one of ${choices.join(', ')}, each once.`);
  };

/** Addresses and networks (CIDR), separated by commas or spaces. */
export const ipRanges: Parse<readonly string[]> = (text, report) => {
  const ranges = text.split(/[\s,]+/).filter((item) => item !== '');
  const wrong = ranges.find((item) => !ipaddr.isValid(item) && !ipaddr.isValidCIDR(item));
  if (wrong === undefined) return ranges;
  return report(`"${wrong}" is no address like 10.0.0.2 and no network like 10.0.0.0/8.`);
};

export interface HubAddress {
  /** `host:port` as gRPC takes it. */
  readonly address: string;
  readonly tls: boolean;
}

export const hubAddress: Parse<HubAddress> = (text, report) => {
  const parts = /^(?:(grpcs?):\/\/)?((?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:]+\]):(\d{1,5}))\/?$/.exec(text);
  if (parts?.[2] !== undefined && Number(parts[3]) >= 1 && Number(parts[3]) <= 65_535) {
    return { address: parts[2], tls: parts[1] === 'grpcs' };
  }
  return report(`"${text}" is not grpc://host:port (plain), grpcs://host:port (TLS) or host:port.`);
};

/** Account numbers, separated by commas or white space. */
export const fidList: Parse<readonly number[]> = (text, report) => {
  const fids: number[] = [];
  for (const word of text.split(/[\s,]+/).filter((item) => item !== '')) {
    const fid = /^\d{1,16}$/.test(word) ? Number(word) : 0;
    if (fid >= 1 && fid <= Number.MAX_SAFE_INTEGER) fids.push(fid);
    else report(`"${word}" is no account number: list them like 2,3,5650.`);
  }
  return fids;
};

/** A request to a network tries at most this many endpoints before its deadline. */
const MAX_ENDPOINTS = 8;

const isEndpoint = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.hash === '';
};

/** Addresses of JSON-RPC endpoints, separated by commas. They are secrets, because most of them contain a provider's key. */
export const rpcEndpoints: Parse<readonly Secret[]> = (text, report) => {
  const given = text.split(',').map((item) => item.trim());
  const wrong = given.findIndex((item) => !isEndpoint(item));
  if (wrong !== -1) {
    const which = given.length === 1 ? 'is not' : `has something else as number ${wrong + 1} of its list than`;
    return report(`${which} an http or https address like https://rpc.example/key.`);
  }
  if (new Set(given).size < given.length) {
    return report('names the same address twice: a failing endpoint needs another one to take over.');
  }
  if (given.length > MAX_ENDPOINTS)
    return report(`lists ${given.length} addresses: at most ${MAX_ENDPOINTS} are allowed.`);
  return given.map((item) => new Secret(item));
};

/** @returns viem's functions for addresses: it takes long to load, and few services set a variable with an address */
export const loadAddressFunctions = () => createRequire(import.meta.url)('viem/utils') as typeof import('viem/utils');

/** CAIP-19 of a collection of tokens, `eip155:<chain>/erc721:<address>`, with the address in the spelling of EIP-55. */
export const tokenCollection: Parse<string> = (text, report) => {
  const [, chain, address] = /^eip155:([1-9]\d{0,14})\/erc721:(0x[0-9A-Fa-f]{40})$/.exec(text) ?? [];
  const { getAddress, isAddress } = loadAddressFunctions();
  if (address !== undefined && isAddress(address)) return `eip155:${chain}/erc721:${getAddress(address)}`;
  return report(`"${text}" is not of the form eip155:1/erc721:0x..., or the checksum of its address is wrong.`);
};
