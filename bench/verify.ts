import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { availableParallelism, cpus } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { FarcasterNetwork, Message, MessageData, MessageType, validations } from '@farcaster/core';
import { blake3Hash20 } from '../src/protocol/hash.js';
import { signatureVerifier } from '../src/protocol/signature.js';
import { createVerifyPool, type VerifyPoolOptions } from '../src/protocol/verify/pool.js';
import { encodeEnvelope } from '../src/protocol/wire/envelope.js';
import { readEnvelope } from '../src/protocol/wire/envelope-wire.js';

// How fast messages are verified, and whether the calling thread stays responsive.
// `npx tsx bench/verify.ts [messages, default 40000]`

const count = Number(process.argv[2] ?? 40_000);
const BATCH = 5000;
const SIGNERS = 100;

interface Row {
  readonly name: string;
  readonly messages: number;
  readonly seconds: number;
  /** Processor time of the whole process, which a busy machine does not distort. */
  readonly cpuSeconds: number;
  /** Longest time that the calling thread was blocked, in milliseconds. */
  readonly longestBlock?: number;
}

const makeMessages = (total: number): Uint8Array[] => {
  const keys = Array.from({ length: SIGNERS }, () => generateKeyPairSync('ed25519'));
  return Array.from({ length: total }, (_, index) => {
    const key = keys[index % SIGNERS] as (typeof keys)[number];
    return signMessage(messageData(index), key.privateKey, rawPublicKey(key.publicKey));
  });
};

/** One cast, reaction and follow in turn. */
const messageData = (index: number): MessageData => {
  const head = { fid: 1 + (index % SIGNERS), timestamp: 100_000_000 + index, network: FarcasterNetwork.DEVNET };
  if (index % 3 === 0) {
    const text = `gm, number ${index} of a run of ordinary casts with about as much text as people write 🌱`;
    const castAddBody = { text, type: 0, embeds: [], embedsDeprecated: [], mentions: [5], mentionsPositions: [4] };
    return { ...head, type: MessageType.CAST_ADD, castAddBody };
  }
  if (index % 3 === 1) {
    const targetCastId = { fid: 2, hash: new Uint8Array(20).fill(index) };
    return { ...head, type: MessageType.REACTION_ADD, reactionBody: { type: 1, targetCastId } };
  }
  return { ...head, type: MessageType.LINK_ADD, linkBody: { type: 'follow', targetFid: 1 + index } };
};

const signMessage = (data: MessageData, privateKey: KeyObject, signer: Uint8Array): Uint8Array => {
  const dataBytes = MessageData.encode(data).finish();
  const hash = blake3Hash20(dataBytes);
  const signature = sign(null, hash, privateKey);
  return encodeEnvelope({ dataBytes, dataForm: 'data', hash, hashScheme: 1, signature, signatureScheme: 1, signer });
};

const rawPublicKey = (key: KeyObject): Uint8Array =>
  Buffer.from(key.export({ format: 'jwk' }).x as string, 'base64url');

const measure = async (name: string, messages: number, run: () => Promise<void> | void): Promise<Row> => {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await run();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { name, messages, seconds, cpuSeconds: (user + system) / 1e6 };
};

const measurePool = async (name: string, options: VerifyPoolOptions, messages: readonly Uint8Array[]): Promise<Row> => {
  const pool = createVerifyPool(options);
  await pool.verify(messages.slice(0, 500));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const row = await measure(name, messages.length, async () => {
    for (let start = 0; start < messages.length; start += BATCH) {
      const results = await pool.verify(messages.slice(start, start + BATCH));
      if (results.some((result) => !result.ok)) throw new Error('a good message was refused');
    }
  });
  delay.disable();
  await pool.close();
  return { ...row, longestBlock: delay.max / 1e6 };
};

const verifyRaw = (): void => {
  const verifier = signatureVerifier('libsodium');
  for (const wire of wires) {
    const { hash, signature, signer } = readEnvelope(wire);
    if (!verifier.verify(signature, hash, signer)) throw new Error('a good signature was refused');
  }
};

const verifyWithPackage = async (): Promise<void> => {
  for (const wire of small) {
    const result = await validations.validateMessage(Message.decode(wire));
    if (result.isErr()) throw result.error;
  }
};

const printTable = (all: readonly Row[]): void => {
  const limit = rate(all[0] as Row);
  console.log(`${count} messages, ${availableParallelism()} cores (${cpus()[0]?.model}), Node ${process.version}\n`);
  console.log('| What | messages/s | of the limit | CPU µs/message | longest block, ms |');
  console.log('|---|---|---|---|---|');
  for (const row of all) {
    const cpu = ((row.cpuSeconds * 1e6) / row.messages).toFixed(1);
    const share = `${Math.round((100 * rate(row)) / limit)}%`;
    const cells = [row.name, Math.round(rate(row)), share, cpu, row.longestBlock?.toFixed(1) ?? ''];
    console.log(`| ${cells.join(' | ')} |`);
  }
};

const rate = ({ messages, seconds }: Row): number => messages / seconds;

const wires = makeMessages(count);
const small = wires.slice(0, Math.min(2000, count));
const rows: Row[] = [
  await measure('libsodium alone, calling thread (the limit)', wires.length, verifyRaw),
  await measurePool('one worker, libsodium', { threads: 1 }, wires),
  await measurePool('two workers, libsodium', { threads: 2 }, wires),
  await measurePool('one worker, node:crypto', { threads: 1, backend: 'node:crypto' }, wires.slice(0, count / 2)),
  await measurePool('no worker, libsodium', { threads: 0 }, wires),
  await measure("the package's default, calling thread", small.length, verifyWithPackage),
];
printTable(rows);
