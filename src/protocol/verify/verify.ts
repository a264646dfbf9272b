import { equalBytes } from '../../bytes.js';
import { type BodyContext, checkBody } from '../check/body.js';
import { blake3Hash20 } from '../hash.js';
import {
  ED25519_KEY_BYTES,
  ED25519_SIGNATURE_BYTES,
  MAX_CLOCK_SKEW_SECONDS,
  MAX_COMPACT_STATE_DATA_BYTES,
  MAX_MESSAGE_BYTES,
} from '../limit.js';
import { NETWORK_NAMES, networkName } from '../network-name.js';
import { type SignatureBackend, type SignatureVerifier, signatureVerifier } from '../signature.js';
import { fromUnixMs, LATEST_TIME } from '../time.js';
import { Rejection, type VerificationResult } from '../verification-result.js';
import { checkCanonical } from '../wire/canonical.js';
import { readEnvelope } from '../wire/envelope-wire.js';
import type { Envelope } from '../wire/message.js';
import { type MessageHead, readMessageHead } from '../wire/message-data.js';
import { WireError } from '../wire/wire.js';

export interface VerifyOptions {
  /** Unix milliseconds. */
  readonly now: number;
  /**
   * `FarcasterNetwork` number of this service. As on hubs, mainnet (1) accepts only its own messages; other networks,
   * and undefined, accept those of every network.
   */
  readonly network?: number | undefined;
  /**
   * Claims that only a chain can prove: addresses of contract wallets, owners of ENS names and Basenames. Hubs check
   * them once, at submission, so `accept` (the default) is right for messages of a hub.
   */
  readonly chainClaims?: 'accept' | 'refuse' | undefined;
  /**
   * Messages dated more than 600 s ahead of `now`. Hubs check that once, at submission, by their own clock, so `accept`
   * is right for messages of a hub: this machine's clock may be behind. `refuse` is the default.
   */
  readonly futureTimestamps?: 'accept' | 'refuse' | undefined;
  /**
   * The message is submitted now, not replayed, so the rules of the network's current engine apply: storage cannot be
   * lent with a past date, `data` must be encoded as hubs encode it, and message types that the engine rejects without
   * looking at its state are rejected.
   */
  readonly isSubmission?: boolean | undefined;
  /** The Ed25519 implementation; by default the fastest available. */
  readonly backend?: SignatureBackend | undefined;
}

const HASH_SCHEME_BLAKE3 = 1;
const SIGNATURE_SCHEME_ED25519 = 1;
const NETWORK_MAINNET = 1;
const MESSAGE_TYPE_LEND_STORAGE = 15;

const OK: VerificationResult = { ok: true };

/**
 * Verifies one signed message as hubs do (snapchain `validate_message`), from its wire bytes alone: form, hash,
 * signature, limits, and the signatures in its body. It does not check what needs stored state, such as whether the
 * signer may sign for the fid. A message of an unknown type is valid if its envelope is. Never throws.
 */
export const verifyWire = (wire: Uint8Array, options: VerifyOptions): VerificationResult => {
  try {
    check(wire, options);
    return OK;
  } catch (error) {
    if (error instanceof Rejection) return { ok: false, reason: error.reason, detail: error.message };
    if (error instanceof WireError) return { ok: false, reason: 'parse_failure', detail: error.message };
    return { ok: false, reason: 'internal', detail: error instanceof Error ? error.message : String(error) };
  }
};

