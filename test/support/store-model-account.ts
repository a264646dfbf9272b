import {
  IdRegisterEventType,
  type KeyAddBody,
  type KeyRemoveBody,
  type OnChainEvent,
  SignerEventType,
} from '@farcaster/core';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Who really signed what a message about a key claims. A script knows that, so the model recovers no signatures. */
export interface KeyClaims {
  /** Address that signed for the account, hex; undefined: a key that removes itself. */
  readonly custody: string | undefined;
  /** The account of the app, and the address that signed its request, hex. Only for registrations. */
  readonly app?: { readonly fid: number; readonly custody: string };
}

/** A key that a message registered: `GaslessKeyRecord` (`key_add_store.rs`) with `last_used_at`. */
interface KeyRecord {
  readonly fid: number;
  readonly requestFid: number;
  readonly scopes: readonly number[];
  /** Seconds. */
  readonly ttl: number;
  /** Protocol seconds. */
  lastUsedAt: number;
  /** The message. */
  readonly wire: Uint8Array;
}

/** A message about a key, as the rules see it. */
interface KeyMessage {
  readonly fid: number;
  /** Protocol seconds. */
  readonly ts: number;
  /** Public key that signed the envelope, hex. */
  readonly signer: string;
  readonly claims: KeyClaims;
  readonly wire: Uint8Array;
}

interface Signer {
  isActive: boolean;
  wasAdded: boolean;
}

/** Such messages are not submitted. */
export const ORDER_DEPENDENT = 'depends on the order';

/** Gasless keys note a use only if it is so much later than the noted one (`key_last_used_at_store.rs`), in seconds. */
const USE_THROTTLE_S = 300;

/**
 * Registrations, keys and rented storage of a hub, as plain maps. Chain events must be told in the order of the chain.
 * @source snapchain 0.14.2: `onchain_event_store.rs`, `active_key.rs`, `gasless_key_merge.rs`, `key_nonce_store.rs`,
 *   `key_last_used_at_store.rs`
 */
export class AccountModel {
  readonly #isOrderFree: boolean;
  /** By fid, the addresses that had custody, hex; the last one has it. */
  readonly #custodies = new Map<number, string[]>();
  /** By fid and key. */
  readonly #signers = new Map<string, Signer>();
  readonly #rented = new Map<number, number>();
  /** By key: a key belongs to one account. */
  readonly #keys = new Map<string, KeyRecord>();
  /** By account, the highest nonce that its custody signed. */
  readonly #userNonces = new Map<number, number>();
  /** By the account of an app, the highest nonce with which one of its keys removed itself. */
  readonly #appNonces = new Map<number, number>();

  /** By key, protocol seconds of the latest message about it that custody signed, and that it signed itself. */
  readonly #latest = new Map<string, { readonly custody: number; readonly itself: number }>();

  /** Events that were told, by their place in the chain. */
  readonly #events = new Set<string>();

  /**
   * @param isOrderFree Refuses as `ORDER_DEPENDENT` what nothing but the order puts between registrations: a key that
   *   removes itself has no nonce that can be compared with theirs.
   */
  constructor(isOrderFree: boolean) {
    this.#isOrderFree = isOrderFree;
  }

  /** @returns whether the event is new */
  tell(event: OnChainEvent): boolean {
    const place = `${event.type} ${event.fid} ${event.blockNumber} ${event.logIndex}`;
    if (this.#events.has(place)) return false;
    this.#events.add(place);
    const { fid, idRegisterEventBody: registration, signerEventBody: signer, storageRentEventBody: rent } = event;
    if (registration && registration.eventType !== IdRegisterEventType.CHANGE_RECOVERY)
      this.#custodies.set(fid, [...(this.#custodies.get(fid) ?? []), hex(registration.to)]);
    if (rent) this.#rented.set(fid, this.rented(fid) + rent.units);
    if (signer) this.#tellSigner(`${fid} ${hex(signer.key)}`, signer.eventType);
    return true;
  }

  /** An admin reset points the key at its first ADD again, if there is one (`build_secondary_indices_for_signer`). */
  #tellSigner(place: string, type: SignerEventType): void {
    const signer = this.#signers.get(place) ?? { isActive: false, wasAdded: false };
    if (type === SignerEventType.ADD) this.#signers.set(place, { isActive: true, wasAdded: true });
    if (type === SignerEventType.REMOVE) this.#signers.set(place, { ...signer, isActive: false });
    if (type === SignerEventType.ADMIN_RESET && signer.wasAdded)
      this.#signers.set(place, { isActive: true, wasAdded: true });
  }

