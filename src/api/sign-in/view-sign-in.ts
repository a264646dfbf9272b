import { hydrateAccounts } from '../../hydrate/account.js';
import type { CompletedSignIn, PendingSignIn } from '../../schema/sign-in.js';
import type { SignInRequest } from '../../sign-in/relay.js';
import { viewEthAddress, viewSolAddress } from '../../view/address.js';
import type { Services } from '../http/service.js';
import { signInUrl } from './sign-in-url.js';

const statusOf = (request: SignInRequest, url: string) => ({
  nonce: request.nonce,
  url,
  signatureParams: request.parameters,
  metadata: { ip: request.clientIp, userAgent: request.userAgent },
  acceptAuthAddress: request.acceptsAuthAddress,
});

/** @returns a request as the relay shows it: once somebody has signed in, with the account's profile */
export const viewSignIn = async (
  request: SignInRequest,
  token: string,
  { publicUrl, reads }: Pick<Services, 'publicUrl' | 'reads'>,
): Promise<PendingSignIn | CompletedSignIn> => {
  const { message, signature, fid, isCustody } = request;
  const status = statusOf(request, signInUrl(publicUrl, token));
  if (fid === null || message === null || signature === null) return { state: 'pending', ...status };
  const row = (await hydrateAccounts(reads.open(), [fid])).get(fid)?.row;
  return {
    state: 'completed',
    ...status,
    message,
    signature,
    authMethod: isCustody ? 'custody' : 'authAddress',
    fid,
    ...(row?.username && { username: row.username }),
    ...(row?.bio && { bio: row.bio }),
    ...(row?.displayName && { displayName: row.displayName }),
    ...(row?.pfpUrl && { pfpUrl: row.pfpUrl }),
    ...(row?.custodyAddress && { custody: viewEthAddress(row.custodyAddress) }),
    verifications: (row?.verifications ?? []).map(([protocol, address]) =>
      protocol === 0 ? viewEthAddress(address) : viewSolAddress(address),
    ),
  };
};
