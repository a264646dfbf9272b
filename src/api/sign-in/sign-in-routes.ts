import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bearerOf } from '../../access/key-header.js';
import { AppError, invalidField, notFound } from '../../error.js';
import { fromHex } from '../../hex.js';
import { type User, userByFid } from '../../hydrate/user.js';
import type { SignInRequest } from '../../sign-in/relay.js';
import { selectAccountsOfAddress } from '../../store/access/fid-of-address.js';
import { createGuard } from '../http/access-control.js';
import { JSON_TYPE } from '../http/json-type.js';
import type { Services } from '../http/service.js';
import { pagePolicy, pageSender } from '../web-page/page-reply.js';
import { signInPage, signInStyle } from './sign-in-page.js';
import { signInScript } from './sign-in-page-script.js';
import { SIGN_IN_PATH, signInUrl } from './sign-in-url.js';

/** Other texts are rejected without a database lookup. */
const TOKEN = /^[\w-]{22}$/;
/** Accounts of the sample network on the page. */
const SAMPLE_FIDS = Array.from({ length: 12 }, (_, index) => index + 1);

/** The page may load only from this service, and no frame may show it, because a click on it signs in. */
const POLICY = pagePolicy(["script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'"]);
const send = pageSender({ 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' });

const LOCAL_HOST = /^(localhost|127(\.\d{1,3}){3})(:|$)/;

/** @returns the URL to which the page links after the sign-in: only one of the domain that the person agreed to */
export const safeRedirect = ({ domain, redirectUrl }: SignInRequest['parameters']): string | undefined => {
  if (redirectUrl === undefined || !URL.canParse(redirectUrl)) return undefined;
  const { protocol, host, username, password } = new URL(redirectUrl);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOCAL_HOST.test(host));
  return isSafe && host === domain.toLowerCase() && !username && !password ? redirectUrl : undefined;
};

/** @returns the origin of the page that asked, if it is not one of the domain that the person would sign in to */
const foreignOrigin = ({ origin, parameters: { domain } }: SignInRequest): string | undefined => {
  if (origin === null) return undefined;
  return URL.canParse(origin) && new URL(origin).host === domain.toLowerCase() ? undefined : origin;
};

/**
 * Serves the page where a person signs in at an app with the wallet of an account, and what its script requests. The token
 * in its URL is the credential; what the wallet signs is verified like the answer of any other wallet.
 * @param base path prefix of the service behind a proxy; '' at the root
 */
export const registerSignInPage = (fastify: FastifyInstance, services: Services, base: string): void => {
  const { db, reads, publicUrl, signInRelay, sampleWallets } = services;
  const guard = (id: string) =>
    createGuard({ id, family: 'v2', errors: [400, 401, 404], scope: 'public', limitsAddresses: true }, services);
  const onRequest = guard('sign-in-page');
  const onSign = guard('sign-in-page-signature');
  const text = (type: string): string => `${type}; charset=utf-8`;
  const read = (token: unknown): Promise<SignInRequest> => {
    if (typeof token === 'string' && TOKEN.test(token)) return signInRelay.read(token);
    throw new AppError('unauthorized', 'UnknownSignIn', 'There is no such sign-in. Ask the app for another one.');
  };
  const viewUser = (fid: number, users: ReadonlyMap<number, User>) => {
    const username = users.get(fid)?.row.username;
    return { fid, ...(username ? { username } : {}) };
  };
  const usersOf = (fids: readonly number[]) => reads.open().get(userByFid, fids);
  const messageOf = async ({ parameters, nonce }: SignInRequest, address: string, fid: number): Promise<string> => {
    const [{ createSiweMessage }, { getAddress }] = await Promise.all([import('viem/siwe'), import('viem/utils')]);
    const { domain, siweUri, notBefore, expirationTime, requestId } = parameters;
    return createSiweMessage({
      ...{ domain, uri: siweUri, nonce, address: getAddress(address), chainId: 10, version: '1' },
      statement: 'Farcaster Auth',
      issuedAt: new Date(services.clock()),
      resources: [`farcaster://fid/${fid}`],
      ...(notBefore === undefined ? {} : { notBefore: new Date(notBefore) }),
      ...(expirationTime === undefined ? {} : { expirationTime: new Date(expirationTime) }),
      ...(requestId === undefined ? {} : { requestId }),
    });
  };
  const people = async () => {
    if (sampleWallets === undefined) return {};
    const fids = [...(await sampleWallets.find(db, SAMPLE_FIDS)).keys()].sort((a, b) => a - b);
    const users = await usersOf(fids);
    return { people: fids.map((fid) => viewUser(fid, users)) };
  };
  type ByToken = { Querystring: { channelToken?: unknown; address?: unknown; people?: unknown } };

  fastify.get(`${SIGN_IN_PATH}/page.js`, (_, reply) => send(reply, text('text/javascript'), signInScript));
  fastify.get(`${SIGN_IN_PATH}/page.css`, (_, reply) => send(reply, text('text/css'), signInStyle));
  fastify.get<ByToken>(SIGN_IN_PATH, { onRequest }, async ({ query: { channelToken } }, reply) => {
    await read(channelToken);
    return send(reply, text('text/html'), signInPage(base, signInUrl(publicUrl, String(channelToken))));
  });
  fastify.get<ByToken>(`${SIGN_IN_PATH}/request`, { onRequest }, async ({ query }, reply) => {
    const request = await read(query.channelToken);
    const { parameters, clientIp, userAgent, fid } = request;
    const view = {
      state: fid === null ? 'pending' : 'completed',
      domain: parameters.domain,
      uri: parameters.siweUri,
      asked: { ip: clientIp, user_agent: userAgent, foreign_origin: foreignOrigin(request) },
      redirect_url: safeRedirect(parameters),
      // The page asks for them once, because their keys have to be derived.
      ...(query.people === undefined ? {} : await people()),
    };
    return send(reply, JSON_TYPE, JSON.stringify(view));
  });
  fastify.get<ByToken>(`${SIGN_IN_PATH}/message`, { onRequest: onSign }, async ({ query }, reply) => {
    const request = await read(query.channelToken);
    const { address } = query;
    if (typeof address !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(address)) {
      throw invalidField('address', 'address must be an Ethereum address: 0x and 40 hex digits');
    }
    const rows = await selectAccountsOfAddress(db, fromHex(address));
    const fids = [
      ...new Set(rows.flatMap(({ fid, isCustody }) => (isCustody || request.acceptsAuthAddress ? [fid] : []))),
    ];
    if (fids.length === 0) throw notFound(`${address} is the wallet of no account that is known here.`, 'address');
    const users = await usersOf(fids);
    const accounts = await Promise.all(
      fids.map(async (fid) => ({ ...viewUser(fid, users), message: await messageOf(request, address, fid) })),
    );
    return send(reply, JSON_TYPE, JSON.stringify({ accounts }));
  });
  if (sampleWallets === undefined) return;
  fastify.post(`${SIGN_IN_PATH}/sample`, { onRequest: onSign }, async ({ headers, body }: FastifyRequest, reply) => {
    const token = bearerOf(headers.authorization);
    const request = await read(token);
    const { fid } = (body ?? {}) as { fid?: unknown };
    const wallet = typeof fid === 'number' ? (await sampleWallets.find(db, [fid])).get(fid) : undefined;
    if (wallet === undefined) throw invalidField('fid', 'fid must be an account of the sample network');
    const message = await messageOf(request, wallet.address, fid as number);
    await signInRelay.complete(token as string, { message, signature: await wallet.signMessage(message) });
    return send(reply, JSON_TYPE, JSON.stringify({ success: true }));
  });
};
