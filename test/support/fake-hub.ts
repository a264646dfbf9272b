import {
  HubEvent,
  type HubServiceServer,
  HubServiceService,
  Message,
  type MessagesResponse,
  MessageType,
  type OnChainEventType,
  SignerSource,
  type SubscribeRequest,
  type UserNameProof,
} from '@farcaster/hub-nodejs';
import {
  type handleUnaryCall,
  Metadata,
  Server,
  ServerCredentials,
  type ServerWritableStream,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { HubAddress } from '../../src/config/parse.js';
import type { IngestItem } from '../../src/ingest/item.js';
import { MessageSet } from '../../src/protocol/conflict.js';
import type { Signed } from '../../src/sample/signed-message.js';
import { FakeHubState, type LoggedEvent, type ShardLog, type StoredMessage } from './fake-hub-state.js';

type EventCall = ServerWritableStream<SubscribeRequest, HubEvent | Buffer>;
type Method = keyof HubServiceServer & string;

interface Paged {
  readonly pageSize?: number | undefined;
  readonly pageToken?: Uint8Array | undefined;
}

/** One open event stream. */
interface Subscriber {
  readonly call: EventCall;
  readonly shard: number;
  next: number;
  stalled: boolean;
}

/** The protocol's own service, except that a test may send invalid bytes in the event stream. */
const SERVICE = {
  ...HubServiceService,
  subscribe: {
    ...HubServiceService.subscribe,
    responseSerialize: (value: HubEvent | Buffer): Buffer =>
      Buffer.isBuffer(value) ? value : Buffer.from(HubEvent.encode(value).finish()),
  },
};

/**
 * A hub over real gRPC with its state in memory: it streams events, answers the by-fid calls, and fails on demand. Like
 * snapchain it has blocks with confirmations, inclusive `fromId`, no events of shard 0, and page tokens over several
 * shards that never end.
 */
export class FakeHub {
  /** Number of calls by method. */
  readonly calls: Partial<Record<Method, number>> = {};
  /** Fids of the calls for casts, in order. */
  readonly requestedFids: number[] = [];
  /** Maximum number of messages on a page. */
  pageLimit = 1_000;
  /** Number of further events after which streams break. */
  cutAfter = Number.POSITIVE_INFINITY;
  /** Whether live events are left out of the streams; they stay in the log. */
  losing = false;
  /** Calls wait for these promises. */
  readonly gates: Partial<Record<Method, Promise<void>>> = {};
  /** Why submitted messages are rejected; undefined: they are accepted. */
  refusal: string | undefined;
  /** Which submitted messages the refusal is for. */
  refuses: (message: Message) => boolean = () => true;
  /** Error code of the rejection. */
  rejectionCode = 'bad_request.validation_failure';
  /** Accounts that no call returns. */
  readonly refused = new Set<number>();
  /** Calls that fail whatever they ask for. */
  readonly failing = new Set<Method>();
  readonly state: FakeHubState;
  #server: Server | undefined;
  #port = 0;
  readonly #subscribers = new Set<Subscriber>();

  constructor(shards: readonly number[] = [1, 2]) {
    this.state = new FakeHubState(shards);
  }

  get address(): HubAddress {
    return { address: `127.0.0.1:${this.#port}`, tls: false };
  }

  get port(): number {
    return this.#port;
  }

  /** Listens, at the same port as before. */
  async start(): Promise<void> {
    const server = new Server({ 'grpc.max_send_message_length': -1 });
    server.addService(SERVICE, this.#handlers() as unknown as UntypedServiceImplementation);
    this.#port = await new Promise<number>((resolve, reject) => {
      const credentials = ServerCredentials.createInsecure();
      server.bindAsync(`127.0.0.1:${this.#port}`, credentials, (error, port) =>
        error ? reject(error) : resolve(port),
      );
    });
    this.#server = server;
  }

  /** Drops all connections and stops listening. */
  stop(): void {
    this.#server?.forceShutdown();
    this.#server = undefined;
    this.#subscribers.clear();
  }

  /** Accepts messages, onchain events and proofs, and streams their events: one block for each shard. */
  say(...items: (Signed | IngestItem)[]): void {
    this.state.merge(items.map((item) => ('item' in item ? item.item : item)));
    this.#pump();
  }

  /** Streams what another hub took and deleted: one block for each shard. */
  tell(...items: Parameters<FakeHubState['record']>[0]): void {
    this.state.record(items);
    this.#pump();
  }

  prune(...messages: Signed[]): void {
    this.say(...messages.map(({ wire }): IngestItem => ({ kind: 'removal', reason: 'prune', wire })));
  }

  revoke(...messages: Signed[]): void {
    this.say(...messages.map(({ wire }): IngestItem => ({ kind: 'removal', reason: 'revoke', wire })));
  }

  /** Appends an empty block to every shard. */
  tick(): void {
    for (const shard of this.state.shards) this.state.block(shard);
    this.#pump();
  }

  /** Deletes all events so far; their effects stay. */
  pruneLog(): void {
    for (const log of this.state.logs.values()) log.events = [];
  }

  /** Sends the newest events of every shard again. */
  repeat(count: number): void {
    for (const { call, shard } of this.#subscribers)
      for (const { event } of this.#log(shard).events.slice(-count)) call.write(event);
  }

  /** Sends bytes in all open streams. */
  garbage(bytes: Buffer): void {
    for (const { call } of this.#subscribers) call.write(bytes);
  }

  /** Open streams send nothing more; new ones work. */
  stall(): void {
    for (const subscriber of this.#subscribers) subscriber.stalled = true;
  }

  /** Number of open event streams. */
  get listeners(): number {
    return this.#subscribers.size;
  }

  /** The newest event of a shard. */
  headId(shard: number): number {
    return this.#log(shard).events.at(-1)?.id ?? 0;
  }

  #log(shard: number): ShardLog {
    return this.state.logs.get(shard) as ShardLog;
  }

  #pump(): void {
    for (const subscriber of this.#subscribers) {
      const { call, shard } = subscriber;
      const due = this.#log(shard).events.filter(({ id }) => id >= subscriber.next);
      for (const event of due) {
        if (subscriber.stalled) break;
        subscriber.next = event.id + 1;
        if (!this.losing) this.#send(call, event);
        if (this.cutAfter > 0) continue;
        this.cutAfter = Number.POSITIVE_INFINITY;
        this.stop();
        return;
      }
    }
  }

  #send(call: EventCall, { type, event }: LoggedEvent): void {
    if (!call.request.eventTypes.includes(type)) return;
    call.write(event);
    this.cutAfter--;
  }

  #subscribe(call: EventCall): void {
    const { shardIndex, fromId } = call.request;
    if (shardIndex === undefined || !this.state.logs.has(shardIndex)) {
      call.emit('error', { code: status.UNKNOWN, details: 'Invalid shard id' });
      return;
    }
    const next = fromId ?? this.headId(shardIndex) + 1;
    const subscriber: Subscriber = { call, shard: shardIndex, next, stalled: false };
    this.#subscribers.add(subscriber);
    call.on('cancelled', () => this.#subscribers.delete(subscriber));
    this.#pump();
  }

  #handlers(): Partial<HubServiceServer> {
    const { state } = this;
    const ofAccount = (set: number, isListed: (held: StoredMessage) => boolean = () => true) =>
      this.#answer(({ fid, pageSize, pageToken }: Paged & { fid: number }) => {
        if (set === MessageSet.cast) this.requestedFids.push(fid);
        return this.#page([state.messagesOf(fid, set).filter(isListed)], pageSize, pageToken);
      });
    const ofAll = <Request>(isListed: (held: StoredMessage, request: Request) => boolean) =>
      this.#answer((request: Request & Paged) => {
        const found = state.all().filter((held) => isListed(held, request));
        const shards = state.shards.map((shard) => found.filter(({ decoded }) => state.shardOf(decoded.fid) === shard));
        return this.#page(shards, request.pageSize, request.pageToken);
      });
    const handlers: { [Name in Method]?: unknown } = {
      subscribe: (call: EventCall) => this.#subscribe(call),
      getInfo: this.#answer(() => ({
        version: 'fake',
        peerId: '',
        dbStats: undefined,
        numShards: state.shards.length,
        nextEngineVersionTimestamp: 0,
        shardInfos: [0, ...state.shards].map((shardId) => ({
          ...{ numMessages: 0, numFidRegistrations: 0, approxSize: 0, blockDelay: 0, mempoolSize: 0 },
          ...{ numOnchainEvents: 0, shardId, maxHeight: state.logs.get(shardId)?.height ?? 0 },
        })),
      })),
      getFids: this.#answer(({ shardId, pageToken }: { shardId: number; pageToken?: Uint8Array }) => {
        const registered = [...state.accounts].filter(([, account]) => account.onchain.length > 0);
        const fids = registered.map(([fid]) => fid).filter((fid) => state.shardOf(fid) === shardId);
        const { part, next } = slice(
          fids.sort((a, b) => a - b),
          this.pageLimit,
          pageToken,
        );
        return { fids: part, nextPageToken: next };
      }),
      getAllCastMessagesByFid: ofAccount(MessageSet.cast),
      getAllReactionMessagesByFid: ofAccount(MessageSet.reaction),
      getAllLinkMessagesByFid: ofAccount(MessageSet.link),
      getLinkCompactStateMessageByFid: ofAccount(MessageSet.linkCompactState),
      getAllVerificationMessagesByFid: ofAccount(MessageSet.verification),
      getAllUserDataMessagesByFid: ofAccount(MessageSet.userData),
      getAllLendStorageMessagesByFid: ofAccount(MessageSet.storageLending),
      getOnChainEvents: this.#answer(({ fid, eventType }: { fid: number; eventType: OnChainEventType }) => ({
        events: state.account(fid).onchain.filter(({ type }) => type === eventType),
      })),
      getUserNameProofsByFid: this.#answer(({ fid }: { fid: number }) => ({
        proofs: [...state.account(fid).proofs.values()],
      })),
      getUsernameProof: (
        { request }: { request: { name: Uint8Array } },
        callback: (error: unknown, proof?: UserNameProof) => void,
      ) => {
        const name = Buffer.from(request.name).toString();
        const held = [...state.accounts.values()].find(({ proofs }) => proofs.has(name));
        callback(held ? null : { code: status.NOT_FOUND, details: 'not found' }, held?.proofs.get(name));
      },
      getSignersByFid: this.#answer(({ fid }: { fid: number }) => ({
        signers: state
          .account(fid)
          .trustedKeys.map((key) => ({ source: SignerSource.OFFCHAIN, key, keyType: 1, fid, scopes: [] })),
        ...{ gaslessSignerCount: 0, gaslessSignerLimit: 0, currentUserNonce: 0, requesterFidNonces: {} },
      })),
      getLinksByTarget: ofAll<{ targetFid?: number }>(
        ({ decoded }, { targetFid }) =>
          decoded.type === MessageType.LINK_ADD && decoded.data.linkBody?.targetFid === targetFid,
      ),
      getCastsByMention: ofAll<{ fid: number }>(
        ({ decoded }, { fid }) => decoded.data.castAddBody?.mentions.includes(fid) ?? false,
      ),
      getReactionsByTarget: ofAll<{ targetCastId?: { hash: Uint8Array } }>(
        ({ decoded }, { targetCastId }) =>
          decoded.type === MessageType.REACTION_ADD &&
          isSame(decoded.data.reactionBody?.targetCastId?.hash, targetCastId?.hash),
      ),
      getCastsByParent: ofAll<{ parentCastId?: { hash: Uint8Array } }>(({ decoded }, { parentCastId }) =>
        isSame(decoded.data.castAddBody?.parentCastId?.hash, parentCastId?.hash),
      ),
      submitMessage: (call: { request: Message }, callback: (error: unknown, message?: Message) => void) => {
        if (this.refusal !== undefined && this.refuses(call.request)) {
          const metadata = new Metadata();
          metadata.set('x-err-code', this.rejectionCode);
          const details = `${this.rejectionCode}/${this.refusal}`;
          callback({ code: status.INVALID_ARGUMENT, details, metadata });
          return;
        }
        this.say({ kind: 'message', wire: Message.encode(call.request).finish() });
        callback(null, call.request);
      },
    };
    for (const [name, handler] of Object.entries(handlers))
      handlers[name as Method] = this.#counted(name as Method, handler);
    return handlers as Partial<HubServiceServer>;
  }

  #counted(name: Method, handler: unknown): unknown {
    return async (...args: unknown[]) => {
      this.calls[name] = (this.calls[name] ?? 0) + 1;
      await this.gates[name];
      const [, callback] = args;
      if (this.failing.has(name)) (callback as (error: unknown) => void)({ code: status.INTERNAL, details: 'failed' });
      else (handler as (...all: unknown[]) => void)(...args);
    };
  }

  #answer<Request>(give: (request: Request) => unknown): handleUnaryCall<Request, unknown> {
    return (call, callback) => {
      const { fid } = call.request as { fid?: number };
      if (fid !== undefined && this.refused.has(fid)) callback({ code: status.INTERNAL, details: 'store error' });
      else callback(null, give(call.request));
    };
  }

  /** With several shards there is one token for each, null if the shard is done, which restarts it. */
  #page(shards: readonly (readonly StoredMessage[])[], size?: number, token?: Uint8Array): MessagesResponse {
    const limit = Math.min(size || this.pageLimit, this.pageLimit);
    const isOne = shards.length === 1;
    const tokens: (number[] | null)[] = token?.length && !isOne ? JSON.parse(Buffer.from(token).toString()) : [];
    const pages = shards.map((held, index) => {
      const own = isOne ? token : tokens[index] && Uint8Array.from(tokens[index]);
      return slice(held, limit, own ?? undefined);
    });
    const messages = pages.flatMap(({ part }) => part.map(({ wire }) => Message.decode(wire)));
    const nexts = pages.map(({ next }) => (next ? [...next] : null));
    const nextPageToken = isOne ? pages[0]?.next : Buffer.from(JSON.stringify(nexts));
    return { messages, nextPageToken };
  }
}

const isSame = (a: Uint8Array | undefined, b: Uint8Array | undefined): boolean =>
  a !== undefined && b !== undefined && Buffer.compare(a, b) === 0;

const slice = <Item>(items: readonly Item[], limit: number, token: Uint8Array | undefined) => {
  const start = token?.length ? Number(Buffer.from(token).toString()) : 0;
  const part = items.slice(start, start + limit);
  // Like real hubs: a full page has a token even if it is the last one.
  return { part, next: part.length === limit ? Buffer.from(String(start + limit)) : undefined };
};
