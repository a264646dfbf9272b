import { EventEmitter } from 'node:events';
import type { Metadata } from '@grpc/grpc-js';
import { type Caller, KEYLESS_CALLER } from '../../access/caller.js';
import { hubKeyOf, KEY_HEADERS } from '../../access/key-header.js';
import { AppError } from '../../error.js';
import { LACKS_SCOPE } from '../../schema/scope.js';
import { clientAddress } from '../http/client-address.js';
import type { Operation } from '../http/operation.js';
import type { Services } from '../http/service.js';
import type { Admission } from '../limit/admission.js';
import type { RequestSlot } from '../limit/key-queue.js';
import { type Allowance, tooManyKeylessReads, tooManyRequests } from '../limit/rate-limit.js';

/** The operation whose scope, limits and cost a call has. */
export type CalledOperation = Pick<Operation, 'id' | 'scope' | 'cost' | 'query' | 'body'>;

/** One call, as the limits see it: its place in the queue, and its end. */
export class Call extends EventEmitter {
  slot: RequestSlot | null = null;
  /** Whose call it is, once that is known. */
  caller: Caller | undefined;
  readonly req = {};

  /** The call has ended, or its client has cancelled it. */
  close(): void {
    this.emit('close');
  }

  /** Keeps the place of the call until the work has ended, also if the client cancels it before. */
  async hold<Result>(work: () => Promise<Result>): Promise<Result> {
    const { slot } = this;
    if (slot !== null) slot.isWorking = true;
    try {
      return await work();
    } finally {
      slot?.worked();
    }
  }
}

/** @returns the key of a call, in any of the headers that carry one over HTTP, or as the password of Basic */
export const keyOfMetadata = (metadata: Metadata): string | undefined => {
  const headers = Object.fromEntries(
    KEY_HEADERS.flatMap((name) => {
      const [value] = metadata.get(name);
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
  return hubKeyOf(headers);
};

/** @param peer as the RPC library prints it: `127.0.0.1:4711`, `[::1]:4711` */
export const addressOf = (peer: string): string => clientAddress(peer.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1'));

/** @returns whether a call may be made without a key */
export const isOpen = ({ scope }: CalledOperation, { publicReads }: Services): boolean =>
  scope === 'read' && publicReads !== 'off';

/** Waits for the turn of a call. Never settles if its client leaves before. */
const enter = (admission: Admission, subject: string, call: Call, isKeyless: boolean): Promise<void> =>
  new Promise((resolve, reject) => {
    const start = (refusal?: AppError): void => (refusal === undefined ? resolve() : reject(refusal));
    admission.enter(subject, call, call, start, isKeyless);
  });

const lacksScope = (scope: string): AppError => new AppError('forbidden', 'Forbidden', `${LACKS_SCOPE} ${scope}.`);

export type Guard = (call: Call, metadata: Metadata, peer: string) => Promise<Caller>;

/**
 * @returns a function that decides, as the guard of HTTP does, who calls and whether that is allowed now: key or no key,
 *   scope, rate limit, turn. It throws AppError
 */
export const createGuard = (operation: CalledOperation, services: Services): Guard => {
  const { id, scope } = operation;
  const { authenticator, rateLimiter, admission } = services;
  const limit = rateLimiter.of(id);
  const isKeyless = isOpen(operation, services);
  const require = (allowance: Allowance | undefined, refuse: (allowance: Allowance) => AppError): void => {
    if (allowance?.exceeded) throw refuse(allowance);
  };
  return async (call, metadata, peer) => {
    const key = keyOfMetadata(metadata);
    if (key === undefined && isKeyless) {
      const address = addressOf(peer);
      require(await rateLimiter.consumeForKeylessRead(address), tooManyKeylessReads);
      await enter(admission.work, `address ${address}`, call, true);
      return KEYLESS_CALLER;
    }
    const found = authenticator.authenticate(key);
    const caller = found instanceof Promise ? await found : found;
    require(await limit.consumeForKey(caller), tooManyRequests);
    if (!caller.scopes.has(scope)) throw lacksScope(scope);
    await enter(admission.work, caller.keyId, call, false);
    return caller;
  };
};
