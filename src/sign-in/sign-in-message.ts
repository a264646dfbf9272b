import type { Address } from 'viem';
import type { Database } from '../db/database.js';
import { invalidField } from '../error.js';
import { fromHex } from '../hex.js';
import type { Networks } from '../onchain/network.js';
import { selectAccountsOfAddress } from '../store/access/fid-of-address.js';

/** In characters; wallets show the message to a person. The time to parse grows with the square of the length. */
const MAX_MESSAGE_LENGTH = 4096;
/** FIP-11. */
const FARCASTER_CHAIN_ID = 10;
/** FIP-11; the second is what its draft said, and wallets still sign. */
const FARCASTER_STATEMENTS = ['Farcaster Auth', 'Farcaster Connect'];
/** The resource of Sign In With Farcaster that names the account (FIP-11). */
const FID_RESOURCE = /^farcaster:\/\/fids?\/([1-9]\d{0,15})\/?$/;

/** What verifying a sign-in needs. */
export interface SignInDependencies {
  readonly db: Database;
  readonly networks: Networks;
}

/** A message that a wallet signs to sign in (EIP-4361), as a program sends it. */
export interface SignedSignIn {
  readonly message: string;
  /** 0x and hex digits: 65 bytes, or more by a contract wallet. */
  readonly signature: string;
}

/** A message that is well-formed and valid now. */
export interface SignInMessage {
  readonly text: string;
  readonly address: Address;
  readonly nonce: string;
  /** In lower case. */
  readonly domain: string;
  /** Accounts that its resources name. */
  readonly fids: readonly number[];
  readonly chainId: number | undefined;
  readonly statement: string | undefined;
}

/**
 * @param now Unix milliseconds
 * @throws AppError 'invalid' with property `message` if it is not of EIP-4361, or not valid at this time
 */
export const parseSignInMessage = async (text: string, now: number): Promise<SignInMessage> => {
  if (text.length > MAX_MESSAGE_LENGTH) {
    throw invalidField('message', `message may have ${MAX_MESSAGE_LENGTH} characters at most`);
  }
  // viem takes a while to load, and most services verify no sign-in for long.
  const { parseSiweMessage, validateSiweMessage } = await import('viem/siwe');
  const parsed = parseSiweMessage(text);
  const { address, nonce, domain = '', resources = [], version, chainId, statement } = parsed;
  if (address === undefined || nonce === undefined || version !== '1') {
    throw invalidField('message', 'message is not a Sign-In with Ethereum message (EIP-4361)');
  }
  if (!validateSiweMessage({ message: parsed, time: new Date(now) })) {
    throw invalidField('message', 'message is not in force: look at Expiration Time and Not Before');
  }
  const fids = resources.flatMap((resource) => FID_RESOURCE.exec(resource)?.[1] ?? []).map(Number);
  return { text, address, nonce, domain: domain.toLowerCase(), fids, chainId, statement };
};

/**
 * @returns the account that a message of Sign In With Farcaster names (FIP-11)
 * @throws AppError 'invalid' with property `message` for any other message
 */
export const requireNamedAccount = ({ chainId, statement = '', fids }: SignInMessage): number => {
  if (!FARCASTER_STATEMENTS.includes(statement)) {
    throw invalidField('message', `the statement of message must be ${FARCASTER_STATEMENTS[0]} (FIP-11)`);
  }
  if (chainId !== FARCASTER_CHAIN_ID) {
    throw invalidField('message', `the Chain ID of message must be ${FARCASTER_CHAIN_ID} (FIP-11)`);
  }
  const [fid, another] = fids;
  if (fid === undefined || another !== undefined) {
    throw invalidField('message', 'message must name one account among its resources, as farcaster://fid/1 (FIP-11)');
  }
  return fid;
};

/** An account that an address may speak for. */
export interface AccountOfAddress {
  readonly fid: number;
  /** By custody; else as auth address. */
  readonly isCustody: boolean;
}

/**
 * Verifies who signed the message: the key of its address, or the contract wallet there (ERC-1271, ERC-6492), which is
 * asked on the networks of such wallets if the address belongs to an account.
 * @returns the accounts of the address, those by custody first
 * @throws AppError 'invalid' with property `signature`; if a chain does not respond
 */
export const requireSigned = async (
  { db, networks }: SignInDependencies,
  { text, address }: SignInMessage,
  signature: string,
): Promise<readonly AccountOfAddress[]> => {
  if (!/^0x(?:[0-9a-fA-F]{2})+$/.test(signature)) {
    throw invalidField('signature', 'signature must be an Ethereum signature: 0x and 130 hex digits');
  }
  const [{ hashMessage }, { isSignedByAddress, isSignedByKey, variablesOf, WALLET_NETWORKS }] = await Promise.all([
    import('viem/utils'),
    import('../onchain/address-signature.js'),
  ]);
  const signed = { address, hash: hashMessage(text), signature: signature as `0x${string}` };
  const accounts = await selectAccountsOfAddress(db, fromHex(address));
  if (await isSignedByKey(signed)) return accounts;
  const among = WALLET_NETWORKS[accounts.every(({ isCustody }) => isCustody) ? 'custody' : 'auth'];
  const isSigned = accounts.length > 0 && (await isSignedByAddress(networks, among, signed));
  if (isSigned) return accounts;
  const hint =
    isSigned === undefined
      ? `; whether a contract wallet made it can be asked when the operator sets ${variablesOf(among)}`
      : '';
  throw invalidField('signature', `signature is not by ${address} over message (EIP-191)${hint}`);
};
