import { type LinkBody, type MessageData, MessageType, type ReactionBody, type UserDataType } from '@farcaster/core';
import type { Reader } from '../../../db/statement.js';
import { MessageSet } from '../../../protocol/conflict.js';
import { lookupKey } from '../../../protocol/lookup-key.js';
import type { Envelope } from '../../../protocol/wire/message.js';
import { selectEnvelope } from '../../../store/hub/message.js';

/** Single messages, over HTTP and over gRPC; undefined: there is none in force. */
type Found = Promise<Envelope | undefined>;

/** @returns the message of an account that adds what the body is about */
const findAdded = (session: Reader, fid: number, about: Pick<MessageData, 'type'> & Partial<MessageData>): Found => {
  const { set, key } = lookupKey(about);
  return selectEnvelope(session, { fid, messageSet: set, key }, about.type);
};

/** @param hash of any length: there is a cast only for one of 20 bytes */
export const findCast = (session: Reader, fid: number, hash: Uint8Array): Found =>
  selectEnvelope(session, { fid, messageSet: MessageSet.cast, key: hash }, MessageType.CAST_ADD);

export const findReaction = (session: Reader, fid: number, reactionBody: ReactionBody): Found =>
  findAdded(session, fid, { type: MessageType.REACTION_ADD, reactionBody });

export const findLink = (session: Reader, fid: number, linkBody: LinkBody): Found =>
  findAdded(session, fid, { type: MessageType.LINK_ADD, linkBody });

export const findUserData = (session: Reader, fid: number, type: UserDataType): Found =>
  findAdded(session, fid, { type: MessageType.USER_DATA_ADD, userDataBody: { type, value: '' } });

/** @param address of an Ethereum or Solana wallet; the messages of both have the type of the first */
export const findVerification = (session: Reader, fid: number, address: Uint8Array): Found =>
  selectEnvelope(
    session,
    { fid, messageSet: MessageSet.verification, key: address },
    MessageType.VERIFICATION_ADD_ETH_ADDRESS,
  );
