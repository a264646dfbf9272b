import { createPrivateKey, createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import type { JWK } from 'jose';
import type { MasterKey } from '../config/secret.js';
import { DAY_MS } from '../duration.js';
import { invalidField } from '../error.js';
import { bareHex } from '../hex.js';
import { insertQuickAuthNonce, useQuickAuthNonce } from '../store/access/quick-auth-nonce.js';
import {
  parseSignInMessage,
  requireNamedAccount,
  requireSigned,
  type SignedSignIn,
  type SignInDependencies,
} from './sign-in-message.js';

const NONCE_BYTES = 16;
const NONCE_MS = 10 * 60_000;
/** Seconds that a token is valid. */
const TOKEN_SECONDS = 3600;
/** How long a key signs. The one before it stays in the key set, because its last tokens are valid for an hour. */
const KEY_MS = 30 * DAY_MS;
const ALGORITHM = 'EdDSA';
/** DER of an Ed25519 private key up to the 32 bytes of the key itself (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** What a token says; times are Unix seconds. */
export interface QuickAuthClaims {
  /** Origin of this service. */
  readonly iss: string;
  /** Domain of the app. */
  readonly aud: string;
  /** The account. */
  readonly sub: number;
  readonly iat: number;
  readonly exp: number;
}

/** A key that signs tokens, with the key id of its period. */
interface TokenKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

export interface QuickAuthDependencies extends SignInDependencies {
  readonly masterKey: MasterKey;
  /** URL of the service, without a trailing slash: the issuer. */
  readonly publicUrl: string;
  /** Unix milliseconds. */
  readonly clock: () => number;
}

/**
 * Issues tokens (JWT, RFC 7519) to accounts that sign in with Farcaster, as the clients of Quick Auth expect them
 * (https://github.com/farcasterxyz/quick-auth). Keys are derived from the master key and the period, so that all processes have
 * the same ones, and nothing is stored.
 */
export const createQuickAuth = (dependencies: QuickAuthDependencies) => {
  const { db, masterKey, publicUrl, clock } = dependencies;

  const keysOf = (period: number): TokenKey[] => {
    const purpose = `quick auth ${period}`;
    return masterKey.deriveAll(purpose).map((seed) => {
      const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
      const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
      return { kid: `${period}-${x.slice(0, 8)}`, privateKey };
    });
  };
  const periodAt = (now: number): number => Math.floor(now / KEY_MS);

  /** @returns the public keys of valid tokens, the one that signs first (RFC 7517) */
  const keySet = (): { readonly keys: JWK[] } => {
    const period = periodAt(clock());
    const keys = [period, period - 1].flatMap(keysOf).map(({ kid, privateKey }) => {
      const { kty, crv, x } = createPublicKey(privateKey).export({ format: 'jwk' });
      return { kty, crv, x, kid, alg: ALGORITHM, use: 'sig' } as JWK;
    });
    return { keys };
  };

  return {
    keySet,

    /** @returns a nonce for one sign-in, within ten minutes */
    createNonce: async (): Promise<string> => {
      const nonce = bareHex(randomBytes(NONCE_BYTES));
      const now = clock();
      await insertQuickAuthNonce(db, { nonce, expiresAt: new Date(now + NONCE_MS), now: new Date(now) });
      return nonce;
    },

    /**
     * @param domain of the app, as the message must have it
     * @returns a token for the account that signed, valid for an hour
     * @throws AppError 'invalid' with property `message` or `signature`; if the chain of a contract wallet does not respond
     */
    signIn: async ({ message, signature }: SignedSignIn, domain: string): Promise<string> => {
      const now = clock();
      const parsed = await parseSignInMessage(message, now);
      const fid = requireNamedAccount(parsed);
      if (parsed.domain !== domain.toLowerCase()) {
        throw invalidField('message', `the domain of message must be ${domain}, as the request says`);
      }
      const accounts = await requireSigned(dependencies, parsed, signature);
      if (!accounts.some((one) => one.fid === fid)) {
        throw invalidField('message', `${parsed.address} is no custody or auth address of account ${fid}`);
      }
      // Used last, so that an invalid message does not use it up.
      if (!(await useQuickAuthNonce(db, { nonce: parsed.nonce, now: new Date(now) }))) {
        throw invalidField('message', 'the nonce of message is not known, has expired or was used: get another one');
      }
      const { SignJWT } = await import('jose');
      const iat = Math.floor(now / 1000);
      const claims: QuickAuthClaims = { iss: publicUrl, aud: domain, sub: fid, iat, exp: iat + TOKEN_SECONDS };
      // The first key is that of the current master key.
      const { kid, privateKey } = keysOf(periodAt(now))[0] as TokenKey;
      // jose declares the subject as text; clients of Quick Auth read the number of the account.
      return new SignJWT({ ...claims } as Record<string, unknown>)
        .setProtectedHeader({ alg: ALGORITHM, kid, typ: 'JWT' })
        .sign(privateKey);
    },

    /**
     * @param domain of the app for which the token must have been issued
     * @returns its claims
     * @throws Error of jose (`JOSEError`) for a token that is not valid now
     */
    verify: async (token: string, domain: string): Promise<QuickAuthClaims> => {
      const { createLocalJWKSet, jwtVerify } = await import('jose');
      const { payload } = await jwtVerify(token, createLocalJWKSet(keySet()), {
        algorithms: [ALGORITHM],
        issuer: publicUrl,
        audience: domain,
        currentDate: new Date(clock()),
      });
      return payload as unknown as QuickAuthClaims;
    },
  };
};

export type QuickAuth = ReturnType<typeof createQuickAuth>;
