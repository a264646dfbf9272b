import {
  CastType,
  FarcasterNetwork,
  type MessageData,
  MessageType,
  ReactionType,
  type UserDataType,
  UserNameType,
} from '@farcaster/core';
import type { IngestItem } from '../ingest/item.js';
import type { Envelope } from '../protocol/message.js';
import { castText, type TextPart } from './cast-text.js';
import {
  ethereumVerification,
  type KeyRequester,
  nameServer,
  signedKeyRequest,
  solanaVerification,
  usernameProof,
} from './claim.js';
import { type Clock, createClock, sampleTime } from './clock.js';
import { type SignerKey, signerKey, type Wallet, wallet } from './key.js';
import {
  type EventPlace,
  proEvent,
  registerEvent,
  rentEvent,
  signerEvent,
  transferEvent,
  unixSeconds,
} from './onchain.js';
import { derive } from './random.js';
import { type Signed, signed } from './signed.js';

/** Names a cast; every signed message does. */
export interface CastRef {
  readonly fid: number;
  readonly hash: Uint8Array;
}

export interface AuthorOptions {
  /** Decides all keys. */
  readonly seed: string;
  readonly fid: number;
  /** Gives the time of messages without `at`; share one to order the messages of several authors. */
  readonly clock?: Clock;
  /** DEVNET when absent, so that no message of a sample can ever count on the public network. */
  readonly network?: FarcasterNetwork;
  /** The member of `Message` that carries the data: older clients write `data`, newer ones `data_bytes`. */
  readonly dataForm?: Envelope['dataForm'];
}

/** `at` in all methods: protocol seconds, the next second of the clock when absent. */
export interface Author {
  readonly fid: number;
  /** Ed25519 public key, 32 bytes */
  readonly signer: Uint8Array;
  readonly custody: Wallet;
  /** @returns another author of the same fid that signs with another key */
  withKey(index: number): Author;
  /** @returns wallet `index` of this account; 0 is custody */
  wallet(index: number): Wallet;
  solanaKey(index: number): SignerKey;

  cast(options: CastOptions): Signed;
  removeCast(target: Uint8Array, at?: number): Signed;
  /** `target` is a cast or a URL. */
  react(type: 'like' | 'recast', target: CastRef | string, at?: number): Signed;
  unreact(type: 'like' | 'recast', target: CastRef | string, at?: number): Signed;
  follow(fid: number, at?: number): Signed;
  unfollow(fid: number, at?: number): Signed;
  link(type: string, fid: number, at?: number): Signed;
  unlink(type: string, fid: number, at?: number): Signed;
  /** Replaces all older links of the type. */
  compactLinks(type: string, fids: readonly number[], at?: number): Signed;
  userData(type: UserDataType, value: string, at?: number): Signed;
  verifyEthereum(owner: Wallet, at?: number): Promise<Signed>;
  verifySolana(owner: SignerKey, at?: number): Signed;
  removeVerification(protocol: number, address: Uint8Array, at?: number): Signed;
  /** A claim of an ENS name, signed by `owner` (custody when absent); `*.base.eth` gives the type for those. */
  ensProof(name: string, options?: { owner?: Wallet; at?: number }): Promise<Signed>;
  lendStorage(toFid: number, units: number, at?: number): Signed;

