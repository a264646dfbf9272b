import type { FastifyInstance } from 'fastify';
import { invalidField } from '../error.js';

/** JSON and raw bodies (`submitMessage`) up to this size; Fastify answers 413 beyond it. */
export const BODY_LIMIT_BYTES = 1024 * 1024;

/** PostgreSQL cannot keep the character NUL in a text. @returns whether any text of the value holds one. */
const holdsNul = (value: unknown): boolean => {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, member]) => name.includes('\0') || holdsNul(member));
};

/** Lets the server read JSON, with forbidden member names (`__proto__`) refused, and raw bytes; nothing else. */
export const addBodyParsers = (fastify: FastifyInstance): void => {
  const parseJson = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    // Answers through the callback alone, whatever its type allows.
    void parseJson(request, text as string, (error, body: unknown) => {
      if (error === null && (text as string).includes('\\u0000') && holdsNul(body)) {
        const members = Object.entries(body ?? {});
        const [property = 'body'] = members.find(([, member]) => holdsNul(member)) ?? [];
        done(invalidField(property, `${property} must be text without the character NUL`));
      } else done(error, body);
    });
  });
  fastify.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, bytes, done) => {
    done(null, bytes);
  });
};
