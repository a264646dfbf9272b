import Type, { type Static } from 'typebox';
import { EthAddress } from '../address.js';
import { Fid } from '../fid.js';
import { namedObject } from '../named.js';
import { nullable } from '../nullable.js';
import { stringEnum } from '../string-enum.js';

/** A user shown only by name and picture; only `fid` is required. */
export const UserDehydrated = namedObject('UserDehydrated', {
  custody_address: Type.Optional(EthAddress),
  display_name: Type.Optional(nullable(Type.String())),
  fid: Fid,
  object: stringEnum(['user_dehydrated']),
  pfp_url: Type.Optional(nullable(Type.String())),
  score: Type.Optional(Type.Number()),
  username: Type.Optional(Type.String()),
});
export type UserDehydrated = Static<typeof UserDehydrated>;
