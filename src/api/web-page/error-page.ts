import type { FastifyRequest } from 'fastify';
import type { AppError } from '../../error.js';
import { statusOf } from '../http/error.js';
import { escapeHtml, htmlPage } from './html-page.js';
import { pagePolicy } from './page-reply.js';

/** Paths that programs ask, also when a person has typed one. */
const PROGRAM_PATH = /^\/+(v1|v2|portal|operator|mcp|auth|\.well-known|health|metrics|openapi\.json)(\/|\?|#|$)/;

/** @returns whether a person waits for the response: a browser that opens a page */
export const wantsPage = ({ method, headers, url }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  (headers.accept?.includes('text/html') ?? false) &&
  !PROGRAM_PATH.test(url);

export const ERROR_PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': pagePolicy(["style-src 'self'", "img-src 'self' data:"]),
  'cache-control': 'no-store',
  vary: 'accept',
};

const HEADINGS: Readonly<Record<number, string>> = {
  404: 'There is nothing at this address',
  410: 'This is no longer here',
  429: 'Too many requests',
  503: 'The service cannot answer now',
};

/**
 * @param base path prefix of the service behind a proxy; '' at the root
 * @param requestId with which the operator finds the request in the log
 */
export const errorPage = (error: AppError, base: string, requestId: string): string => {
  const status = statusOf(error);
  const heading = HEADINGS[status] ?? (status < 500 ? 'This request cannot be answered' : 'Something failed here');
  const help =
    status < 500
      ? 'If a link led you here, ask the app or person that gave it to you for a new one.'
      : `Try again in a minute. If it stays so, tell the operator of this service the request id <code>${escapeHtml(requestId)}</code>.`;
  return htmlPage({
    title: `${heading} · Castellan`,
    base,
    body: `        <div class="card">
          <h1>${heading}</h1>
          <p>${escapeHtml(error.message)}</p>
          <p>${help}</p>
          <p><a href="${base}/">To the start page</a> · <a href="${base}/guides">Guides</a> · <a href="${base}/docs">Reference</a></p>
        </div>`,
  });
};
