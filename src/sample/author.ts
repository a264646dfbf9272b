import {
  CastType,
  FarcasterNetwork,
  type MessageData,
  MessageType,
  type OnChainEvent,
  ReactionType,
  StorageUnitType,
  type UserDataType,
  UserNameType,
} from '@farcaster/core';
import type { IngestItem } from '../ingest/item.js';
import type { Envelope } from '../protocol/wire/message.js';
import { castText, type TextPart } from './cast-text.js';
import { type Clock, createClock, DAY, sampleTime } from './clock.js';
import { type SignerKey, signerKey, type Wallet, wallet } from './key.js';
import {
  type BlockPosition,
  proEvent,
  registerEvent,
  rentEvent,
  signerEvent,
  transferEvent,
  unixSeconds,
} from './onchain.js';
import { derive } from './random.js';
import { type Signed, signed } from './signed-message.js';
import {
  type AddressClaim,
  contractVerification,
  ethereumVerification,
  type KeyRequester,
  nameServer,
  signedKeyRequest,
  solanaVerification,
  usernameProof,
} from './verification-claim.js';

/** Seed of all keys of the sample network, which are therefore public. */
export const SAMPLE_SEED = 'castellan';

export type ReactionTypeName = 'like' | 'recast';

/** Refers to a cast; every signed message does. */
export interface CastRef {
  readonly fid: number;
  readonly hash: Uint8Array;
}

export interface AuthorOptions {
  /** Determines all keys. */
  readonly seed: string;
  readonly fid: number;
  /** Timestamps of messages without `at`; share one to order the messages of several authors. */
  readonly clock?: Clock;
  /** DEVNET by default, so that no sample message is valid on the public network. */
  readonly network?: FarcasterNetwork;
  /** The member of `Message` that contains the data: `data_bytes` by default, as in current clients. */
  readonly dataForm?: Envelope['dataForm'];
}

export interface SignerOptions {
  readonly requester?: KeyRequester;
  readonly at?: number;
}

export interface CastOptions {
  /** A number among the parts is the fid mentioned there: `['gm ', 3, '!']`. */
  readonly text: string | readonly TextPart[];
  /** URLs and quoted casts. */
  readonly embeds?: readonly (string | CastRef)[];
  /** The cast replied to, or the URL of a channel or page. */
  readonly parent?: CastRef | string;
  readonly at?: number;
}

/** @returns an account whose keys are derived from seed and fid, with all messages that it can sign */
export const author = (options: AuthorOptions): Author => {
  const clock = options.clock ?? createClock(sampleTime() - DAY);
  return new Author({ ...options, clock, events: { count: 0 } }, 0);
};

/** `events` numbers the onchain events of the fid, over all its keys. */
type KeyedOptions = AuthorOptions & { readonly clock: Clock; readonly events: { count: number } };

/**
 * An account with all messages that it can sign. `at` in all methods: protocol seconds, by default the next second of
 * the clock. A class, because a generated network has tens of thousands of these.
 */
export class Author {
  readonly #options: KeyedOptions;
  readonly #key: SignerKey;
  readonly #wallets: Wallet[] = [];

  constructor(options: KeyedOptions, keyIndex: number) {
    this.#options = options;
    this.#key = signerKey(derive(options.seed, 'signer', options.fid, keyIndex));
  }

  get fid(): number {
    return this.#options.fid;
  }
  /** Ed25519 public key, 32 bytes */
  get signer(): Uint8Array {
    return this.#key.publicKey;
  }
  get custody(): Wallet {
    return this.wallet(0);
  }

