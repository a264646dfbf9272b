import { isUtf8 } from 'node:buffer';
import { equalBytes } from '../../bytes.js';
import { type NameClaim, recoverNameClaim } from '../eip712.js';
import { MAX_BASENAME_BYTES, MAX_ENS_NAME_BYTES } from '../limit.js';
import { Rejection } from '../verification-result.js';
import type { UsernameProofBody } from '../wire/body.js';

const FNAME = /^[a-z0-9][a-z0-9-]{0,15}$/;

/** @returns whether the name registry accepts the text as a name, which has no domain */
export const isFname = (name: string): boolean => FNAME.test(name);

/** `UserNameType` of the protocol. */
export const USERNAME_TYPE = { ens: 2, basename: 3 } as const;

/** @throws Rejection unless `name` is an fname, NAME.eth or NAME.base.eth according to the hubs' rule */
export const checkUsername = (name: string): void => {
  if (name.endsWith('.base.eth')) checkNameUnder(name, '.base.eth', MAX_BASENAME_BYTES);
  else if (name.endsWith('.eth')) checkNameUnder(name, '.eth', MAX_ENS_NAME_BYTES);
  else if (!isFname(name)) throw new Rejection('bad_username', `an fname matches ${FNAME.source}`);
};

/**
 * Checks the form of a username proof. Only a chain can prove the owner of the name. Fnames are proven by the name
 * server and are not sent as messages. As on hubs, an account may send the proof for another one.
 * @throws Rejection
 * @source snapchain 0.14.2, `validate_message` (`core/validations/message.rs`)
 */
export const checkUsernameProof = (body: UsernameProofBody): void => {
  // Hubs accept it, but no response of theirs may name fid 0, which stands for a released name.
  if (body.fid === 0) throw new Rejection('bad_username', 'a username proof is for an account, and 0 is none');
  if (!isUtf8(body.name)) throw new Rejection('bad_username', 'the name of a username proof is not UTF-8');
  checkDomainName(Buffer.from(body.name).toString('utf8'), body.type);
};

/** @throws Rejection unless the name has the domain of its type */
const checkDomainName = (name: string, type: number): void => {
  if (type === USERNAME_TYPE.ens) checkNameUnder(name, '.eth', MAX_ENS_NAME_BYTES);
  else if (type === USERNAME_TYPE.basename) checkNameUnder(name, '.base.eth', MAX_BASENAME_BYTES);
  else throw new Rejection('bad_username', 'a username proof is of an ENS name (2) or a Basename (3)');
};

/** @returns whether the name is an ENS name or a Basename, as its type says */
const isDomainName = (name: string, type: number): boolean => {
  try {
    checkDomainName(name, type);
    return true;
  } catch (error) {
    if (error instanceof Rejection) return false;
    throw error;
  }
};

const checkNameUnder = (name: string, parent: '.eth' | '.base.eth', max: number): void => {
  const label = name.slice(0, -parent.length);
  if (name.endsWith(parent) && name.length <= max && FNAME.test(label)) return;
  throw new Rejection(
    'bad_username',
    `a name under ${parent} has at most ${max} bytes, its label matches ${FNAME.source}`,
  );
};

/**
 * @returns whether the owner that a proof names signed it, for ENS names and Basenames. Whether that address owns the name
 *   is known to its chain alone.
 */
export const isOwnerProof = (proof: NameClaim & { readonly type: number }): boolean => {
  if (!isDomainName(Buffer.from(proof.name).toString('utf8'), proof.type)) return false;
  const signer = recoverNameClaim(proof);
  return signer !== undefined && equalBytes(signer, proof.owner);
};
