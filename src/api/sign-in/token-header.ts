import Type from 'typebox';
import { bearerOf } from '../../access/key-header.js';
import { AppError } from '../../error.js';

/** Headers of operations for which the token of a sign-in is the credential. */
export const TokenHeaders = Type.Object({ authorization: Type.Optional(Type.String()) });

export const TOKEN_PARAMETERS = {
  authorization: { description: '`Bearer` and the `channelToken` of the sign-in.' },
};

/** @throws AppError 'unauthorized' without a token */
export const requireToken = ({ authorization }: { readonly authorization?: string }): string => {
  const token = bearerOf(authorization);
  if (token !== undefined) return token;
  throw new AppError(
    'unauthorized',
    'MissingToken',
    'Send the channelToken of the sign-in as `Authorization: Bearer`.',
  );
};
