import { Compile } from 'typebox/compile';
import { OutboundError } from '../delivery/outbound-error.js';
import { AppError } from '../error.js';
import { ManifestAssociation } from '../schema/miniapp/manifest.js';
import type { EncodedJsonSocialSignature } from '../schema/social/frame.js';
import { associationError } from './account-association.js';
import type { MiniAppDomain } from './domain.js';
import { parseJfs } from './jfs.js';
import { parseJsonObject } from './json.js';
import { ManifestError } from './manifest-error.js';

/** Accounts, and chains that verify signatures of contract wallets. */
type Dependencies = Parameters<typeof associationError>[0];

export interface ManifestResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Requests a manifest. It throws OutboundError. */
export type ManifestFetch = (request: {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** A longer body is an error. */
  readonly maxBytes: number;
}) => Promise<ManifestResponse>;

/** A manifest (Mini App specification, "/.well-known/farcaster.json") whose account association is valid. */
export interface SignedManifest {
  readonly association: EncodedJsonSocialSignature;
  /** The account that claims the domain. */
  readonly fid: number;
  /** All members, as the domain wrote them. */
  readonly value: Readonly<Record<string, unknown>>;
  /** Of the response. */
  readonly headers: ManifestResponse['headers'];
}

const PATH = '/.well-known/farcaster.json';
/** Real manifests have a few kilobytes. */
const MAX_BYTES = 128 * 1024;
/** Reasons of a failed call that are the same at the next one. */
const LASTING = ['target', 'too_large', 'redirect', 'encoded'];

const proof = Compile(ManifestAssociation);

/** @returns whether the status is temporary and shows nothing about the mini app */
export const isBusy = (status: number): boolean => status >= 500 || status === 408 || status === 429;

/** @param what names it in the error @throws ManifestError instead of an OutboundError of the request */
export const fetchPart = async <Part>(what: string, request: Promise<Part>): Promise<Part> => {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const isTemporary = !LASTING.includes(error.reason);
    throw new ManifestError(`${what} cannot be read. ${error.message}`, { isTemporary, cause: error });
  }
};

/**
 * Checks that an account claims a domain.
 * @returns the account
 * @throws ManifestError
 */
export const checkAssociation = async (
  dependencies: Dependencies,
  domain: MiniAppDomain,
  association: EncodedJsonSocialSignature,
): Promise<number> => {
  const problem = await associationError(dependencies, domain.name, association).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    const message = `The manifest's accountAssociation cannot be checked. ${error.message}`;
    throw new ManifestError(message, { isTemporary: true, cause: error });
  });
  if (problem !== undefined) throw new ManifestError(`The manifest's accountAssociation ${problem}`);
  return parseJfs(association).fid;
};

/** @param headers in addition @throws ManifestError if the domain does not answer */
export const fetchManifest = (
  domain: MiniAppDomain,
  fetch: ManifestFetch,
  headers: Readonly<Record<string, string>> = {},
): Promise<ManifestResponse> => {
  const url = new URL(`${domain.origin}${PATH}`);
  return fetchPart(
    'The manifest',
    fetch({ url, headers: { accept: 'application/json', ...headers }, maxBytes: MAX_BYTES }),
  );
};

/** @param body of the response @returns its members and the proof, which is not checked yet @throws ManifestError */
export const parseManifest = (body: Uint8Array): Pick<SignedManifest, 'value' | 'association'> => {
  const value = parseJsonObject(body);
  if (value === undefined || Array.isArray(value)) throw new ManifestError('The manifest is not a JSON object.');
  const { accountAssociation } = value;
  if (!proof.Check(accountAssociation)) {
    throw new ManifestError('The manifest has no accountAssociation {header, payload, signature}.');
  }
  const { header, payload, signature } = accountAssociation;
  return { value, association: { header, payload, signature } };
};

/**
 * Reads the response of a domain, and checks that an account claims the domain.
 * @throws ManifestError
 */
export const readManifest = async (
  dependencies: Dependencies,
  domain: MiniAppDomain,
  { status, headers, body }: ManifestResponse,
): Promise<SignedManifest> => {
  if (status === 404 || status === 410) {
    throw new ManifestError(`The domain has no mini app manifest: ${PATH} answered ${status}.`, { isAbsent: true });
  }
  if (status < 200 || status > 299) {
    throw new ManifestError(`The manifest answered ${status}.`, { isTemporary: isBusy(status) });
  }
  const parsed = parseManifest(body);
  const fid = await checkAssociation(dependencies, domain, parsed.association);
  return { ...parsed, fid, headers };
};