  /** @returns the proof of a username, signed by the seed's name server */
  fnameProof(name: string, at?: number): Promise<IngestItem>;
  register(at?: number): IngestItem;
  /** Moves the fid to wallet `index`. */
  transfer(index: number, at?: number): IngestItem;
  /** Registers this author's key, asked for by `requester` (the account itself when absent). */
  addSigner(options?: { requester?: KeyRequester; at?: number }): Promise<IngestItem>;
  removeSigner(at?: number): IngestItem;
  rent(units: number, at?: number): IngestItem;
  buyPro(days: number, at?: number): IngestItem;
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

/** @returns an account whose keys follow from seed and fid, with everything that it can sign */
export function author(options: AuthorOptions): Author {
  const clock = options.clock ?? createClock(sampleTime() - 86_400);
  return keyedAuthor({ ...options, clock, events: { count: 0 } }, 0);
}

/** `events` numbers the onchain events of the fid, whichever of its keys they are about. */
type KeyedOptions = AuthorOptions & { clock: Clock; events: { count: number } };

function keyedAuthor(options: KeyedOptions, keyIndex: number): Author {
  const { seed, fid, clock, events, network = FarcasterNetwork.DEVNET, dataForm = 'data' } = options;
  const key = signerKey(derive(seed, 'signer', fid, keyIndex));
  const wallets = new Map<number, Wallet>();
  const walletAt = (index: number): Wallet => {
    const known = wallets.get(index) ?? wallet(derive(seed, 'wallet', fid, index));
    wallets.set(index, known);
    return known;
  };
  const when = (at: number | undefined): number => at ?? clock.tick();
  const make = (type: MessageType, at: number | undefined, body: Partial<MessageData>): Signed =>
    signed({ type, fid, timestamp: when(at), network, ...body }, key, dataForm);
  const claim = () => ({ fid, network, blockHash: derive(seed, 'claim block', fid) });
  const place = (at: number | undefined): EventPlace => ({ seed, fid, at: when(at), logIndex: events.count++ });
  const onchain = (event: ReturnType<typeof registerEvent>): IngestItem => ({ kind: 'onchain', event });
  const link = (message: MessageType) => (type: string, targetFid: number, at?: number) =>
    make(message, at, { linkBody: { type, targetFid } });
  const reaction = (message: MessageType) => (type: 'like' | 'recast', target: CastRef | string, at?: number) =>
    make(message, at, { reactionBody: reactionBody(type, target) });
  const addLink = link(MessageType.LINK_ADD);
  const removeLink = link(MessageType.LINK_REMOVE);

  return {
    fid,
    signer: key.publicKey,
    get custody() {
      return walletAt(0);
    },
    withKey: (index) => keyedAuthor(options, index),
    wallet: walletAt,
    solanaKey: (index) => signerKey(derive(seed, 'solana', fid, index)),

    cast: (cast) => make(MessageType.CAST_ADD, cast.at, { castAddBody: castBody(cast) }),
    removeCast: (targetHash, at) => make(MessageType.CAST_REMOVE, at, { castRemoveBody: { targetHash } }),
    react: reaction(MessageType.REACTION_ADD),
    unreact: reaction(MessageType.REACTION_REMOVE),
    follow: (target, at) => addLink('follow', target, at),
    unfollow: (target, at) => removeLink('follow', target, at),
    link: addLink,
    unlink: removeLink,
    compactLinks: (type, fids, at) =>
      make(MessageType.LINK_COMPACT_STATE, at, { linkCompactStateBody: { type, targetFids: [...fids] } }),
    userData: (type, value, at) => make(MessageType.USER_DATA_ADD, at, { userDataBody: { type, value } }),
    verifyEthereum: async (owner, at) =>
      make(MessageType.VERIFICATION_ADD_ETH_ADDRESS, at, {
        verificationAddAddressBody: await ethereumVerification(claim(), owner),
      }),
    verifySolana: (owner, at) =>
      make(MessageType.VERIFICATION_ADD_ETH_ADDRESS, at, {
        verificationAddAddressBody: solanaVerification(claim(), owner),
      }),
    removeVerification: (protocol, address, at) =>
      make(MessageType.VERIFICATION_REMOVE, at, { verificationRemoveBody: { protocol, address } }),
    ensProof: async (name, { owner = walletAt(0), at } = {}) => {
      const time = when(at);
      const type = name.endsWith('.base.eth') ? UserNameType.USERNAME_TYPE_BASENAME : UserNameType.USERNAME_TYPE_ENS_L1;
      const body = { fid, name, timestamp: unixSeconds(time), owner: owner.address, type };
      return make(MessageType.USERNAME_PROOF, time, { usernameProofBody: await usernameProof(body, owner) });
    },
    lendStorage: (toFid, numUnits, at) =>
      make(MessageType.LEND_STORAGE, at, { lendStorageBody: { toFid, numUnits, unitType: 2 } }),

    fnameProof: async (name, at) => {
      const owner = walletAt(0).address;
      const type = UserNameType.USERNAME_TYPE_FNAME;
      const body = { fid, name, timestamp: unixSeconds(when(at)), owner, type };
      return { kind: 'proof', proof: await usernameProof(body, nameServer(seed)) };
    },
    register: (at) => onchain(registerEvent(place(at), walletAt(0).address, derive(seed, 'recovery').slice(0, 20))),
    transfer: (index, at) => onchain(transferEvent(place(at), walletAt(0).address, walletAt(index).address)),
    addSigner: async ({ requester = { fid, wallet: walletAt(0) }, at } = {}) => {
      const where = place(at);
      const metadata = await signedKeyRequest(key.publicKey, requester, unixSeconds(where.at) + 86_400);
      return onchain(signerEvent(where, key.publicKey, metadata));
    },
    removeSigner: (at) => onchain(signerEvent(place(at), key.publicKey)),
    rent: (units, at) => onchain(rentEvent(place(at), walletAt(0).address, units)),
    buyPro: (days, at) => onchain(proEvent(place(at), walletAt(0).address, days)),
  };
}

function castBody(cast: CastOptions) {
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
}

const reactionBody = (type: 'like' | 'recast', target: CastRef | string) => ({
  type: type === 'like' ? ReactionType.LIKE : ReactionType.RECAST,
  targetUrl: typeof target === 'string' ? target : undefined,
  targetCastId: typeof target === 'object' ? castId(target) : undefined,
});

const castId = ({ fid, hash }: CastRef) => ({ fid, hash });