/** Cheap checks come first. The hash is checked before the body, to distinguish damaged bytes from a broken rule. */
const check = (wire: Uint8Array, options: VerifyOptions): void => {
  if (wire.length > MAX_MESSAGE_BYTES) {
    throw new Rejection('too_large', `a message has at most ${MAX_MESSAGE_BYTES} bytes, this one ${wire.length}`);
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
  checkEncoding(envelope, options);
  checkSignature(envelope, verifier);
  checkClaims?.();
};

const checkHash = ({ dataBytes, hash, hashScheme }: Envelope): void => {
  if (dataBytes.length > MAX_COMPACT_STATE_DATA_BYTES) {
    throw new Rejection(
      'too_large',
      `data has at most ${MAX_COMPACT_STATE_DATA_BYTES} bytes, this ${dataBytes.length}`,
    );
  }
  if (hashScheme !== HASH_SCHEME_BLAKE3) {
    throw new Rejection('unsupported_hash_scheme', `hashScheme must be 1 (BLAKE3), is ${hashScheme}`);
  }
  if (!equalBytes(blake3Hash20(dataBytes), hash)) {
    throw new Rejection('bad_hash', 'hash is not the first 20 bytes of the BLAKE3 hash of the data bytes');
  }
};

/** Data outside of `data_bytes` are encoded again to check their hash, which must return the same bytes. */
const checkEncoding = ({ dataBytes, dataForm }: Envelope, { isSubmission }: VerifyOptions): void => {
  if (dataForm === 'data_bytes') return;
  try {
    checkCanonical(dataBytes, isSubmission ? 'hub' : 'any');
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new Rejection(
      'not_canonical',
      `hubs encode data anew and get another hash, because ${error.message}; send the bytes as data_bytes`,
    );
  }
};

/** EIP-712 signed the messages that added signers. Since keys are onchain, hubs accept only Ed25519. */
const checkSignatureForm = ({ signature, signatureScheme, signer }: Envelope): void => {
  if (signatureScheme !== SIGNATURE_SCHEME_ED25519) {
    throw new Rejection('unsupported_signature_scheme', `signatureScheme must be 1 (Ed25519), is ${signatureScheme}`);
  }
  if (signer.length !== ED25519_KEY_BYTES) {
    throw new Rejection('bad_signer', `signer must have ${ED25519_KEY_BYTES} bytes, has ${signer.length}`);
  }
  if (signature.length !== ED25519_SIGNATURE_BYTES) {
    throw new Rejection(
      'bad_signature',
      `signature must have ${ED25519_SIGNATURE_BYTES} bytes, has ${signature.length}`,
    );
  }
};

const checkHead = ({ fid, network, timestamp, type }: MessageHead, options: VerifyOptions): void => {
  if (fid === 0) throw new Rejection('bad_fid', 'fid is missing');
  if (!(network in NETWORK_NAMES)) {
    throw new Rejection(
      'bad_network',
      `${network} is no network: ${Object.keys(NETWORK_NAMES).map(Number).map(networkName).join(', ')}`,
    );
  }
  if (options.network === NETWORK_MAINNET && network !== NETWORK_MAINNET) {
    throw new Rejection(
      'bad_network',
      `the message is for network ${networkName(network)}, this service takes network ${networkName(NETWORK_MAINNET)}: CASTELLAN_HUB_NETWORK names it`,
    );
  }
  const ahead = timestamp - fromUnixMs(options.now);
  if (timestamp > LATEST_TIME || (ahead > MAX_CLOCK_SKEW_SECONDS && options.futureTimestamps !== 'accept')) {
    throw new Rejection(
      'future_timestamp',
      `timestamp is ${ahead} s ahead, at most ${MAX_CLOCK_SKEW_SECONDS} are allowed`,
    );
  }
  if (options.isSubmission && type === MESSAGE_TYPE_LEND_STORAGE && -ahead > MAX_CLOCK_SKEW_SECONDS) {
    throw new Rejection('stale_timestamp', `storage is lent at most ${MAX_CLOCK_SKEW_SECONDS} s after the timestamp`);
  }
};

const checkSignature = ({ hash, signature, signer }: Envelope, verifier: SignatureVerifier): void => {
  if (verifier.verify(signature, hash, signer)) return;
  throw new Rejection('bad_signature', 'signature is not by signer over hash, or not in strict Ed25519 form');
};
