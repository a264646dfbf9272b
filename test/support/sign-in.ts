import { createSiweMessage } from 'viem/siwe';
import type { Network, TestResponse } from './network.js';

type Fields = Partial<Parameters<typeof createSiweMessage>[0]>;

/** What wallets sign for an account (FIP-11); `fields` replace members. */
export const signInText = (address: `0x${string}`, fid: number, nonce: string, fields: Fields = {}): string =>
  createSiweMessage({
    address,
    chainId: 10,
    domain: 'app.example',
    nonce,
    uri: 'https://app.example/login',
    version: '1',
    statement: 'Farcaster Auth',
    resources: [`farcaster://fid/${fid}`],
    ...fields,
  });

/** Sends a request without an API key, as the sign-in libraries do. */
export const askOpenly = async (
  { url }: Pick<Network, 'url'>,
  path: string,
  { token, body, headers = {} }: { readonly token?: string; readonly body?: unknown; readonly headers?: object } = {},
): Promise<TestResponse> => {
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
};
