import { createHash, randomBytes } from 'node:crypto';
import { AppError, invalidField } from '../error.js';
import { bareHex } from '../hex.js';
import type { SignInChannelReqBody } from '../schema/sign-in.js';
import {
  completeSignInRequest,
  insertSignInRequest,
  type SignInRequestRow,
  selectSignInRequest,
  takeSignInRequest,
} from '../store/access/sign-in-request.js';
import {
  parseSignInMessage,
  requireNamedAccount,
  requireSigned,
  type SignedSignIn,
  type SignInDependencies,
} from './sign-in-message.js';

/** 128 bits: who has the token can read the sign-in. */
const TOKEN_BYTES = 16;
const NONCE_BYTES = 16;
/** Programs wait for five minutes; a wallet may need some time afterwards. */
const REQUEST_MS = 15 * 60_000;
const MAX_USER_AGENT_LENGTH = 256;

/** Who asks for a sign-in; the person who decides is shown it. */
export interface Asker {
  readonly ip: string;
  readonly userAgent: string | undefined;
  /** Origin of the page that asked; undefined for another program. */
  readonly origin: string | undefined;
}

/** What an app asked for. */
export type SignInParameters = SignInChannelReqBody & { readonly nonce: string };

/** A stored request. */
export interface SignInRequest extends Omit<SignInRequestRow, 'parameters'> {
  readonly parameters: SignInParameters;
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

const requestOf = ({ parameters, ...row }: SignInRequestRow): SignInRequest => ({
  ...row,
  parameters: JSON.parse(parameters) as SignInParameters,
});

const unknownRequest = (): AppError =>
  new AppError(
    'unauthorized',
    'UnknownSignIn',
    'There is no such sign-in: it has expired, or its app has read it. Ask for another one.',
  );

/** Apps that ask wallets to sign in to them, and the wallets' answers (Sign In With Farcaster, FIP-11). */
export const createSignInRelay = (dependencies: SignInDependencies & { readonly clock: () => number }) => {
  const { db, clock } = dependencies;
  const read = async (token: string): Promise<SignInRequest> => {
    const row = await selectSignInRequest(db, { tokenHash: hashOf(token), now: new Date(clock()) });
    if (row) return requestOf(row);
    throw unknownRequest();
  };
  return {
    /** @returns the token, with which the app reads the sign-in and the wallet answers, and the nonce to sign */
    open: async (body: SignInChannelReqBody, asker: Asker): Promise<{ token: string; nonce: string }> => {
      const now = clock();
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const nonce = body.nonce ?? bareHex(randomBytes(NONCE_BYTES));
      const request = {
        tokenHash: hashOf(token),
        parameters: JSON.stringify({ ...body, nonce }),
        nonce,
        acceptsAuthAddress: body.acceptAuthAddress ?? true,
        clientIp: asker.ip,
        userAgent: (asker.userAgent ?? 'Unknown').slice(0, MAX_USER_AGENT_LENGTH),
        origin: asker.origin ?? null,
        expiresAt: new Date(now + REQUEST_MS),
      };
      await insertSignInRequest(db, request, new Date(now));
      return { token, nonce };
    },

    /** @throws AppError 'unauthorized' for a token of no request */
    read,

    /**
     * Reads a request for its app: once there is a sign-in, the request is deleted.
     * @throws AppError 'unauthorized' for a token of no request
     */
    take: async (token: string): Promise<SignInRequest> => {
      const request = await read(token);
      if (request.fid === null) return request;
      const row = await takeSignInRequest(db, { tokenHash: hashOf(token), now: new Date(clock()) });
      if (row) return requestOf(row);
      throw unknownRequest();
    },

    /**
     * Stores the sign-in of an account. Its signature is the credential, so nothing else of the wallet is believed.
     * @returns the request with the sign-in
     * @throws AppError 'unauthorized' for a token of no request; 'invalid' with property `message` or `signature` for
     *   another domain or nonce than asked for, and for a signature that is not by the account; 'conflict' if the request has
     *   a sign-in already; if the chain of a contract wallet does not respond
     */
    complete: async (token: string, { message, signature }: SignedSignIn): Promise<SignInRequest> => {
      const request = await read(token);
      const now = clock();
      const parsed = await parseSignInMessage(message, now);
      const fid = requireNamedAccount(parsed);
      const { domain } = request.parameters;
      if (parsed.domain !== domain.toLowerCase()) {
        throw invalidField('message', `the domain of message must be ${domain}, which asks for the sign-in`);
      }
      if (parsed.nonce !== request.nonce) {
        throw invalidField('message', `the nonce of message must be that of the request, ${request.nonce}`);
      }
      const own = (await requireSigned(dependencies, parsed, signature)).filter((one) => one.fid === fid);
      const account = own.find(({ isCustody }) => isCustody || request.acceptsAuthAddress);
      if (account === undefined) {
        const kinds = request.acceptsAuthAddress ? 'custody or auth address' : 'custody address';
        throw invalidField('message', `${parsed.address} is no ${kinds} of account ${fid}`);
      }
      const { isCustody } = account;
      const signed = { message, signature, fid, isCustody };
      if (await completeSignInRequest(db, { tokenHash: hashOf(token), now: new Date(now), ...signed })) {
        return { ...request, ...signed };
      }
      throw new AppError('conflict', 'SignedIn', 'Somebody has signed in already. Ask for another sign-in.');
    },
  };
};

export type SignInRelay = ReturnType<typeof createSignInRelay>;
