import { HubServiceService } from '@farcaster/hub-nodejs';
import type { Caller } from '../../access/caller.js';
import type { ReadContext } from '../../cache/read-context.js';
import { AppError } from '../../error.js';
import type { Services } from '../http/service.js';
import type { CalledOperation } from './access.js';

type Service = typeof HubServiceService;
/** As the protocol's package names it: `getCast`. */
export type RpcName = keyof Service & string;
/** @template Name of a call */
export type RequestOf<Name extends RpcName> = ReturnType<Service[Name]['requestDeserialize']>;

/** A call with one response. */
export interface Rpc<Request = unknown> {
  readonly name: RpcName;
  readonly operation: CalledOperation;
  /** Reads from the database: the response may come from the cache. @returns the bytes of the response @throws AppError */
  readonly read?: (request: Request, read: ReadContext, services: Services) => Promise<Uint8Array>;
  /** Does what may not be cached. @param wire the bytes of the request @throws AppError */
  readonly handle?: (
    request: Request,
    services: Services,
    call: { readonly wire: Buffer; readonly caller: Caller },
  ) => Promise<Uint8Array>;
}

type Definition<Name extends RpcName> = Omit<Rpc<RequestOf<Name>>, 'name' | 'operation'>;

/**
 * Declares a call of the hub's service.
 * @param operation the operation over HTTP that answers the same, whose scope, limits and cost it has
 */
export const rpc = <Name extends RpcName>(name: Name, operation: CalledOperation, definition: Definition<Name>): Rpc =>
  ({ name, operation, ...definition }) as Rpc;

/** @throws AppError invalid for bytes that are no request of this call */
export const decodeRequest = <Name extends RpcName>(name: Name, wire: Buffer): RequestOf<Name> => {
  try {
    return HubServiceService[name].requestDeserialize(wire) as RequestOf<Name>;
  } catch (cause) {
    throw new AppError('invalid', 'InvalidRequest', `The bytes are no request of ${name}.`, { cause });
  }
};

/** Declares a call that has no operation over HTTP. */
export const ownCall = (id: string, units: number, scope: 'read' | 'write' = 'read'): CalledOperation => ({
  id,
  scope,
  cost: { fixed: units },
});
