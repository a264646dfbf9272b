import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { type AppError, invalidField } from '../error.js';
import { isDeeper, MAX_LEVELS } from '../json-depth.js';
import { countMembers, findDuplicateMember } from './http/duplicate-member.js';
import { type ReceivedForm, readForm } from './http/form-body.js';
import { signedJson } from './http/operation.js';
import { isUnfit, unstorable } from './http/storable-text.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for `multipart/form-data`. */
    form: ReceivedForm | null;
  }
}

/** Maximum size of JSON and raw bodies (`submitMessage`); Fastify responds 413 to larger ones. */
export const BODY_LIMIT_BYTES = 1024 * 1024;

/** Maximum number of members of all objects: far above any valid body, and checked in a few milliseconds. */
const MAX_MEMBERS = 10_000;

/** A body that was read as UTF-8 can contain such characters only as escapes. */
const ESCAPES = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * @param text the received JSON
 * @returns the error for valid JSON that cannot be processed; undefined: none
 */
const errorOf = (body: unknown, text: string): AppError | undefined => {
  const find = (isCause: (value: unknown) => boolean): string =>
    Object.entries(Array.isArray(body) ? {} : (body ?? {})).find(([, member]) => isCause(member))?.[0] ?? 'body';
  if (isDeeper(body, MAX_LEVELS)) {
    const property = find((member) => isDeeper(member, MAX_LEVELS - 1));
    return invalidField(property, `${property} must have at most ${MAX_LEVELS} levels of lists and objects`);
  }
  const duplicate = findDuplicateMember(text, body);
  if (duplicate !== undefined)
    return invalidField(duplicate, `${duplicate.slice(0, 100)} must stand once in its object`);
  if (!ESCAPES.test(text) || !isUnfit(body)) return undefined;
  return unstorable(find(isUnfit));
};

/**
 * Parses JSON bodies, rejecting forbidden member names (`__proto__`) and members that stand twice, raw bytes, and forms. Operations with signed JSON get the
 * received text.
 */
export const addBodyParsers = (fastify: FastifyInstance): void => {
  const parseJson = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (request.routeOptions.config.operation?.body === signedJson) {
      done(null, text);
      return;
    }
    if (countMembers(text as string) > MAX_MEMBERS) {
      done(invalidField('body', `body must have at most ${MAX_MEMBERS} members`));
      return;
    }
    // It responds through the callback only, although its type allows a promise.
    void parseJson(request, text as string, (error, body: unknown) => {
      const fault = error === null ? errorOf(body, text as string) : undefined;
      if (fault) done(fault);
      else done(error, body);
    });
  });
  fastify.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, bytes, done) => {
    done(null, bytes);
  });
  fastify.decorateRequest('form', null);
  fastify.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: unknown) => {
      request.form = await readForm(request.headers['content-type'] ?? '', bytes as Buffer);
      // The validator adds defaults to the body.
      return { ...request.form.fields };
    },
  );
  // Axios sends a missing body as an empty form. Other forms are rejected.
  fastify.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, (_request, bytes, done) => {
    if (bytes.length === 0) done(null);
    else done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
  });
};
