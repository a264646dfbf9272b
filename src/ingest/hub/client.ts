import {
  type FidsResponse,
  type GetInfoResponse,
  HubServiceService,
  type OnChainEvent,
  type OnChainEventType,
  type SignersByFidResponse,
  type UserNameProof,
} from '@farcaster/hub-nodejs';
import {
  Client,
  type ClientReadableStream,
  connectivityState,
  credentials,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import type { HubAddress } from '../../config/parse.js';
import { AppError } from '../../error.js';
import { ALL_EVENT_TYPES } from '../event-item.js';
import { readUsernameProof, readUsernameProofs } from '../username-proof-wire.js';
import { type MessagePage, readMessagePage } from '../wire.js';

/** A page of 1,000 messages takes a few MB; larger responses are rejected. */
const MAX_RESPONSE_BYTES = 64 * 2 ** 20;
/** Timeout of a call in milliseconds. */
const CALL_DEADLINE = 30_000;

const CHANNEL_OPTIONS = {
  'grpc.max_receive_message_length': MAX_RESPONSE_BYTES,
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.initial_reconnect_backoff_ms': 200,
  'grpc.max_reconnect_backoff_ms': 5_000,
} as const;

/** Status codes after which the same call may succeed. */
const TRANSIENT_CODES: ReadonlySet<number> = new Set([
  status.UNAVAILABLE,
  status.DEADLINE_EXCEEDED,
  status.RESOURCE_EXHAUSTED,
  status.ABORTED,
  status.CANCELLED,
]);

type Service = typeof HubServiceService;
type RequestOf<Name extends keyof Service> = Parameters<Service[Name]['requestSerialize']>[0];

/** Calls that respond with pages of messages. */
export type MessageCall =
  | 'getAllCastMessagesByFid'
  | 'getAllReactionMessagesByFid'
  | 'getAllLinkMessagesByFid'
  | 'getLinkCompactStateMessageByFid'
  | 'getAllVerificationMessagesByFid'
  | 'getAllUserDataMessagesByFid'
  | 'getAllLendStorageMessagesByFid'
  | 'getCastsByParent'
  | 'getCastsByMention'
  | 'getReactionsByTarget'
  | 'getLinksByTarget';

/**
 * Client of a hub's gRPC service, which leaves messages as wire bytes.
 * Every call throws AppError: kind `unavailable` if a retry may succeed, `bad_gateway` otherwise.
 */
export class HubClient {
  readonly #signal: AbortSignal;
  /** `host:port`; positions are stored under this name. */
  readonly hub: string;
  readonly #client: Client;

  /**
   * Connects on the first call.
   * @param signal cancels running calls
   */
  constructor({ address, tls }: HubAddress, signal: AbortSignal) {
    this.#signal = signal;
    this.hub = address;
    this.#client = new Client(address, tls ? credentials.createSsl() : credentials.createInsecure(), CHANNEL_OPTIONS);
  }

  getInfo(): Promise<GetInfoResponse> {
    return this.#call('getInfo', {}, HubServiceService.getInfo.responseDeserialize);
  }

  /** @returns one page of the accounts of a shard. */
  getFids(request: RequestOf<'getFids'>): Promise<FidsResponse> {
    return this.#call('getFids', request, HubServiceService.getFids.responseDeserialize);
  }

  getMessages<Name extends MessageCall>(name: Name, request: RequestOf<Name>): Promise<MessagePage> {
    return this.#call(name, request, readMessagePage);
  }

  /** @returns all onchain events of one type of an account, which hubs do not page */
  async getOnChainEvents(fid: number, eventType: OnChainEventType): Promise<OnChainEvent[]> {
    const read = HubServiceService.getOnChainEvents.responseDeserialize;
    return (await this.#call('getOnChainEvents', { fid, eventType }, read)).events;
  }

  /** @returns the proofs of all names of an account, including those from messages, without invalid ones */
  getUsernameProofs(fid: number): Promise<UserNameProof[]> {
    return this.#call('getUserNameProofsByFid', { fid }, readUsernameProofs);
  }

  /** @returns the proof of a name, whichever account sent it; undefined if the hub has none, or an invalid one */
  async getUsernameProof(name: Uint8Array): Promise<UserNameProof | undefined> {
    return this.#call('getUsernameProof', { name }, readUsernameProof).catch((error: unknown) => {
      if (hubStatus(error) === status.NOT_FOUND) return undefined;
      throw error;
    });
  }

  /** @returns one page of the keys that may sign for an account, onchain and offchain */
  getSigners(fid: number, pageToken: Uint8Array | undefined): Promise<SignersByFidResponse> {
    const request = { fid, pageToken, requesterFids: [] };
    return this.#call('getSignersByFid', request, HubServiceService.getSignersByFid.responseDeserialize);
  }

  /**
   * Submits the exact bytes of a signed message to the hub.
   * @throws AppError kind `invalid` with the hub's message if it rejects the message, `unavailable` if it does not
   *   respond
   */
  submitMessage(wire: Uint8Array): Promise<void> {
    const { path } = HubServiceService.submitMessage;
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        path,
        (bytes: Uint8Array) => Buffer.from(bytes),
        (bytes: Buffer) => bytes,
        wire,
        { deadline: Date.now() + CALL_DEADLINE },
        (failure) => (failure ? reject(submitFailed(failure)) : resolve()),
      );
    });
  }

  /**
   * Opens the event stream of a shard from an id (inclusive), or from now.
   * @returns events as wire bytes. The stream ends with an error of the gRPC library; it has backpressure.
   */
  subscribe(shardIndex: number | undefined, fromId: number | undefined): ClientReadableStream<Buffer> {
    const { path, requestSerialize } = HubServiceService.subscribe;
    const request = { eventTypes: [...ALL_EVENT_TYPES], fromId, shardIndex };
    return this.#client.makeServerStreamRequest(path, requestSerialize, (bytes) => bytes, request);
  }

  /** True while connected. */
  get isReady(): boolean {
    return this.#client.getChannel().getConnectivityState(false) === connectivityState.READY;
  }

  close(): void {
    this.#client.close();
  }

  /** Decodes responses itself, so that invalid ones are distinguished from connection errors. */
  #call<Name extends keyof Service, Answer>(
    name: Name,
    request: RequestOf<Name>,
    read: (bytes: Buffer) => Answer,
  ): Promise<Answer> {
    const { path, requestSerialize } = HubServiceService[name];
    return new Promise((resolve, reject) => {
      const unary = this.#client.makeUnaryRequest(
        path,
        requestSerialize as (value: RequestOf<Name>) => Buffer,
        (bytes: Buffer) => bytes,
        request,
        { deadline: Date.now() + CALL_DEADLINE },
        (failure, bytes) => {
          this.#signal.removeEventListener('abort', cancel);
          if (failure) return reject(callFailed(name, failure));
          try {
            resolve(read(bytes ?? Buffer.alloc(0)));
          } catch (cause) {
            reject(
              new AppError('bad_gateway', 'HubAnswerInvalid', `The hub's answer to ${name} is ill-formed.`, { cause }),
            );
          }
        },
      );
      const cancel = () => unary.cancel();
      this.#signal.addEventListener('abort', cancel);
    });
  }
}

