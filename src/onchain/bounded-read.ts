import { type Address, encodeDeployData, type Hex, size } from 'viem';
import { boundedReadAbi as abi, boundedReadBytecode as bytecode } from './artifact/bounded-read.js';
import type { ChainClient } from './network.js';

/** One thing to ask a contract. */
export interface Read {
  readonly target: Address;
  /** Call data, up to 255 bytes; absent: the balance of the native coin at `target`, as 32 bytes. */
  readonly data?: Hex;
}

/** What one contract may cost the others; what proxies and rebasing tokens need is below 100,000. */
const GAS_EACH = 200_000n;
/** The answer counts as code of a new contract: 24,576 bytes (EIP-170). */
const MAX_ANSWER_BYTES = 24_000;
/** The question as its creation code: 49,152 bytes (EIP-3860), with the program itself and its arguments. */
const MAX_QUESTION_BYTES = 48_000;
const HEAD_BYTES = 21;
const MARK_BYTES = 2;
const FAILED = 0xffff;
const NOT_BEGUN = 0xfffe;
/** Requests that are under way at once, of one question. */
const CONCURRENCY = 3;

const NATIVE: Hex = '0x';

/** Splits reads so that neither question nor answer outgrows what a chain takes in one call. */
const partsOf = (reads: readonly Read[], maxBytes: number): Read[][] => {
  const parts: Read[][] = [];
  let [question, answer] = [0, 0];
  for (const read of reads) {
    const asked = HEAD_BYTES + size(read.data ?? NATIVE);
    const answered = MARK_BYTES + maxBytes;
    let part = parts.at(-1);
    if (part === undefined || question + asked > MAX_QUESTION_BYTES || answer + answered > MAX_ANSWER_BYTES) {
      part = [];
      parts.push(part);
      [question, answer] = [0, 0];
    }
    part.push(read);
    question += asked;
    answer += answered;
  }
  return parts;
};

const encode = (reads: readonly Read[]): Hex =>
  `0x${reads
    .map(({ target, data = NATIVE }) => target.slice(2) + size(data).toString(16).padStart(2, '0') + data.slice(2))
    .join('')}`;

type Answer = Hex | undefined | typeof NOT_BEGUN;

const decode = (answer: Hex | undefined, count: number): Answer[] => {
  const bytes = Buffer.from((answer ?? '0x').slice(2), 'hex');
  const answers: Answer[] = [];
  let at = 1;
  for (let index = 0; index < count; index += 1) {
    // An endpoint that cuts answers, or a chain that runs something else than asked.
    if (at + MARK_BYTES > bytes.length) throw new Error(`the answer ends after ${index} of ${count} reads`);
    const mark = bytes.readUInt16BE(at);
    at += MARK_BYTES;
    if (mark === FAILED) answers.push(undefined);
    else if (mark === NOT_BEGUN) answers.push(NOT_BEGUN);
    else {
      answers.push(`0x${bytes.subarray(at, at + mark).toString('hex')}`);
      at += mark;
    }
  }
  return answers;
};

const readPart = async (
  client: ChainClient,
  reads: readonly Read[],
  maxBytes: number,
): Promise<(Hex | undefined)[]> => {
  const data = encodeDeployData({ abi, bytecode, args: [encode(reads), GAS_EACH, BigInt(maxBytes)] });
  const answers = decode((await client.call({ data })).data, reads.length);
  const rest = reads.filter((_, index) => answers[index] === NOT_BEGUN);
  if (rest.length === reads.length) throw new Error('the endpoint gives a call too little gas for a single read');
  const late = rest.length === 0 ? [] : await readPart(client, rest, maxBytes);
  return answers.map((answer) => (answer === NOT_BEGUN ? late.shift() : answer));
};

/**
 * Reads many contracts at the newest block in as few calls as fit, one for up to 600 balances. It needs no contract on
 * the chain, and no contract that is read can spoil the reading of others: each has 200,000 gas, and an answer that
 * is too long counts as none.
 *
 * @param maxBytes the longest answer that is taken
 * @returns an answer for each read, in order; undefined where the contract refused, said nothing or too much
 * @throws what the client throws when the chain does not answer
 */
export const readBounded = async (
  client: ChainClient,
  reads: readonly Read[],
  maxBytes: number,
): Promise<(Hex | undefined)[]> => {
  const parts = partsOf(reads, maxBytes);
  const answers: (Hex | undefined)[][] = parts.map(() => []);
  const waiting = parts.keys();
  const work = async (): Promise<void> => {
    for (const index of waiting) answers[index] = await readPart(client, parts[index] as Read[], maxBytes);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return answers.flat();
};
