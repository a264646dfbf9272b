import { readFileSync } from 'node:fs';
import { CastType, FarcasterNetwork, MessageData, MessageType } from '@farcaster/core';
import { ed25519 } from '@noble/curves/ed25519';
import { blake3Hash20 } from '../../src/protocol/hash.js';
import { messageFromJson } from '../../src/protocol/hub-json/message-read.js';
import { fromUnixMs } from '../../src/protocol/time.js';
import { encodeEnvelope } from '../../src/protocol/wire/envelope.js';
import type { Envelope } from '../../src/protocol/wire/message.js';

/** The clock of the tests that verify: 2025-06-15T12:00:00Z in Unix milliseconds. */
export const NOW = Date.UTC(2025, 5, 15, 12);
/** The same in the protocol's seconds. */
export const NOW_SECONDS = fromUnixMs(NOW);

/** Private key of the tests' signer. */
export const SECRET = new Uint8Array(32).fill(7);
export const PUBLIC_KEY = ed25519.getPublicKey(SECRET);

/**
 * Signs data bytes, sound or not, with code that the service does not run.
 * @param changes members of the envelope that are set instead of the right ones
 */
export const signBytes = (dataBytes: Uint8Array, changes: Partial<Envelope> = {}, secret = SECRET): Uint8Array => {
  const hash = changes.hash ?? blake3Hash20(dataBytes);
  return encodeEnvelope({
    dataBytes,
    dataForm: 'data',
    hash,
    hashScheme: 1,
    signature: ed25519.sign(hash, secret),
    signatureScheme: 1,
    signer: ed25519.getPublicKey(secret),
    ...changes,
  });
};

/** @returns a cast of fid 1234 with the given members, everything else as an ordinary cast has it */
export const castData = (changes: Partial<MessageData> = {}): MessageData => ({
  type: MessageType.CAST_ADD,
  fid: 1234,
  timestamp: NOW_SECONDS,
  network: FarcasterNetwork.MAINNET,
  castAddBody: {
    text: 'gm',
    type: CastType.CAST,
    embeds: [],
    embedsDeprecated: [],
    mentions: [],
    mentionsPositions: [],
  },
  ...changes,
});

/** @returns a message of another kind: `castData` with its type and the member of its body exchanged */
export const bodyData = (type: number, body: Partial<MessageData>): MessageData =>
  castData({ type, castAddBody: undefined, ...body });

/** @returns wire bytes of a signed message */
export const sign = (data: MessageData, changes: Partial<Envelope> = {}): Uint8Array =>
  signBytes(MessageData.encode(data).finish(), changes);

const MAINNET_FILE = new URL('../../../shared/data/mainnet-2024-04.ndjson', import.meta.url);

/** @returns wire bytes of real messages, or none where the file is not beside the project */
export const mainnetWires = (): Uint8Array[] => {
  let lines: string;
  try {
    lines = readFileSync(MAINNET_FILE, 'utf8');
  } catch {
    return [];
  }
  return lines
    .trim()
    .split('\n')
    .map((line) => messageFromJson(JSON.parse(line)));
};
