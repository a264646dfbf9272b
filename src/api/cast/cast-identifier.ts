import Type from 'typebox';
import type { ReadContext } from '../../cache/read-context.js';
import { invalidField } from '../../error.js';
import { findFidByUsername } from '../../hydrate/account.js';
import { stringEnum } from '../../schema/string-enum.js';
import { selectCastByPrefix } from '../../store/query/cast.js';
import { readCastAddress } from './cast-address.js';
import { readCastHash } from './cast-hash.js';

/** Query parameters that identify one cast. */
export const castIdentifier = {
  identifier: Type.String({ description: 'A web address when type is url, a cast hash when type is hash.' }),
  type: stringEnum(['url', 'hash']),
};

const hashOfAddress = async (text: string, read: ReadContext): Promise<string | undefined> => {
  const address = readCastAddress(text);
  if (address === undefined) {
    throw invalidField(
      'identifier',
      'identifier must be the web address of a cast: https://host/username/0x and at least 8 digits of its hash',
    );
  }
  if ('hash' in address) return address.hash;
  const fid = await findFidByUsername(read, address.username);
  return fid === undefined ? undefined : selectCastByPrefix(read, fid, address.prefix);
};

/**
 * @returns the cast's hash (hex without 0x), which may be of a cast that is not stored; undefined: no stored cast has
 *   this web address
 * @throws AppError 'invalid' with property `identifier` for text that is neither a hash nor a web address
 */
export const readIdentifier = async (
  { identifier, type }: { readonly identifier: string; readonly type: 'url' | 'hash' },
  read: ReadContext,
): Promise<string | undefined> => {
  if (type === 'url') return hashOfAddress(identifier, read);
  const hash = readCastHash(identifier);
  if (hash === undefined) throw invalidField('identifier', 'identifier must be a cast hash: 0x and 40 hex digits');
  return hash;
};