  /** @returns another author of the same fid that signs with another key */
  withKey(index: number): Author {
    return new Author(this.#options, index);
  }
  /** @returns wallet `index` of this account; 0 is custody */
  wallet(index: number): Wallet {
    this.#wallets[index] ??= wallet(derive(this.#options.seed, 'wallet', this.fid, index));
    return this.#wallets[index];
  }
  solanaKey(index: number): SignerKey {
    return signerKey(derive(this.#options.seed, 'solana', this.fid, index));
  }

  cast(cast: CastOptions): Signed {
    return this.#make(MessageType.CAST_ADD, cast.at, { castAddBody: castBody(cast) });
  }
  removeCast(targetHash: Uint8Array, at?: number): Signed {
    return this.#make(MessageType.CAST_REMOVE, at, { castRemoveBody: { targetHash } });
  }
  /** `target` is a cast or a URL. */
  react(type: ReactionTypeName, target: CastRef | string, at?: number): Signed {
    return this.#make(MessageType.REACTION_ADD, at, { reactionBody: reactionBody(type, target) });
  }
  unreact(type: ReactionTypeName, target: CastRef | string, at?: number): Signed {
    return this.#make(MessageType.REACTION_REMOVE, at, { reactionBody: reactionBody(type, target) });
  }
  follow(fid: number, at?: number): Signed {
    return this.link('follow', fid, at);
  }
  unfollow(fid: number, at?: number): Signed {
    return this.unlink('follow', fid, at);
  }
  link(type: string, targetFid: number, at?: number): Signed {
    return this.#make(MessageType.LINK_ADD, at, { linkBody: { type, targetFid } });
  }
  unlink(type: string, targetFid: number, at?: number): Signed {
    return this.#make(MessageType.LINK_REMOVE, at, { linkBody: { type, targetFid } });
  }
  /** Replaces all older links of the type. */
  compactLinks(type: string, fids: readonly number[], at?: number): Signed {
    return this.#make(MessageType.LINK_COMPACT_STATE, at, { linkCompactStateBody: { type, targetFids: [...fids] } });
  }
  userData(type: UserDataType, value: string, at?: number): Signed {
    return this.#make(MessageType.USER_DATA_ADD, at, { userDataBody: { type, value } });
  }
  async verifyEthereum(owner: Wallet, at?: number): Promise<Signed> {
    const verificationAddAddressBody = await ethereumVerification(this.#claim(), owner);
    return this.#make(MessageType.VERIFICATION_ADD_ETH_ADDRESS, at, { verificationAddAddressBody });
  }
  /** A contract at `address` on a chain. Its signature is empty: only the chain could verify it. */
  verifyContract(address: Uint8Array, chainId: number, at?: number): Signed {
    const verificationAddAddressBody = contractVerification(this.#claim(), address, chainId);
    return this.#make(MessageType.VERIFICATION_ADD_ETH_ADDRESS, at, { verificationAddAddressBody });
  }
  verifySolana(owner: SignerKey, at?: number): Signed {
    const verificationAddAddressBody = solanaVerification(this.#claim(), owner);
    return this.#make(MessageType.VERIFICATION_ADD_ETH_ADDRESS, at, { verificationAddAddressBody });
  }
  removeVerification(protocol: number, address: Uint8Array, at?: number): Signed {
    return this.#make(MessageType.VERIFICATION_REMOVE, at, { verificationRemoveBody: { protocol, address } });
  }
  /**
   * A claim of an ENS name for an account (by default this one), signed by `owner` (by default custody); `*.base.eth` has
   * its own type.
   */
  async ensProof(
    name: string,
    { owner = this.custody, fid = this.fid, at }: { owner?: Wallet; fid?: number; at?: number } = {},
  ): Promise<Signed> {
    const time = this.#when(at);
    const type = name.endsWith('.base.eth') ? UserNameType.USERNAME_TYPE_BASENAME : UserNameType.USERNAME_TYPE_ENS_L1;
    const claim = { fid, name, timestamp: unixSeconds(time), owner: owner.address, type };
    return this.#make(MessageType.USERNAME_PROOF, time, { usernameProofBody: await usernameProof(claim, owner) });
  }
  lendStorage(toFid: number, numUnits: number, at?: number): Signed {
    const unitType = StorageUnitType.UNIT_TYPE_2025;
    return this.#make(MessageType.LEND_STORAGE, at, { lendStorageBody: { toFid, numUnits, unitType } });
  }

  /** @returns the proof of a username, signed by the seed's name server */
  async fnameProof(name: string, at?: number): Promise<IngestItem> {
    const { fid, custody } = this;
    const type = UserNameType.USERNAME_TYPE_FNAME;
    const claim = { fid, name, timestamp: unixSeconds(this.#when(at)), owner: custody.address, type };
    return { kind: 'proof', proof: await usernameProof(claim, nameServer(this.#options.seed)) };
  }
  register(at?: number): IngestItem {
    const recovery = derive(this.#options.seed, 'recovery').slice(0, 20);
    return onchain(registerEvent(this.#place(at), this.custody.address, recovery));
  }
  /** Moves the fid to wallet `index`. */
  transfer(index: number, at?: number): IngestItem {
    return onchain(transferEvent(this.#place(at), this.custody.address, this.wallet(index).address));
  }
  /** Registers this author's key, requested by `requester` (by default the account itself). */
  async addSigner({
    requester = { fid: this.fid, wallet: this.custody },
    at,
  }: SignerOptions = {}): Promise<IngestItem> {
    const place = this.#place(at);
    const metadata = await signedKeyRequest(this.signer, requester, unixSeconds(place.at) + DAY);
    return onchain(signerEvent(place, this.signer, metadata));
  }
  removeSigner(at?: number): IngestItem {
    return onchain(signerEvent(this.#place(at), this.signer));
  }
  rent(units: number, at?: number): IngestItem {
    return onchain(rentEvent(this.#place(at), this.custody.address, units));
  }
  buyPro(days: number, at?: number): IngestItem {
    return onchain(proEvent(this.#place(at), this.custody.address, days));
  }

  #when(at: number | undefined): number {
    return at ?? this.#options.clock.tick();
  }
  #make(type: MessageType, at: number | undefined, body: Partial<MessageData>): Signed {
    const { fid, network = FarcasterNetwork.DEVNET, dataForm } = this.#options;
    return signed({ type, fid, timestamp: this.#when(at), network, ...body }, this.#key, dataForm);
  }
  #claim(): AddressClaim {
    const { seed, fid, network = FarcasterNetwork.DEVNET } = this.#options;
    return { fid, network, blockHash: derive(seed, 'claim block', fid) };
  }
  #place(at: number | undefined): BlockPosition {
    const { seed, fid, events } = this.#options;
    return { seed, fid, at: this.#when(at), logIndex: events.count++ };
  }
}

const onchain = (event: OnChainEvent): IngestItem => ({ kind: 'onchain', event });

const castBody = (cast: CastOptions) => {
  const text = castText(typeof cast.text === 'string' ? [cast.text] : cast.text);
  const bytes = Buffer.byteLength(text.text);
  const type = bytes > 1024 ? CastType.TEN_K_CAST : bytes > 320 ? CastType.LONG_CAST : CastType.CAST;
  const parent = cast.parent;
  return {
    ...text,
    type,
    embedsDeprecated: [],
    embeds: (cast.embeds ?? []).map((embed) =>
      typeof embed === 'string' ? { url: embed } : { castId: castId(embed) },
    ),
    parentUrl: typeof parent === 'string' ? parent : undefined,
    parentCastId: typeof parent === 'object' ? castId(parent) : undefined,
  };
};

const reactionBody = (type: ReactionTypeName, target: CastRef | string) => ({
  type: type === 'like' ? ReactionType.LIKE : ReactionType.RECAST,
  targetUrl: typeof target === 'string' ? target : undefined,
  targetCastId: typeof target === 'object' ? castId(target) : undefined,
});

const castId = ({ fid, hash }: CastRef) => ({ fid, hash });
