import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { inspect } from 'node:util';

const REDACTED = '[secret]';

/** A value that no log line, error or inspection shows; `reveal()` is the one way to it. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** @returns the value itself, for the place that needs it. */
  reveal(): string {
    return this.#value;
  }

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

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** First byte of everything sealed, so that another scheme can follow without guessing. */
const SEAL_VERSION = 1;

/** Thrown for a sealed value that was altered, belongs to another purpose, or was sealed under another key. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

/**
 * The key that every other key of an installation is derived from (HKDF-SHA-256, RFC 5869), one for each purpose,
 * so that a cursor's HMAC and a sealed signer never share key material.
 */
export class MasterKey {
  readonly #key: Buffer;

  /** @param key 32 bytes. */
  constructor(key: Uint8Array) {
    if (key.length !== KEY_BYTES) throw new RangeError(`a master key has ${KEY_BYTES} bytes, not ${key.length}`);
    this.#key = Buffer.from(key);
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

  /** Whether the bytes look typed rather than drawn: 32 random bytes have fewer than 20 different ones less than once in 10^9. */
  get weak(): boolean {
    return new Set(this.#key).size < 20;
  }

  /** @returns `length` bytes that belong to this purpose alone. */
  derive(purpose: string, length = KEY_BYTES): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#key, Buffer.alloc(0), `castellan/${purpose}`, length));
  }

  /**
   * Encrypts with AES-256-GCM under the purpose's key: version, nonce, tag and ciphertext in one buffer.
   *
   * @param context what the value belongs to (a row's key); opening it for another context fails.
   */
  seal(purpose: string, value: Uint8Array, context = ''): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.derive(`seal/${purpose}`), nonce);
    cipher.setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(value), cipher.final()]);
    return Buffer.concat([Buffer.of(SEAL_VERSION), nonce, cipher.getAuthTag(), body]);
  }

  /** @returns what `seal` was given. @throws SealError when anything differs. */
  open(purpose: string, sealed: Uint8Array, context = ''): Buffer {
    const bytes = Buffer.from(sealed);
    const head = 1 + NONCE_BYTES + TAG_BYTES;
    if (bytes.length < head || bytes[0] !== SEAL_VERSION) throw new SealError('not a sealed value of this version');
    const decipher = createDecipheriv(
      'aes-256-gcm',
      this.derive(`seal/${purpose}`),
      bytes.subarray(1, 1 + NONCE_BYTES),
    );
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(bytes.subarray(1 + NONCE_BYTES, head));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(head)), decipher.final()]);
    } catch {
      throw new SealError('the sealed value does not open: it was altered, or the master key is another one');
    }
  }

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
