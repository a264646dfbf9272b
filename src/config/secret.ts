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
/** Enough to tell the few keys of an installation apart; says nothing of the key itself. */
const KEY_ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** First byte of everything sealed, so that another scheme can follow without guessing. */
const SEAL_VERSION = 1;

const NONCE_START = 1 + KEY_ID_BYTES;
const TAG_START = NONCE_START + NONCE_BYTES;
const HEAD_BYTES = TAG_START + TAG_BYTES;

/** Where the id of the key stands in a sealed value, for SQL that looks for it. */
export const SEALED_KEY_ID = { from: 1, length: KEY_ID_BYTES } as const;

const OTHER_KEY =
  'the value was sealed under another master key: set CASTELLAN_MASTER_KEY, or CASTELLAN_MASTER_KEY_PREVIOUS, to it';

/** Thrown for a sealed value that was altered, belongs to another purpose, or was sealed under another key. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

/**
 * The key that every other key of an installation is derived from (HKDF-SHA-256, RFC 5869), one for each purpose,
 * so that a cursor's HMAC and a sealed signer never share key material. While the key is being changed, it knows the
 * previous one too: that opens what was sealed under it, and seals nothing.
 */
export class MasterKey {
  readonly #key: Buffer;
  readonly #previous: MasterKey | undefined;
  /** Stands in everything that this key sealed: 8 bytes. */
  readonly id: Buffer;

  /** @param key 32 bytes. */
  constructor(key: Uint8Array, previous?: MasterKey) {
    if (key.length !== KEY_BYTES) throw new RangeError(`a master key has ${KEY_BYTES} bytes, not ${key.length}`);
    this.#key = Buffer.from(key);
    this.#previous = previous;
    this.id = this.derive('id', KEY_ID_BYTES);
  }

  /** @returns this key, with another one that opens what it sealed. */
  following(previous: MasterKey): MasterKey {
    return new MasterKey(this.#key, previous);
  }

  /** Ids of the keys whose seals open here, its own first. */
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

  /** Whether the bytes look typed rather than drawn: 32 random bytes have fewer than 20 different ones less than once in 10^9. */
  get weak(): boolean {
    return new Set(this.#key).size < 20;
  }

  /** @returns `length` bytes that belong to this purpose alone. */
  derive(purpose: string, length = KEY_BYTES): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#key, Buffer.alloc(0), `castellan/${purpose}`, length));
  }

  /** @returns what `derive` gives, and what it gave under the previous key: to check what was handed out before. */
  deriveAll(purpose: string): readonly Buffer[] {
    return [this.derive(purpose), ...(this.#previous?.deriveAll(purpose) ?? [])];
  }

  /**
   * Encrypts with AES-256-GCM under the purpose's key: version, the key's id, nonce, tag and ciphertext in one buffer.
   *
   * @param context what the value belongs to (a row's key); opening it for another context fails.
   */
  seal(purpose: string, value: Uint8Array, context = ''): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.derive(`seal/${purpose}`), nonce);
    cipher.setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(value), cipher.final()]);
    return Buffer.concat([Buffer.of(SEAL_VERSION), this.id, nonce, cipher.getAuthTag(), body]);
  }

  /**
   * @returns what `seal` was given, in memory of its own: who has it wipes it with `fill(0)`.
   * @throws SealError when anything differs.
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
    // GCM gives everything at once, so that there is one copy to wipe.
    const value = decipher.update(bytes.subarray(HEAD_BYTES));
    try {
      decipher.final();
      return value;
    } catch {
      value.fill(0);
      throw new SealError('the sealed value does not open: it was altered, or belongs to something else');
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
