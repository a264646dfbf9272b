import {
  FarcasterNetwork,
  type MessageData,
  MessageType,
  makeKeyAddBody,
  makeKeyRemoveBody,
  ViemLocalEip712Signer,
} from '@farcaster/core';
import { decodeMessage } from '../../src/protocol/wire/decode.js';
import { decodeEnvelope } from '../../src/protocol/wire/envelope.js';
import type { Author } from '../../src/sample/author.js';
import type { SignerKey } from '../../src/sample/key.js';
import { type Signed, signed } from '../../src/sample/signed-message.js';

/** The package refuses to build what has expired by now. */
const DEADLINE = 2_000_000_000;

export interface KeyAddOptions {
  readonly key: SignerKey;
  readonly nonce: number;
  /** The account of the app that asks for the key. */
  readonly app: Author;
  /** Protocol seconds. */
  readonly at: number;
  /** Message types; by default those of casts. */
  readonly scopes?: readonly MessageType[];
  /** Seconds; a day by default. */
  readonly ttl?: number;
  /** The custody that signs for the account; by default its first one. */
  readonly custody?: Author['custody'];
  /** The custody that signs for the app; by default its first one. */
  readonly appCustody?: Author['custody'];
}

export interface KeyRemoveOptions extends Pick<KeyAddOptions, 'key' | 'nonce' | 'at'> {
  readonly custody?: Author['custody'];
}

const signerOf = (wallet: Author['custody']) => new ViemLocalEip712Signer(wallet.account as never);

const message = (fid: number, at: number, body: Partial<MessageData>, key: SignerKey): Signed =>
  signed({ fid, timestamp: at, network: FarcasterNetwork.DEVNET, ...body } as MessageData, key);

/** @returns the message that registers a key, signed by the custody addresses of the account and of the app */
export const keyAdd = async (person: Author, options: KeyAddOptions): Promise<Signed> => {
  const { key, nonce, app, at, scopes = [MessageType.CAST_ADD], ttl = 86_400 } = options;
  const body = await makeKeyAddBody(
    {
      fid: BigInt(person.fid),
      key: key.publicKey,
      scopes: [...scopes],
      ttl,
      nonce,
      deadline: DEADLINE,
      requestFid: BigInt(app.fid),
    },
    signerOf(options.custody ?? person.custody),
    signerOf(options.appCustody ?? app.custody),
  );
  return message(person.fid, at, { type: MessageType.KEY_ADD, keyAddBody: body._unsafeUnwrap() }, key);
};

/** @returns a message with the same body, and so the same custody signature, in an envelope of another time */
export const inNewEnvelope = ({ wire }: Signed, key: SignerKey, at: number): Signed =>
  signed({ ...decodeMessage(decodeEnvelope(wire)).data, timestamp: at }, key);

/** @returns the message by which the custody address removes a key */
export const keyRemove = async (person: Author, options: KeyRemoveOptions): Promise<Signed> => {
  const { key, nonce, at, custody = person.custody } = options;
  const body = await makeKeyRemoveBody(
    { fid: BigInt(person.fid), key: key.publicKey, nonce, deadline: DEADLINE },
    signerOf(custody),
  );
  return message(person.fid, at, { type: MessageType.KEY_REMOVE, keyRemoveBody: body._unsafeUnwrap() }, key);
};

/** @returns the message by which a key removes itself */
export const keySelfRemove = (person: Author, { key, nonce, at }: KeyRemoveOptions): Signed => {
  const keyRemoveBody = {
    key: key.publicKey,
    signature: new Uint8Array(0),
    signatureType: 2,
    deadline: DEADLINE,
    nonce,
  };
  return message(person.fid, at, { type: MessageType.KEY_REMOVE, keyRemoveBody }, key);
};
