import { randomBytes, randomUUID } from 'node:crypto';
import { type Hex, hashMessage } from 'viem';
import { createSiweMessage } from 'viem/siwe';
import { invalidField } from '../../error.js';
import { bareHex } from '../../hex.js';
import { insertX402SignIn } from '../../store/onchain/x402-sign-in.js';
import { signHash } from '../registry/hash-signature.js';
import { type UsableWallet, withWalletKey } from '../transaction/wallet.js';
import type { X402Dependencies } from './dependencies.js';

export interface SignInRequest {
  readonly appId: string;
  readonly apiKeyId: string;
  readonly wallet: UsableWallet;
  /** URL of what the wallet signs in for. */
  readonly resource: string;
  /** EIP-155, of the public network. */
  readonly chainId: number;
}

export interface SignIn {
  /** EIP-4361. */
  readonly message: string;
  /** 65 bytes, over the message (EIP-191). */
  readonly signature: Hex;
  /** Unix milliseconds, a whole second. */
  readonly issuedAt: number;
}

/** The longest time that servers accept (https://docs.x402.org/extensions/sign-in-with-x). */
const VALID_MS = 5 * 60_000;
const MAX_URL_BYTES = 2048;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3})$/;

const invalid = (rule: string): Error => invalidField('resource', `resource must be ${rule}`);

/**
 * Whoever has the signature is signed in at the site, so the text must name exactly one site.
 * @param allowsLocalSites whether services on this machine may have an http URL
 * @throws AppError invalid with property `resource`
 */
export const checkResource = (text: string, allowsLocalSites: boolean): URL => {
  // `URL` drops line breaks and tabs, and escapes other characters, so that the text and what is signed would differ.
  if (!/^[\x21-\x7e]+$/.test(text)) throw invalid('a URL without spaces, control characters and other than ASCII');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.href.length > MAX_URL_BYTES) throw invalid(`a URL of at most ${MAX_URL_BYTES} characters`);
  const isLocal = allowsLocalSites && url.protocol === 'http:' && LOOPBACK.test(url.hostname);
  if (url.protocol !== 'https:' && !isLocal) throw invalid('a URL that begins with https://');
  if (url.username || url.password) throw invalid('a URL without user name and password');
  // An empty fragment is part of `href`, too.
  if (url.href.includes('#')) throw invalid('a URL without a fragment');
  return url;
};

/**
 * @param resource as `checkResource` returns it
 * @returns a message of EIP-4361 without a statement
 * @throws AppError invalid with property `resource` for a host or path that the format cannot hold
 */
export const signInMessage = (
  resource: URL,
  {
    wallet,
    chainId,
    nonce,
    issuedAt,
  }: Pick<SignInRequest, 'wallet' | 'chainId'> & {
    readonly nonce: string;
    /** Unix milliseconds. */
    readonly issuedAt: number;
  },
): string => {
  try {
    return createSiweMessage({
      domain: resource.host,
      address: wallet.address,
      uri: resource.href,
      version: '1',
      chainId,
      nonce,
      issuedAt: new Date(issuedAt),
      expirationTime: new Date(issuedAt + VALID_MS),
    });
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'SiweInvalidMessageFieldError') throw error;
    throw invalid('a URL of RFC 3986 whose host is a name or an IPv4 address');
  }
};

/** Signs in wallets at servers of x402. */
export const createSignInSigner = ({ db, masterKey, clock, allowsLocalSites }: X402Dependencies) => ({
  /** @throws AppError invalid with property `resource` for a URL that no wallet signs in at */
  signIn: async ({ appId, apiKeyId, wallet, resource: text, chainId }: SignInRequest): Promise<SignIn> => {
    const resource = checkResource(text, allowsLocalSites);
    const nonce = bareHex(randomBytes(16));
    // Servers refuse a time in the future, and compare whole seconds.
    const issuedAt = Math.floor(clock() / 1000) * 1000;
    const message = signInMessage(resource, { wallet, chainId, nonce, issuedAt });
    await insertX402SignIn(db, {
      id: randomUUID(),
      appId,
      apiKeyId,
      walletId: wallet.id,
      chainId,
      resource: resource.href,
      nonce,
      createdAt: new Date(issuedAt),
    });
    const hash = hashMessage(message);
    const signature = await withWalletKey(db, masterKey, wallet.id, (key) => signHash(key, hash));
    return { message, signature, issuedAt };
  },
});

export type SignInSigner = ReturnType<typeof createSignInSigner>;
