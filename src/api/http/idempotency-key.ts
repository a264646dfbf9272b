import Type from 'typebox';
import { idempotent } from '../../write/idempotency.js';
import type { IdempotencyRecord } from '../../write/idempotency-record.js';
import type { OperationRequest } from './operation.js';
import type { Services } from './service.js';

const MAX_LENGTH = 255;

const walletId = Type.String({ description: 'Wallet to use for transactions.' });

/** Header of operations that use a wallet without a transaction. */
export const walletIdHeader = Type.Object({ 'x-wallet-id': walletId });

/**
 * Headers of operations that pay from a wallet. `Idempotency-Key` is the header of
 * draft-ietf-httpapi-idempotency-key-header; clients may send any text, not only the quoted text of the draft.
 */
export const walletHeaders = Type.Object({
  'x-wallet-id': walletId,
  'idempotency-key': Type.Optional(
    Type.String({
      maxLength: MAX_LENGTH,
      description:
        'Makes a retry safe: the same key with the same body within a day sends nothing again and is answered as the ' +
        'first request was. A random text of 16 characters or more is advised.',
    }),
  ),
});

interface WalletRequest extends Pick<OperationRequest, 'caller' | 'body'> {
  readonly headers: { readonly 'x-wallet-id': string; readonly 'idempotency-key'?: string };
}

/**
 * Runs an operation that pays from a wallet, once for each `Idempotency-Key` of the app.
 * @param operation operationId
 * @param run gets the idempotency record for `Sender.send`; undefined when there is no key
 * @param isFinal whether a response is stored; otherwise a retry calls `run` again with the same record
 * @returns the result of `run`, or its stored result
 * @throws AppError conflict, property `Idempotency-Key`, when the key was used with another body or wallet; errors of
 *   `run`
 */
export const onceForKey = <Result extends object>(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { caller, headers, body }: WalletRequest,
  operation: string,
  run: (idempotencyRecord: IdempotencyRecord | undefined) => Promise<Result>,
  isFinal?: (result: Result) => boolean,
): Promise<Result> => {
  const request = {
    appId: caller.appId,
    operation,
    idem: headers['idempotency-key'],
    property: 'Idempotency-Key',
    body: { wallet: headers['x-wallet-id'].toLowerCase(), body },
  };
  return idempotent({ db, clock }, request, run, isFinal);
};
