import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { inspect } from 'node:util';

const REDACTED = '[secret]';

/** A value that logs, errors and inspection do not show. */
abstract class Redacted {
  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}

/** Only `reveal()` returns the value. */
export class Secret extends Redacted {
  readonly #value: string;

  constructor(value: string) {
    super();
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }
}

const KEY_BYTES = 32;
/** Distinguishes the few keys of an installation. Derived one-way, so it does not expose the key. */
const KEY_ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** First byte of every sealed value, so that a later scheme can be told apart. */
const SEAL_VERSION = 1;

const NONCE_START = 1 + KEY_ID_BYTES;
const TAG_START = NONCE_START + NONCE_BYTES;
const HEAD_BYTES = TAG_START + TAG_BYTES;

/** Position of the key's id in a sealed value, for SQL. */
export const SEALED_KEY_ID = { from: 1, length: KEY_ID_BYTES } as const;

const OTHER_KEY =
  'the value was sealed under another master key: set CASTELLAN_MASTER_KEY, or CASTELLAN_MASTER_KEY_PREVIOUS, to it';

/** The sealed value was altered, belongs to another purpose, or was sealed under another key. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

/**
 * The key from which all keys of an installation are derived (HKDF-SHA-256, RFC 5869), one for each purpose, so that the
 * HMAC of a cursor and a sealed signer never share key material. During a change of the master key it has a previous
 * key, which only opens values sealed under it.
 */
export class MasterKey extends Redacted {
  readonly #key: Buffer;
  readonly #previous: MasterKey | undefined;
  /** Part of every value sealed with this key: 8 bytes. */
  readonly id: Buffer;

  /** @param key 32 bytes. */
  constructor(key: Uint8Array, previous?: MasterKey) {
    super();
    if (key.length !== KEY_BYTES) throw new RangeError(`a master key has ${KEY_BYTES} bytes, not ${key.length}`);
    this.#key = Buffer.from(key);
    this.#previous = previous;
    this.id = this.derive('id', KEY_ID_BYTES);
  }

  /** @returns this key with a previous one, which opens values that it sealed */
  following(previous: MasterKey): MasterKey {
    return new MasterKey(this.#key, previous);
  }

  /** Ids of the keys with which values can be opened, its own first. */
  get ids(): readonly Buffer[] {
    return [this.id, ...(this.#previous?.ids ?? [])];
  }

  /** @returns a new random key as 64 hex digits. */
  static generate(): string {
    return randomBytes(KEY_BYTES).toString('hex');
  }

  /** @returns the key written as 64 hex digits or as base64 (either alphabet) of 32 bytes; undefined for any other text. */
  static parse(text: string): MasterKey | undefined {
    if (/^[0-9a-f]{64}$/i.test(text)) return new MasterKey(Buffer.from(text, 'hex'));
    if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined;
    return new MasterKey(Buffer.from(text, 'base64'));
  }

  /** Whether the bytes look typed instead of random: 32 random bytes have fewer than 20 distinct ones in less than 1 of 10^9 cases. */
  get weak(): boolean {
    return new Set(this.#key).size < 20;
  }

  /** @returns `length` bytes that only this purpose has */
  derive(purpose: string, length = KEY_BYTES): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#key, Buffer.alloc(0), `castellan/${purpose}`, length));
  }

  /** @returns the derived key, and that of the previous master key, to verify what was issued under it */
  deriveAll(purpose: string): readonly Buffer[] {
    return [this.derive(purpose), ...(this.#previous?.deriveAll(purpose) ?? [])];
  }

  /**
   * Encrypts with AES-256-GCM under the purpose's key: version, the key's id, nonce, tag and ciphertext in one buffer.
   *
   * @param context what the value belongs to (a row's key); `open` fails with a different one
   */
  seal(purpose: string, value: Uint8Array, context = ''): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.derive(`seal/${purpose}`), nonce);
    cipher.setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(value), cipher.final()]);
    return Buffer.concat([Buffer.of(SEAL_VERSION), this.id, nonce, cipher.getAuthTag(), body]);
  }

  /**
   * @returns the value in its own memory, so that the caller can wipe it with `fill(0)`
   * @throws SealError if the value was altered, or the key, purpose or context differ
   */
  open(purpose: string, sealed: Uint8Array, context = ''): Buffer {
    const bytes = Buffer.from(sealed);
    if (bytes.length < HEAD_BYTES || bytes[0] !== SEAL_VERSION) {
      throw new SealError('not a sealed value of this version');
    }
    const sealedBy = bytes.subarray(1, NONCE_START);
    if (!sealedBy.equals(this.id)) {
      if (this.#previous) return this.#previous.open(purpose, bytes, context);
      throw new SealError(OTHER_KEY);
    }
    const nonce = bytes.subarray(NONCE_START, TAG_START);
    const decipher = createDecipheriv('aes-256-gcm', this.derive(`seal/${purpose}`), nonce);
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(bytes.subarray(TAG_START, HEAD_BYTES));
    // GCM decrypts everything in `update`, so there is only one copy to wipe.
    const value = decipher.update(bytes.subarray(HEAD_BYTES));
    try {
      decipher.final();
      return value;
    } catch {
      value.fill(0);
      throw new SealError('the sealed value does not open: it was altered, or belongs to something else');
    }
  }
}
