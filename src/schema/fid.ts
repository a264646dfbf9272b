import Type from 'typebox';
import { named } from './named.js';

/**
 * The protocol's fids have 64 bits; those up to 2^53 - 1, which JSON holds exactly, are accepted and shown. The public
 * interface says 32 bits, but any cast may have a parent or a mention with a larger fid.
 */
export const Fid = named(
  'Fid',
  Type.Integer({ format: 'int64', minimum: 1, description: 'Number of an account (FID).' }),
);

export const FidOrZero = named(
  'FidOrZero',
  Type.Integer({ format: 'int64', minimum: 0, description: 'Number of an account (FID); 0 is nobody.' }),
);
