import { type Hex, numberToHex } from 'viem';
import { fromHex } from '../../hex.js';
import type { ChainClient } from '../network.js';
import { LogSearchEnded } from './log-range.js';

export interface Block {
  readonly number: number;
  readonly hash: Buffer;
  /** Unix seconds. */
  readonly time: number;
}

const isHex = (value: unknown, digits: string): value is Hex =>
  typeof value === 'string' && new RegExp(`^0x[0-9a-f]{${digits}}$`, 'i').test(value);

/** @param number the newest block unless given @returns undefined if the endpoint does not have it */
export const readBlock = async (client: ChainClient, number?: number): Promise<Block | undefined> => {
  const params = [number === undefined ? 'latest' : numberToHex(number), false] as const;
  const block: unknown = await client.request({ method: 'eth_getBlockByNumber', params: params as never });
  const { hash, timestamp, number: own } = (block ?? {}) as Record<string, unknown>;
  if (!isHex(hash, '64') || !isHex(timestamp, '1,12') || (number === undefined && !isHex(own, '1,12')))
    return undefined;
  return { number: number ?? Number(own), hash: fromHex(hash), time: Number(timestamp) };
};

/** @throws LogSearchEnded if the endpoint does not have the block */
export const requireBlock = async (client: ChainClient, number?: number): Promise<Block> => {
  const block = await readBlock(client, number);
  if (block) return block;
  throw new LogSearchEnded('unavailable', `the endpoint does not have block ${number ?? 'latest'}`);
};
