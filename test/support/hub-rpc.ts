import { HubServiceService } from '@farcaster/hub-nodejs';
import {
  Client,
  type ClientReadableStream,
  credentials,
  Metadata,
  type ServiceError,
  type StatusObject,
  status,
} from '@grpc/grpc-js';

type Service = typeof HubServiceService;
type Name = keyof Service & string;

/** What a call came to. */
export interface RpcAnswer<Response> {
  /** `OK`, `NOT_FOUND`, ... */
  readonly status: string;
  readonly details: string;
  readonly metadata: Metadata;
  /** Undefined for an error. */
  readonly response: Response | undefined;
  /** The bytes of the response. */
  readonly bytes: Buffer | undefined;
}

type RequestOf<N extends Name> = Parameters<Service[N]['requestSerialize']>[0];
type ResponseOf<N extends Name> = ReturnType<Service[N]['responseDeserialize']>;

/** A client of the hub's service that shows statuses, and sends what others would not. */
export class RpcClient {
  readonly #client: Client;
  readonly #metadata: Record<string, string>;

  /** @param metadata of every call */
  constructor(
    address: string,
    metadata: Record<string, string> = {},
    { channel = credentials.createInsecure(), options = {} as object } = {},
  ) {
    this.#client = new Client(address, channel, { 'grpc.max_receive_message_length': 64 * 2 ** 20, ...options });
    this.#metadata = metadata;
  }

  /** @param request as the protocol's package has it, without the members that are absent; or bytes */
  call<N extends Name>(
    name: N,
    request: Partial<RequestOf<N>> | Buffer,
    metadata: Record<string, string> = {},
  ): Promise<RpcAnswer<ResponseOf<N>>> {
    const { path, requestSerialize, responseDeserialize } = HubServiceService[name];
    const serialize = Buffer.isBuffer(request) ? (bytes: Buffer) => bytes : requestSerialize;
    return new Promise((resolve) => {
      let bytes: Buffer | undefined;
      const call = this.#client.makeUnaryRequest(
        path,
        serialize as (value: unknown) => Buffer,
        (received: Buffer) => received,
        Buffer.isBuffer(request) ? request : { requesterFids: [], eventTypes: [], messages: [], ...request },
        this.#metadataOf(metadata),
        (_error: ServiceError | null, received?: Buffer) => {
          bytes = received;
        },
      );
      call.on('status', ({ code, details, metadata: sent }: StatusObject) => {
        const response = code === status.OK ? responseDeserialize(bytes ?? Buffer.alloc(0)) : undefined;
        resolve({
          status: status[code] as string,
          details,
          metadata: sent,
          response: response as ResponseOf<N> | undefined,
          bytes,
        });
      });
    });
  }

  /** @param name of a call that the protocol's package does not know @returns the status */
  unknown(name: string, metadata: Record<string, string> = {}): Promise<string> {
    const path = `/HubService/${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const same = (bytes: Buffer): Buffer => bytes;
    return new Promise((resolve) => {
      const sent = this.#metadataOf(metadata);
      this.#client
        .makeUnaryRequest(path, same, same, Buffer.alloc(0), sent, () => undefined)
        .on('status', ({ code }: StatusObject) => resolve(status[code] as string));
    });
  }

  /** Opens a stream of events, as bytes. */
  subscribe(
    request: Partial<RequestOf<'subscribe'>>,
    metadata: Record<string, string> = {},
  ): ClientReadableStream<Buffer> {
    const { path, requestSerialize } = HubServiceService.subscribe;
    const stream = this.#client.makeServerStreamRequest(
      path,
      requestSerialize,
      (bytes: Buffer) => bytes,
      { eventTypes: [], ...request } as RequestOf<'subscribe'>,
      this.#metadataOf(metadata),
    );
    // How it ended is in its status.
    stream.on('error', () => undefined);
    return stream;
  }

  close(): void {
    this.#client.close();
  }

  #metadataOf(more: Record<string, string>): Metadata {
    const metadata = new Metadata();
    for (const [name, value] of Object.entries({ ...this.#metadata, ...more })) metadata.set(name, value);
    return metadata;
  }
}
