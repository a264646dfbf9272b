import { errorCodes, type FastifyInstance } from 'fastify';
import { type AppError, invalidField } from '../error.js';
import { signedJson } from './operation.js';

/** JSON and raw bodies (`submitMessage`) up to this size; Fastify answers 413 beyond it. */
export const BODY_LIMIT_BYTES = 1024 * 1024;

/** Levels of lists and objects, far above what any operation means and far below what fills the stack of who walks them. */
const MAX_LEVELS = 64;

/** @returns whether a value is nested deeper than so many levels. */
const isDeeper = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
};

/** Only escapes can bring them into a body that was read as UTF-8. */
const ESCAPES = /\\u(?:0000|[dD][89a-fA-F])/;

/** NUL, which PostgreSQL cannot keep in a text, and halves of surrogate pairs, which have no UTF-8 form. */
const UNFIT = /[\0\p{Cs}]/u;

/** @returns whether any text of the value holds such a character. */
const isUnfit = (value: unknown): boolean => {
  if (typeof value === 'string') return UNFIT.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, member]) => UNFIT.test(name) || isUnfit(member));
};

/**
 * @param text that the body was read from
 * @returns the error for what JSON allows and nothing here can work with; undefined: there is none
 */
const faultOf = (body: unknown, text: string): AppError | undefined => {
  const find = (isAtFault: (value: unknown) => boolean): string =>
    Object.entries(Array.isArray(body) ? {} : (body ?? {})).find(([, member]) => isAtFault(member))?.[0] ?? 'body';
  if (isDeeper(body, MAX_LEVELS)) {
    const property = find((member) => isDeeper(member, MAX_LEVELS - 1));
    return invalidField(property, `${property} must have at most ${MAX_LEVELS} levels of lists and objects`);
  }
  if (!ESCAPES.test(text) || !isUnfit(body)) return undefined;
  const property = find(isUnfit);
  return invalidField(property, `${property} must be text without the character NUL and without halves of characters`);
};

/**
 * Lets the server read JSON, with forbidden member names (`__proto__`) refused, and raw bytes; nothing else. Where an
 * operation asks for signed JSON, its text is handed on as it came.
 */
export const addBodyParsers = (fastify: FastifyInstance): void => {
  const parseJson = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (request.routeOptions.config.operation?.body === signedJson) {
      done(null, text);
      return;
    }
    // Answers through the callback alone, whatever its type allows.
    void parseJson(request, text as string, (error, body: unknown) => {
      const fault = error === null ? faultOf(body, text as string) : undefined;
      if (fault) done(fault);
      else done(error, body);
    });
  });
  fastify.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, bytes, done) => {
    done(null, bytes);
  });
  // Clients that post nothing call it an empty form (axios, and the ecosystem's package with it). Others are refused.
  fastify.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, (_request, bytes, done) => {
    if (bytes.length === 0) done(null);
    else done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
  });
};
