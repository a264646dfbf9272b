import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { concat, encodeFunctionData, erc20Abi } from 'viem';
import { invalidField, notFound } from '../../error.js';
import { fromHex, toHex } from '../../hex.js';
import { paymentMarker } from '../../onchain/payment/marker.js';
import { reportPayment } from '../../onchain/payment/settle.js';
import { type PayFrameRow, selectPayFrame } from '../../store/onchain/pay-frame.js';
import { isUuid } from '../../uuid.js';
import { createGuard } from '../http/access-control.js';
import { JSON_TYPE } from '../http/json-type.js';
import type { Services } from '../http/service.js';
import { pagePolicy, pageSender, STATIC_CACHE } from '../web-page/page-reply.js';
import { findPayment } from './find-payment.js';
import { payImage } from './pay-image.js';
import { buttonText, payPage, payStyle } from './pay-page.js';
import { payScript } from './pay-page-script.js';
import { paymentValue } from './payment-value.js';
import { configOf, PAY_PATH, payableOf } from './view-pay-frame.js';

/** The SDK of mini apps, which `scripts/compile.mjs` bundles for browsers. */
const SDK_FILE = fileURLToPath(new URL('../../../dist/pay-sdk.js', import.meta.url));

/**
 * The page loads nothing from other servers except the pictures of its items. Clients on the web show mini apps in a
 * frame; the wallet asks its owner to confirm each payment, so a framed page cannot pay unnoticed.
 */
const POLICY = pagePolicy(["script-src 'self'", "style-src 'self'", "img-src 'self' https:", "connect-src 'self'"], {
  frames: "'self' https:",
});
const send = pageSender({ 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' });

const HASH = /^0x[0-9a-f]{64}$/i;

/** @returns the call that pays, with the marker of the page behind its arguments */
const transactionOf = ({ id, token, recipient, units }: PayFrameRow) => {
  const args = [toHex(recipient), BigInt(units)] as const;
  const call = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args });
  return { to: toHex(token), data: concat([call, paymentMarker(id)]), value: '0x0' };
};

/**
 * What the page shows; `chain_id` is that to which the wallet has to switch, in development the local chain.
 * @param value of the amount in US dollars
 */
const viewPayment = (frame: PayFrameRow, isCompleted: boolean, value: string | undefined) => {
  const { line_items, action, allowlist_fids } = configOf(frame);
  return {
    status: isCompleted ? 'completed' : 'created',
    app: frame.appName,
    amount: frame.amount,
    symbol: frame.symbol,
    ...(value !== undefined && { value_usd: value }),
    network: frame.network,
    chain_id: frame.chainId,
    recipient: toHex(frame.recipient),
    token: toHex(frame.token),
    line_items,
    action: { ...action, text: buttonText(frame) },
    ...(allowlist_fids && { payers: allowlist_fids }),
    transaction: transactionOf(frame),
  };
};

/**
 * Serves the pages of payments, what their script requests, and the manifest of the mini app. They need no API key: the
 * pages are for payers, who get the unguessable address from the app.
 * @param base path prefix of the service behind a proxy; '' at the root
 */
export const registerPayPages = (fastify: FastifyInstance, services: Services, base: string): void => {
  const { db, networks, clock, log, publicUrl, domainAssociation } = services;
  const onRequest = createGuard(
    { id: 'pay-page', family: 'v2', errors: [400, 404], scope: 'public', limitsAddresses: true },
    services,
  );
  type ById = { Params: { id: string } };
  const find = async (id: string): Promise<PayFrameRow> => {
    const frame = isUuid(id) ? await selectPayFrame(db, id) : undefined;
    if (frame) return frame;
    throw notFound('There is no payment at this address. Ask the app for a new link.');
  };
  const text = (type: string): string => `${type}; charset=utf-8`;
  const path = (name: string): string => `${PAY_PATH}${name}`;
  fastify.get(path('/page.js'), (_, reply) => send(reply, text('text/javascript'), payScript, STATIC_CACHE));
  fastify.get(path('/page.css'), (_, reply) => send(reply, text('text/css'), payStyle, STATIC_CACHE));
  let sdk: Promise<Buffer> | undefined;
  fastify.get(path('/sdk.js'), async (_, reply) => {
    sdk ??= readFile(SDK_FILE);
    const script = await sdk.catch(() => {
      sdk = undefined;
      throw notFound(
        'The SDK of mini apps is made by `npm run build`; without it, the page uses the wallet of the browser.',
      );
    });
    return send(reply, text('text/javascript'), script, STATIC_CACHE);
  });
  for (const name of ['preview', 'icon'] as const) {
    fastify.get(path(`/${name}.png`), async (_, reply) =>
      send(reply, 'image/png', await payImage(name), 'public, max-age=86400'),
    );
  }
  fastify.get(PAY_PATH, (_, reply) => send(reply, text('text/html'), payPage(undefined, publicUrl, base)));
  fastify.get<ById>(path('/:id'), { onRequest }, async ({ params }, reply) =>
    send(reply, text('text/html'), payPage(await find(params.id), publicUrl, base)),
  );
  fastify.get<ById>(path('/:id/payment'), { onRequest }, async ({ params }, reply) => {
    const frame = await find(params.id);
    const [isCompleted, value] = await Promise.all([
      findPayment(services, frame, log),
      paymentValue(services, frame, log),
    ]);
    return send(reply, JSON_TYPE, JSON.stringify(viewPayment(frame, isCompleted, value)));
  });
  fastify.post<ById>(path('/:id/transaction'), { onRequest }, async ({ params, body }, reply) => {
    const frame = await find(params.id);
    const { hash } = (body ?? {}) as { hash?: unknown };
    if (typeof hash !== 'string' || !HASH.test(hash))
      throw invalidField('hash', 'hash must be that of a transaction: 0x and 64 hex digits.');
    const result = await reportPayment({ db, networks, clock }, payableOf(frame), fromHex(hash));
    if (result.state === 'refused') throw invalidField('hash', result.detail);
    const status = result.state === 'completed' ? 'completed' : 'created';
    const detail = result.state === 'open' ? { detail: result.detail } : {};
    return send(reply, JSON_TYPE, JSON.stringify({ status, ...detail }));
  });
  fastify.get('/.well-known/farcaster.json', (_, reply) => {
    if (!domainAssociation) {
      const message = 'The operator of this service has not signed for its domain (CASTELLAN_MINIAPP_ASSOCIATION).';
      throw notFound(message);
    }
    const manifest = {
      accountAssociation: domainAssociation,
      miniapp: {
        version: '1',
        name: 'Payments',
        iconUrl: `${publicUrl}${PAY_PATH}/icon.png`,
        homeUrl: `${publicUrl}${PAY_PATH}`,
        splashImageUrl: `${publicUrl}${PAY_PATH}/icon.png`,
        splashBackgroundColor: '#1b2a41',
      },
    };
    return send(reply, JSON_TYPE, JSON.stringify(manifest), STATIC_CACHE);
  });
};