  isRegistered(fid: number): boolean {
    return this.#custodies.has(fid);
  }

  /** @returns units rented by the account, without those lent and borrowed */
  rented(fid: number): number {
    return this.#rented.get(fid) ?? 0;
  }

  #isOnchain(fid: number, key: string): boolean {
    return this.#signers.get(`${fid} ${key}`)?.isActive ?? false;
  }

  /**
   * Judges whether a key may sign a message now, and notes the use (`validate_user_message` in `engine.rs`).
   * @param now Protocol seconds.
   * @returns why it may not
   */
  sign(
    { fid, ts, signer }: Pick<KeyMessage, 'fid' | 'ts' | 'signer'>,
    type: number,
    now: number,
  ): string | (() => void) {
    if (this.#isOnchain(fid, signer)) return () => undefined;
    const record = this.#keys.get(signer);
    if (record?.fid !== fid) return 'no such key';
    if (!record.scopes.includes(type)) return 'out of scope';
    if (record.lastUsedAt + record.ttl < now) return 'expired';
    return () => {
      if (ts > record.lastUsedAt + USE_THROTTLE_S) record.lastUsedAt = ts;
    };
  }

  #hasCustody(fid: number, address: string | undefined): boolean {
    return address !== undefined && this.#custodies.get(fid)?.at(-1) === address;
  }

  /** `merge_key_add`. @returns why it is refused, or the messages that it deletes */
  addKey({ fid, ts, claims, wire }: KeyMessage, body: KeyAddBody): string | readonly Uint8Array[] {
    const key = hex(body.key);
    const { custody, app } = claims;
    if (!app || !this.#hasCustody(app.fid, app.custody)) return 'the app did not ask';
    if (!this.#hasCustody(fid, custody)) return 'custody did not sign';
    if (this.#isOnchain(fid, key)) return 'registered onchain';
    const owner = this.#keys.get(key);
    if (owner && owner.fid !== fid) return 'key of another account';
    if (owner && owner.requestFid !== app.fid) return 'key of another app';
    if (body.nonce <= (this.#userNonces.get(fid) ?? 0)) return 'old nonce';
    if (this.#isContradiction(key, ts, 'custody')) return ORDER_DEPENDENT;
    this.#userNonces.set(fid, body.nonce);
    const { scopes, ttl } = body;
    this.#keys.set(key, { fid, requestFid: app.fid, scopes, ttl, lastUsedAt: ts, wire });
    return owner ? [owner.wire] : [];
  }

  /** `merge_key_remove`. @returns why it is refused, or the messages that it deletes */
  removeKey({ fid, ts, signer, claims }: KeyMessage, body: KeyRemoveBody): string | readonly Uint8Array[] {
    const key = hex(body.key);
    const record = this.#keys.get(key);
    if (record?.fid !== fid) return 'not registered';
    const isByCustody = body.signatureType === 1;
    if (isByCustody ? !this.#hasCustody(fid, claims.custody) : signer !== key) return 'not signed';
    const [nonces, owner] = isByCustody ? [this.#userNonces, fid] : [this.#appNonces, record.requestFid];
    if (body.nonce <= (nonces.get(owner) ?? 0)) return 'old nonce';
    if (this.#isContradiction(key, ts, isByCustody ? 'custody' : 'itself')) return ORDER_DEPENDENT;
    nonces.set(owner, body.nonce);
    this.#keys.delete(key);
    return [record.wire];
  }

  /** @returns whether the time of a message that custody or the key itself signed contradicts the order; notes it if not */
  #isContradiction(key: string, ts: number, signedBy: 'custody' | 'itself'): boolean {
    const latest = this.#latest.get(key) ?? { custody: 0, itself: 0 };
    if (this.#isOrderFree && ts <= latest[signedBy === 'custody' ? 'itself' : 'custody']) return true;
    this.#latest.set(key, { ...latest, [signedBy]: Math.max(ts, latest[signedBy]) });
    return false;
  }

  /** @returns the keys that may sign for these accounts, as `fid key`, sorted */
  keysInForce(fids: readonly number[]): string[] {
    const onchain = [...this.#signers].flatMap(([place, { isActive }]) => (isActive ? [place] : []));
    const gasless = [...this.#keys].map(([key, { fid }]) => `${fid} ${key}`);
    return [...new Set([...onchain, ...gasless])].filter((place) => fids.includes(Number.parseInt(place, 10))).sort();
  }
}
