import { type Address, encodeDeployData, type Hex, size } from 'viem';
import { fromHex, toHex } from '../../hex.js';
import { boundedReadAbi as abi, boundedReadBytecode as bytecode } from '../artifact/bounded-read.js';
import type { ChainClient } from '../network.js';

/** Bytes of a word in the responses of contracts. */
export const WORD_BYTES = 32;

/** One read of a contract. */
export interface Read {
  readonly target: Address;
  /** Call data of up to 255 bytes; absent: reads the balance of the native coin at `target`, as 32 bytes. */
  readonly data?: Hex;
}

/** Gas limit of one read. Proxies and rebasing tokens need less than 100,000. */
const GAS_EACH = 200_000n;
/** The response counts as the code of a new contract: at most 24,576 bytes (EIP-170). */
const MAX_RESPONSE_BYTES = 24_000;
/** The request counts as its creation code, with program and arguments: at most 49,152 bytes (EIP-3860). */
const MAX_REQUEST_BYTES = 48_000;
/** Before the call data of each read: its target and its length. */
const HEAD_BYTES = 21;
/** Before each response: its length, `FAILED` or `NOT_STARTED`. */
const MARK_BYTES = 2;
const FAILED = 0xffff;
const NOT_STARTED = 0xfffe;
/** Concurrent requests of one call of `readBounded`. */
const CONCURRENCY = 3;

const NATIVE: Hex = '0x';

/** Splits reads so that request and response stay within the limits of one call. */
const partsOf = (reads: readonly Read[], maxBytes: number): Read[][] => {
  const parts: Read[][] = [];
  let [requestBytes, responseBytes] = [0, 0];
  for (const read of reads) {
    const requestSize = HEAD_BYTES + size(read.data ?? NATIVE);
    const responseSize = MARK_BYTES + maxBytes;
    let part = parts.at(-1);
    if (
      part === undefined ||
      requestBytes + requestSize > MAX_REQUEST_BYTES ||
      responseBytes + responseSize > MAX_RESPONSE_BYTES
    ) {
      part = [];
      parts.push(part);
      [requestBytes, responseBytes] = [0, 0];
    }
    part.push(read);
    requestBytes += requestSize;
    responseBytes += responseSize;
  }
  return parts;
};

const encode = (reads: readonly Read[]): Hex =>
  `0x${reads
    .map(({ target, data = NATIVE }) => target.slice(2) + size(data).toString(16).padStart(2, '0') + data.slice(2))
    .join('')}`;

type ReadResult = Hex | undefined | typeof NOT_STARTED;

const decode = (answer: Hex | undefined, count: number): ReadResult[] => {
  const bytes = fromHex(answer ?? '0x');
  const results: ReadResult[] = [];
  let at = 1;
  for (let index = 0; index < count; index += 1) {
    // The endpoint truncated the response, or the chain executed another program.
    if (at + MARK_BYTES > bytes.length) throw new Error(`the answer ends after ${index} of ${count} reads`);
    const mark = bytes.readUInt16BE(at);
    at += MARK_BYTES;
    if (mark === FAILED) results.push(undefined);
    else if (mark === NOT_STARTED) results.push(NOT_STARTED);
    else {
      results.push(toHex(bytes.subarray(at, at + mark)));
      at += mark;
    }
  }
  return results;
};

const readPart = async (
  client: ChainClient,
  reads: readonly Read[],
  maxBytes: number,
): Promise<(Hex | undefined)[]> => {
  const data = encodeDeployData({ abi, bytecode, args: [encode(reads), GAS_EACH, BigInt(maxBytes)] });
  const results = decode((await client.call({ data })).data, reads.length);
  const rest = reads.filter((_, index) => results[index] === NOT_STARTED);
  if (rest.length === reads.length) throw new Error('the endpoint gives a call too little gas for a single read');
  const late = rest.length === 0 ? [] : await readPart(client, rest, maxBytes);
  return results.map((answer) => (answer === NOT_STARTED ? late.shift() : answer));
};

/**
 * Reads many contracts at the latest block in as few calls as possible, one for up to 600 balances. It needs no
 * contract on the chain. A contract cannot disturb the other reads: each read has 200,000 gas, and too long a response
 * is dropped.
 * @param maxBytes maximum length of a response
 * @returns the responses in the order of the reads; undefined for a contract that reverted or returned nothing or too
 *   much
 * @throws what the client throws if the chain does not respond
 */
export const readBounded = async (
  client: ChainClient,
  reads: readonly Read[],
  maxBytes: number,
): Promise<(Hex | undefined)[]> => {
  const parts = partsOf(reads, maxBytes);
  const results: (Hex | undefined)[][] = parts.map(() => []);
  const waiting = parts.keys();
  const work = async (): Promise<void> => {
    for (const index of waiting) results[index] = await readPart(client, parts[index] as Read[], maxBytes);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return results.flat();
};
