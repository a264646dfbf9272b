import { checkCanonical } from '../wire/canonical.js';
import { type BodyContext, checkBody } from '../check/body.js';
import { readEnvelope } from '../wire/envelope-wire.js';
import { blake3Hash20 } from '../hash.js';
import {
  ED25519_KEY_BYTES,
  ED25519_SIGNATURE_BYTES,
  MAX_CLOCK_SKEW_SECONDS,
  MAX_COMPACT_STATE_DATA_BYTES,
  MAX_MESSAGE_BYTES,
} from '../limit.js';
import type { Envelope } from '../wire/message.js';
import { type MessageHead, readMessageHead } from '../wire/message-data.js';
import { NETWORK_NAMES, networkName } from '../network-name.js';
import { type SignatureBackend, type SignatureVerifier, signatureVerifier } from '../signature.js';
import { fromUnixMs } from '../time.js';
import { Refusal, type Verdict } from '../verification-result.js';
import { WireError } from '../wire/wire.js';

export interface VerifyOptions {
  /** Unix milliseconds. */
  readonly now: number;
  /**
   * `FarcasterNetwork` number of this service. As on hubs, mainnet (1) takes its own messages alone and the others
   * take every network's; so does a service without one.
   */
  readonly network?: number | undefined;
  /**
   * Claims that only a chain can prove: addresses of contract wallets, owners of ENS names and Basenames. Hubs check
   * them when a message is submitted and never again, so `accept` (the default) is right for what a hub sent.
   */
  readonly chainClaims?: 'accept' | 'refuse' | undefined;
  /**
   * The message is submitted now, not replayed, so the rules are those of the network's engine of today: storage may not
   * be lent with a date of the past, `data` must be in the form that a hub encodes, and kinds that the engine does not
   * take are refused, as far as the engine itself refuses them before it looks at its state.
   */
  readonly isSubmission?: boolean | undefined;
  /** Which Ed25519 code runs; by default the quickest that is there. */
  readonly backend?: SignatureBackend | undefined;
}

const HASH_SCHEME_BLAKE3 = 1;
const SIGNATURE_SCHEME_ED25519 = 1;
const NETWORK_MAINNET = 1;
const MESSAGE_TYPE_LEND_STORAGE = 15;

const OK: Verdict = { ok: true };

/**
 * Checks one signed message as a hub does (snapchain `validate_message`), from its wire bytes alone: form, hash,
 * signature, limits, and the signatures inside its body. Whether the signer may sign for the fid, and what else
 * needs stored state, is not looked at. A kind that nobody knows passes if its envelope holds.
 * Never throws.
 */
export function verifyWire(wire: Uint8Array, options: VerifyOptions): Verdict {
  try {
    check(wire, options);
    return OK;
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, reason: error.reason, detail: error.message };
    if (error instanceof WireError) return { ok: false, reason: 'parse_failure', detail: error.message };
    return { ok: false, reason: 'internal', detail: error instanceof Error ? error.message : String(error) };
  }
}

/** Cheap checks first; the hash before the body, so that damaged bytes are told from a broken rule. */
function check(wire: Uint8Array, options: VerifyOptions): void {
  if (wire.length > MAX_MESSAGE_BYTES) {
    throw new Refusal('too_large', `a message has at most ${MAX_MESSAGE_BYTES} bytes, this one ${wire.length}`);
  }
  const envelope = readEnvelope(wire);
  checkHash(envelope);
  checkSignatureForm(envelope);
  const head = readMessageHead(envelope.dataBytes);
  checkHead(head, options);
  const verifier = signatureVerifier(options.backend);
  const context: BodyContext = {
    head,
    signer: envelope.signer,
    verifier,
    chainClaims: options.chainClaims ?? 'accept',
    isSubmission: options.isSubmission ?? false,
  };
  const checkClaims = checkBody(context, envelope.dataBytes.length);
  checkForm(envelope, options);
  checkSignature(envelope, verifier);
  checkClaims?.();
}

function checkHash({ dataBytes, hash, hashScheme }: Envelope): void {
  if (dataBytes.length > MAX_COMPACT_STATE_DATA_BYTES) {
    throw new Refusal('too_large', `data has at most ${MAX_COMPACT_STATE_DATA_BYTES} bytes, this ${dataBytes.length}`);
  }
  if (hashScheme !== HASH_SCHEME_BLAKE3) {
    throw new Refusal('unsupported_hash_scheme', `hashScheme must be 1 (BLAKE3), is ${hashScheme}`);
  }
  if (Buffer.compare(blake3Hash20(dataBytes), hash) !== 0) {
    throw new Refusal('bad_hash', 'hash is not the first 20 bytes of the BLAKE3 hash of the data bytes');
  }
}

/** Data that do not travel as `data_bytes` are encoded anew by whoever checks their hash, and must come out the same. */
function checkForm({ dataBytes, dataForm }: Envelope, { isSubmission }: VerifyOptions): void {
  if (dataForm === 'data_bytes') return;
  try {
    checkCanonical(dataBytes, isSubmission ? 'hub' : 'any');
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new Refusal(
      'not_canonical',
      `hubs encode data anew and get another hash, because ${error.message}; send the bytes as data_bytes`,
    );
  }
}

/** EIP-712 signed the messages that added signers; since keys are onchain, hubs take Ed25519 alone. */
function checkSignatureForm({ signature, signatureScheme, signer }: Envelope): void {
  if (signatureScheme !== SIGNATURE_SCHEME_ED25519) {
    throw new Refusal('unsupported_signature_scheme', `signatureScheme must be 1 (Ed25519), is ${signatureScheme}`);
  }
  if (signer.length !== ED25519_KEY_BYTES) {
    throw new Refusal('bad_signer', `signer must have ${ED25519_KEY_BYTES} bytes, has ${signer.length}`);
  }
  if (signature.length !== ED25519_SIGNATURE_BYTES) {
    throw new Refusal('bad_signature', `signature must have ${ED25519_SIGNATURE_BYTES} bytes, has ${signature.length}`);
  }
}

function checkHead({ fid, network, timestamp, type }: MessageHead, options: VerifyOptions): void {
  if (fid === 0) throw new Refusal('bad_fid', 'fid is missing');
  if (!(network in NETWORK_NAMES)) {
    throw new Refusal(
      'bad_network',
      `${network} is no network: ${Object.keys(NETWORK_NAMES).map(Number).map(networkName).join(', ')}`,
    );
  }
  if (options.network === NETWORK_MAINNET && network !== NETWORK_MAINNET) {
    throw new Refusal(
      'bad_network',
      `the message is for network ${networkName(network)}, this service takes network ${networkName(NETWORK_MAINNET)}: HUB_NETWORK names it`,
    );
  }
  const ahead = timestamp - fromUnixMs(options.now);
  if (ahead > MAX_CLOCK_SKEW_SECONDS) {
    throw new Refusal(
      'future_timestamp',
      `timestamp is ${ahead} s ahead, at most ${MAX_CLOCK_SKEW_SECONDS} are allowed`,
    );
  }
  if (options.isSubmission && type === MESSAGE_TYPE_LEND_STORAGE && -ahead > MAX_CLOCK_SKEW_SECONDS) {
    throw new Refusal('stale_timestamp', `storage is lent at most ${MAX_CLOCK_SKEW_SECONDS} s after the timestamp`);
  }
}

function checkSignature({ hash, signature, signer }: Envelope, verifier: SignatureVerifier): void {
  if (verifier.verify(signature, hash, signer)) return;
  throw new Refusal('bad_signature', 'signature is not by signer over hash, or not in strict Ed25519 form');
}