const hubStatus = (error: unknown): number | undefined => {
  const failure = error instanceof AppError ? error.cause : error;
  const code = (failure as Partial<ServiceError> | null | undefined)?.code;
  return typeof code === 'number' ? code : undefined;
};

/** True if the same call may succeed later. */
export const isHubUnavailable = (error: unknown): boolean => TRANSIENT_CODES.has(hubStatus(error) ?? status.UNKNOWN);

/**
 * @returns the id of the first event that the hub has, if it refused a stream because it does not have those that were asked
 *   for: Castellan says so, while snapchain begins with what it has
 */
export const firstEventOf = (error: unknown): number | undefined => {
  if (hubStatus(error) !== status.OUT_OF_RANGE) return undefined;
  const [text] = (error as ServiceError).metadata?.get('x-first-event-id') ?? [];
  const id = Number(text);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
};

/** True if the hub does not know the call, as older hubs lack newer calls. */
export const isUnimplemented = (error: unknown): boolean => hubStatus(error) === status.UNIMPLEMENTED;

/** Status codes with which a hub rejects the message itself. */
const REFUSING: ReadonlySet<number> = new Set([
  status.INVALID_ARGUMENT,
  status.NOT_FOUND,
  status.ALREADY_EXISTS,
  status.FAILED_PRECONDITION,
  status.OUT_OF_RANGE,
]);

/**
 * Snapchain puts its error code into `x-err-code` and sends `code/reason` as the message (its src/core/error.rs); older
 * hubs put it into `errcode`.
 */
const submitFailed = (failure: ServiceError): AppError => {
  if (!REFUSING.has(failure.code)) return callFailed('submitMessage', failure);
  const words = ['x-err-code', 'errcode'].map((name) => failure.metadata?.get(name)[0]?.toString());
  const hubCode = words.find((word) => word !== undefined) ?? 'bad_request';
  const reason = failure.details.startsWith(`${hubCode}/`)
    ? failure.details.slice(hubCode.length + 1)
    : failure.details;
  const message = `The hub refused the message: ${reason}`;
  return new AppError('invalid', 'InvalidMessage', message, { hubCode, cause: failure });
};

/**
 * A call without a connection was never sent, so what it asked for was not done.
 * @source the words of the gRPC library, `subchannel` and `picker` of `@grpc/grpc-js`
 */
const wasNeverSent = ({ code, details }: ServiceError): boolean =>
  code === status.UNAVAILABLE && /^(No connection established|Name resolution failed)/.test(details);

/** Code of an error for a call that was never sent. */
export const HUB_UNREACHABLE = 'HubUnreachable';

const callFailed = (name: string, failure: ServiceError): AppError => {
  if (wasNeverSent(failure)) {
    const message = `The hub cannot be reached, so ${name} was not sent: ${failure.details}`;
    return new AppError('unavailable', HUB_UNREACHABLE, message, { cause: failure });
  }
  const kind = TRANSIENT_CODES.has(failure.code) ? 'unavailable' : 'bad_gateway';
  const verb = kind === 'unavailable' ? 'did not answer' : 'refused';
  const message = `The hub ${verb} ${name}: ${status[failure.code] ?? failure.code} ${failure.details}`;
  return new AppError(kind, 'HubCallFailed', message, { cause: failure });
};
