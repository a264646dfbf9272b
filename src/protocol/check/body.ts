import { checkChannelMember, checkChannelModerate, checkChannelPin, checkChannelUpdate } from '../channel/check.js';
import { isChannelType } from '../channel/type.js';
import { MAX_COMPACT_STATE_DATA_BYTES, MAX_DATA_BYTES, MAX_LENT_UNITS, MAX_LONG_DATA_BYTES } from '../limit.js';
import type { SignatureVerifier } from '../signature.js';
import { Rejection } from '../verification-result.js';
import * as body from '../wire/body.js';
import type { MessageHead } from '../wire/message-data.js';
import type { Shape } from '../wire/protobuf-schema.js';
import { checkCastAdd, checkCastRemove } from './cast.js';
import { checkFrameAction } from './frame-action.js';
import { checkKeyAdd, checkKeyAddClaims, checkKeyRemove, checkKeyRemoveClaim } from './key.js';
import { checkLink, checkLinkCompactState } from './link.js';
import { checkCastId, checkUrl } from './target.js';
import { checkUserData } from './user-data.js';
import { checkUsernameProof } from './username.js';
import { checkAddressClaim, checkVerificationAdd, checkVerificationRemove, isContractClaim } from './verification.js';

/** What a body is checked against, besides the rules of its type. */
export interface BodyContext {
  readonly head: MessageHead;
  /** The envelope's public key. */
  readonly signer: Uint8Array;
  readonly verifier: SignatureVerifier;
  /** `accept` skips claims that only a chain can prove; the hub that admitted the message checked them. */
  readonly chainClaims: 'accept' | 'refuse';
  /** True accepts only what the network's current engine accepts; false also accepts unknown message types. */
  readonly isSubmission: boolean;
}

/** The rules of one message type. `checkClaims` takes milliseconds, so it runs last. */
interface Kind<T> {
  /** Field number of its body in `MessageData`. */
  readonly field: number;
  /** 2048 by default. */
  readonly maxDataBytes?: number;
  readonly shape: Shape<T>;
  check(body: T, context: BodyContext): void;
  checkClaims?(body: T, context: BodyContext): void;
}

/** Verifies the signatures inside a body that is valid otherwise. */
type PendingClaims = () => void;

interface CheckedKind {
  readonly field: number;
  readonly maxDataBytes: number;
  /** @throws Rejection or WireError */
  check(bytes: Uint8Array, context: BodyContext): PendingClaims | undefined;
}

const kind = <T>({ field, maxDataBytes = MAX_DATA_BYTES, shape, check, checkClaims }: Kind<T>): CheckedKind => ({
  field,
  maxDataBytes,
  check(bytes, context) {
    const read = shape.read(bytes);
    check(read, context);
    return checkClaims && (() => checkClaims(read, context));
  },
});

/**
 * Accepts every number of the `ReactionType` enumeration, including NONE (0): hubs reject that only on merge (snapchain
 * `validate_reaction_body` and `make_reaction_adds_key`), so `rejectAsHub` rejects it here.
 */
const checkReaction = (reaction: body.ReactionBody): void => {
  if (reaction.type > 2) throw new Rejection('bad_reaction', `${reaction.type} is no type of reaction`);
  if (reaction.targetCastId !== undefined) checkCastId(reaction.targetCastId, 'the target cast');
  else if (reaction.targetUrl !== undefined) checkUrl(reaction.targetUrl, 'the target URL');
  else throw new Rejection('bad_target', 'a reaction needs a targetCastId or a targetUrl');
};

/** Units sold until 2024, in 2024 and in 2025 are types 0, 1 and 2. */
const MAX_STORAGE_UNIT_TYPE = 2;

const checkLendStorage = (lend: body.LendStorageBody): void => {
  if (lend.unitType > MAX_STORAGE_UNIT_TYPE) throw new Rejection('bad_storage_lend', `${lend.unitType} is no unitType`);
  if (lend.numUnits > MAX_LENT_UNITS)
    throw new Rejection('bad_storage_lend', `at most ${MAX_LENT_UNITS} units are lent`);
};

const reaction = kind({ field: 7, shape: body.reactionBody, check: checkReaction });
const link = kind({ field: 14, shape: body.linkBody, check: checkLink });

