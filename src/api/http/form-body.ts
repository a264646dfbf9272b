import { Busboy } from '@fastify/busboy';
import { AppError, invalidField } from '../../error.js';
import { requireStorableText } from './storable-text.js';

/** A body of `multipart/form-data`. */
export interface ReceivedForm {
  /** Text parts by name, and an empty text for each file, so that the schema of the body can be checked. */
  readonly fields: Readonly<Record<string, string>>;
  /** Files by name, without empty ones, which browsers send where none was chosen. */
  readonly files: ReadonlyMap<string, Buffer>;
}

const LIMITS = { fields: 20, files: 1, fieldNameSize: 100, fieldSize: 64 * 1024, headerPairs: 20 };

const unreadable = (): AppError => {
  const message = 'The body is no form: send it as multipart/form-data with a boundary.';
  return new AppError('invalid', 'InvalidField', message, { property: 'body' });
};

/**
 * Parses a form.
 * @param contentType header with the boundary
 * @throws AppError invalid for what is no form, a part that is sent twice, more than 20 texts or 1 file, a text of more than 64 KiB,
 *   and text that cannot be stored
 */
export const readForm = async (contentType: string, bytes: Buffer): Promise<ReceivedForm> => {
  const parts = new Map<string, string>();
  const files = new Map<string, Buffer>();
  const fault = await new Promise<AppError | undefined>((resolve) => {
    const add = (name: string, text: string): void => {
      if (parts.has(name)) resolve(invalidField(name, `${name} must be sent once`));
      else parts.set(name, text);
    };
    try {
      const parser = new Busboy({ headers: { 'content-type': contentType }, limits: LIMITS });
      parser.on('field', (name, text, nameTruncated, valueTruncated) => {
        if (nameTruncated) resolve(invalidField(name, 'a name of a part is too long'));
        else if (valueTruncated) resolve(invalidField(name, `${name} must have at most 64 KiB`));
        else add(name, text);
      });
      parser.on('file', (name, stream) => {
        const chunks: Buffer[] = [];
        // Without a listener, a form that ends within a file would end the process.
        stream.on('error', () => resolve(unreadable()));
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          add(name, '');
          const file = Buffer.concat(chunks);
          if (file.length > 0) files.set(name, file);
        });
      });
      parser.on('fieldsLimit', () =>
        resolve(invalidField('body', `the form must have at most ${LIMITS.fields} texts`)),
      );
      parser.on('filesLimit', () => resolve(invalidField('body', 'the form must have at most one file')));
      parser.on('error', () => resolve(unreadable()));
      parser.on('finish', () => resolve(undefined));
      parser.end(bytes);
    } catch {
      resolve(unreadable());
    }
  });
  if (fault) throw fault;
  const fields = Object.fromEntries(parts);
  requireStorableText(fields);
  return { fields, files };
};
