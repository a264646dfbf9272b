import Type from 'typebox';
import { idempotent } from '../../write/idempotency.js';
import type { Journal } from '../../write/journal.js';
import type { OperationRequest } from '../operation.js';
import type { Services } from '../service.js';

const MAX_LENGTH = 255;

const walletId = Type.String({ description: 'Wallet to use for transactions.' });

/** Header of operations that a wallet stands for, without a transaction. */
export const walletIdHeader = Type.Object({ 'x-wallet-id': walletId });

/**
 * Headers of operations that pay from a wallet. `Idempotency-Key` is the header of
 * draft-ietf-httpapi-idempotency-key-header; its syntax there is a quoted text, what clients send is any text.
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
 * @param run gets the journal for `Sender.send`; undefined when there is no key
 * @param isFinal whether an answer is kept; after one that is not, the next try runs `run` with the same journal
 * @returns what `run` returns, or what it returned the first time
 * @throws AppError conflict, property `Idempotency-Key`, when the key came with another body or wallet; what `run` throws
 */
export const onceForKey = <Answer extends object>(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { caller, headers, body }: WalletRequest,
  operation: string,
  run: (journal: Journal | undefined) => Promise<Answer>,
  isFinal?: (answer: Answer) => boolean,
): Promise<Answer> => {
  const request = {
    appId: caller.appId,
    operation,
    idem: headers['idempotency-key'],
    property: 'Idempotency-Key',
    body: { wallet: headers['x-wallet-id'].toLowerCase(), body },
  };
  return idempotent({ db, clock }, request, run, isFinal);
};
