import { createSiweMessage } from 'viem/siwe';
import type { Author } from '../../sample/author.js';

/** The chain of the id registry, which Sign In With Farcaster names (FIP-11). */
const REGISTRY_CHAIN_ID = 10;

/** Members of the message that the app chooses. */
export interface SignInRequest {
  readonly nonce: string;
  readonly domain: string;
  readonly uri: string;
}

/**
 * @returns a message of Sign In With Farcaster (FIP-11, EIP-4361), and its signature by the account's custody address
 */
export const signInMessage = async (
  { fid, custody }: Author,
  request: SignInRequest,
): Promise<{ message: string; signature: string }> => {
  const message = createSiweMessage({
    ...request,
    address: custody.account.address,
    chainId: REGISTRY_CHAIN_ID,
    version: '1',
    statement: 'Farcaster Auth',
    issuedAt: new Date(),
    resources: [`farcaster://fid/${fid}`],
  });
  return { message, signature: await custody.account.signMessage({ message }) };
};