const chainOnly = (claim: string): Rejection =>
  new Rejection('unverifiable_claim', `${claim} can only be proven by a chain, and none is asked here`);

/** By `MessageType`. Types that are missing here are unknown and stored unchecked if a hub sends them. */
const KINDS: Readonly<Record<number, CheckedKind>> = {
  1: kind({
    field: 5,
    maxDataBytes: MAX_LONG_DATA_BYTES,
    shape: body.castAddBody,
    check: (cast, { head }) => checkCastAdd(cast, head),
  }),
  2: kind({ field: 6, shape: body.castRemoveBody, check: checkCastRemove }),
  3: reaction,
  4: reaction,
  5: link,
  6: link,
  7: kind({
    field: 9,
    shape: body.verificationAddBody,
    check: checkVerificationAdd,
    checkClaims(verification, { head, verifier, chainClaims }) {
      if (!isContractClaim(verification)) checkAddressClaim(verification, head, verifier);
      else if (chainClaims === 'refuse') throw chainOnly('a contract wallet');
    },
  }),
  8: kind({ field: 10, shape: body.verificationRemoveBody, check: checkVerificationRemove }),
  11: kind({ field: 12, shape: body.userDataBody, check: checkUserData }),
  12: kind({
    field: 15,
    maxDataBytes: MAX_LONG_DATA_BYTES,
    shape: body.usernameProofBody,
    check: checkUsernameProof,
    checkClaims(_proof, { chainClaims }) {
      if (chainClaims === 'refuse') throw chainOnly('the owner of a name');
    },
  }),
  13: kind({ field: 16, shape: body.frameActionBody, check: checkFrameAction }),
  14: kind({
    field: 17,
    maxDataBytes: MAX_COMPACT_STATE_DATA_BYTES,
    shape: body.linkCompactStateBody,
    check: checkLinkCompactState,
  }),
  15: kind({ field: 18, shape: body.lendStorageBody, check: checkLendStorage }),
  16: kind({
    field: 19,
    shape: body.keyAddBody,
    check: checkKeyAdd,
    checkClaims: (key, { head }) => checkKeyAddClaims(key, head),
  }),
  17: kind({
    field: 20,
    shape: body.keyRemoveBody,
    check: (key, { signer }) => checkKeyRemove(key, signer),
    checkClaims: (key, { head }) => checkKeyRemoveClaim(key, head),
  }),
  18: kind({ field: 21, shape: body.channelUpdateBody, check: checkChannelUpdate }),
  19: kind({ field: 22, shape: body.channelMemberBody, check: checkChannelMember }),
  20: kind({ field: 23, shape: body.channelPinBody, check: checkChannelPin }),
  21: kind({ field: 24, shape: body.channelModerateBody, check: checkChannelModerate }),
};

/**
 * Checks the body of a message against the limits of its type.
 * @param dataLength bytes of the whole data
 * @returns the verification of the signatures inside the body, if it has any
 * @throws Rejection or WireError
 */
export const checkBody = (context: BodyContext, dataLength: number): PendingClaims | undefined => {
  const { isSubmission } = context;
  const { type, bodies } = context.head;
  if (type === 0) throw new Rejection('bad_type', 'the type of the message is missing');
  const rules = KINDS[type];
  if (rules === undefined && !isSubmission) return undefined;
  const { maxDataBytes } = rules ?? { maxDataBytes: MAX_DATA_BYTES };
  if (dataLength > maxDataBytes) {
    throw new Rejection('too_large', `data of type ${type} has at most ${maxDataBytes} bytes, this ${dataLength}`);
  }
  // The engine accepts them from version 21 on (`ProtocolFeature::ChannelMessages`), which no public network has reached.
  if (isSubmission && isChannelType(type))
    throw new Rejection('bad_type', `the network does not take messages of type ${type} yet`);
  if (rules === undefined) return undefined;
  const bytes = bodies.get(rules.field);
  if (bytes === undefined || bodies.size !== 1) {
    throw new Rejection('wrong_body', `a message of type ${type} needs the body in field ${rules.field} and no other`);
  }
  return rules.check(bytes, context);
};
