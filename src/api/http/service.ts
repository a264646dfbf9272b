import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import type { RegistrationDependencies } from '../../account/registration.js';
import type { BillingDependencies } from '../../billing/plan/dependencies.js';
import type { PlanLimits } from '../../billing/plan/limit.js';
import type { PaymentEvents } from '../../billing/plan/payment-event.js';
import type { Plans } from '../../billing/plan/plan.js';
import type { Meter } from '../../billing/usage/meter.js';
import type { Reads } from '../../cache/read-cache.js';
import type { ChannelDependencies } from '../../channel/channel.js';
import type { Config } from '../../config/config.js';
import type { DomainAssociation } from '../../config/domain-association.js';
import type { VariableInForce } from '../../config/in-force.js';
import type { Crawler } from '../../crawl/crawler.js';
import type { Database } from '../../db/database.js';
import type { OutboundClient } from '../../delivery/outbound.js';
import type { HubStreams } from '../../event/hub-stream/hub-streams.js';
import type { PatternSearch } from '../../event/pattern-search.js';
import type { Streams } from '../../event/stream/streams.js';
import type { WebhookInbox } from '../../event/webhook/inbox.js';
import type { EventSender } from '../../event/webhook/sender.js';
import type { WebhookDependencies } from '../../event/webhook/webhook.js';
import type { LocalNameRegistry } from '../../fname/local-registry.js';
import type { ImageGenerator } from '../../image/image.js';
import type { RefusedRetry } from '../../ingest/pipeline/refused-item-retry.js';
import type { Log } from '../../log.js';
import type { Metrics } from '../../metric.js';
import type { CampaignDependencies } from '../../miniapp/campaign/publish.js';
import type { HostOutbox } from '../../miniapp/outbox.js';
import type { PushOutbox } from '../../miniapp/push.js';
import type { ConversationSummaries } from '../../model/conversation-summary.js';
import type { MeaningSearch } from '../../model/meaning.js';
import type { Networks } from '../../onchain/network.js';
import type { Stp } from '../../onchain/stp/service.js';
import type { Balances } from '../../onchain/token/balance.js';
import type { TokenMetadata } from '../../onchain/token/metadata.js';
import type { Sender } from '../../onchain/transaction/sender.js';
import type { Wallets } from '../../onchain/transaction/wallet.js';
import type { PaymentSigner } from '../../onchain/x402/payment.js';
import type { SignInSigner } from '../../onchain/x402/sign-in.js';
import type { Dialect } from '../../schema/wire-names.js';
import type { SignInDomains } from '../../sign-in/domain.js';
import type { QuickAuth } from '../../sign-in/quick-auth.js';
import type { SignInRelay } from '../../sign-in/relay.js';
import type { LocalKey } from '../../signer/local-key.js';
import type { Signers } from '../../signer/signers.js';
import type { WriteAndInvalidate } from '../../store/invalidating-transaction.js';
import type { Tracer } from '../../trace/tracer.js';
import type { Writer } from '../../write/writer.js';
import type { Admission } from '../limit/admission.js';
import type { RateLimiter } from '../limit/rate-limit.js';
import type { Authenticator } from './auth.js';
import type { BrowserClients } from './browser-client.js';
import type { CursorKey } from './cursor.js';
import type { HubServices } from './hub-service.js';
import type { ResponseTimeouts } from './response-timeout.js';

/** A condition that should hold while the service receives requests. */
export interface ReadinessCheck {
  /** Its name in the response of `/health/ready`: `database`, `migrations`, `ingest`. */
  readonly name: string;
  /** @returns undefined if it holds, else the reason, for an operator. May also throw. */
  check(): Promise<string | undefined>;
  /**
   * While it does not hold, the process serves better than none: what it shows is late, or writes are refused.
   * `/health/ready` passes then, and `/health/fresh` fails.
   */
  readonly stillServes?: true;
  /** @returns what an operator should know although it holds, if anything: `syncing 37%, about 5 h left` */
  note?(): string | undefined;
}

/** A time during which a readiness check failed, in Unix milliseconds. */
export interface ReadinessFailure {
  readonly check: string;
  /** As it was first found. */
  readonly problem: string;
  readonly beganAt: number;
  /** null: it still fails. */
  readonly endedAt: number | null;
}

/** What the readiness checks of this process found within a day. */
export interface ReadinessHistory {
  /** When the process began to remember, in Unix milliseconds. */
  readonly since: number;
  /** Notes the result of a check. @param problem undefined: it holds */
  add(check: string, problem: string | undefined): void;
  /** @returns the failures of the last day, the newest first */
  list(): readonly ReadinessFailure[];
}

/** What the request log needs of an operation. */
export interface LoggedOperation {
  readonly id: string;
  readonly tags?: readonly string[];
  readonly query?: TObject;
  readonly isUnlisted?: true;
}

/** Writes down the requests that a process answered. */
export interface RequestLog {
  /** Call it when a response is closed. Returns without waiting. @param milliseconds since the request came */
  add(operation: LoggedOperation, request: FastifyRequest, reply: FastifyReply, milliseconds: number): void;
  /** Starts to write every second. */
  start(): void;
  /** Writes the rest. */
  stop(): Promise<void>;
}

/** @returns a picture or an article of the sample network; undefined for an unknown kind or name */
export type SampleFiles = (kind: string, file: string) => { readonly type: string; readonly body: string } | undefined;

/** Mini apps that the service serves itself: manifests, home pages and pictures of the sample network. */
export interface SampleMiniApps {
  /** Host names with the service's port: `chess.localhost:3000`. */
  readonly domains: ReadonlySet<string>;
  /** @returns what one of these domains answers under a path; undefined: nothing is there */
  answer(domain: string, path: string): Promise<{ readonly type: string; readonly body: string } | undefined>;
}

/** The wallets of the sample network's accounts. */
export interface SampleWallets {
  /** @returns the wallets of those accounts that are of the sample, by fid */
  find(db: Database, fids: readonly number[]): Promise<ReadonlyMap<number, SampleWallet>>;
}

export interface SampleWallet {
  readonly address: `0x${string}`;
  /** @returns the signature over a text (EIP-191), 65 bytes */
  signMessage(text: string): Promise<`0x${string}`>;
}

/** What the handling of every request needs. */
export interface RequestServices {
  readonly authenticator: Authenticator;
  /** Callers of reads by pages of apps. */
  readonly browserClients: BrowserClients;
  readonly rateLimiter: RateLimiter;
  /** Limits of requests in work: `outside` for operations that wait for other servers, `work` for all others. */
  readonly admission: { readonly work: Admission; readonly outside: Admission };
  /** What may be read without a key: nothing, the hub's paths, or all reads that need no app. */
  readonly publicReads: Config['publicReads']['kind'];
  /** Dialect of responses: that of the requested path, else the configured one. */
  readonly dialect: Dialect;
  /** URL of the service for its clients, without a trailing slash; the URLs in responses begin with it. */
  readonly publicUrl: string;
  /** Runs as `castellan dev`. */
  readonly isDevelopment: boolean;
  /** Keys of the cursors' HMAC, derived from the master key. */
  readonly cursorKey: CursorKey;
  readonly responseTimeouts: ResponseTimeouts;
  /** The variables with which this process runs. */
  readonly variables: readonly VariableInForce[];
  /** Writes down who asked what; undefined: it is off. */
  readonly requestLog?: RequestLog;
}

export interface BillingServices {
  /** Counts the cost of calls. */
  readonly meter: Meter;
  /** Dependencies of plan changes. */
  readonly money: BillingDependencies;
  /** How many apps and webhooks organizations may have. */
  readonly planLimits: PlanLimits;
  /** Handles events of an external payment provider; undefined: there is none. */
  readonly paymentEvents?: PaymentEvents;
  /** Plans to which organizations can subscribe. */
  readonly plans: Plans;
}

/** What writes the messages of accounts, and what belongs to an app. */
export interface WriteServices {
  readonly writer: Writer;
  readonly signers: Signers;
  /** Writes bans, mutes and the like together with their invalidation. */
  readonly writeAndInvalidate: WriteAndInvalidate;
  /** Resolves when sibling processes know what was written here; undefined if there is nothing to wait for. */
  readonly siblingsUpToDate?: () => Promise<unknown> | undefined;
  /** Dependencies of follows, invites and members of channels. */
  readonly channels: ChannelDependencies;
}

export interface AccountServices {
  /** Dependencies of buying accounts and storage. */
  readonly accounts: RegistrationDependencies;
  /** The name registry that this service offers; absent unless the network is local. */
  readonly localNames?: LocalNameRegistry;
}

export interface EventServices {
  /** Dependencies of the operations on webhooks. */
  readonly webhooks: WebhookDependencies;
  readonly eventSender: EventSender;
  /** What webhooks sent to this service itself; absent but in development. */
  readonly webhookInbox?: WebhookInbox;
  /** Searches texts for the regular expressions of filters. */
  readonly searchPatterns: PatternSearch;
  /** The open streams of events. */
  readonly streams: Streams;
  /** The open streams of events of the hub's gRPC interface. */
  readonly hubStreams: HubStreams;
}

export interface MiniAppServices {
  readonly hostOutbox: HostOutbox;
  readonly pushOutbox: PushOutbox;
  /** Dependencies of the notifications of mini apps to their users. */
  readonly campaigns: CampaignDependencies;
}

export interface ChainServices {
  readonly networks: Networks;
  readonly balances: Balances;
  readonly tokenMetadata: TokenMetadata;
  readonly wallets: Wallets;
  readonly sender: Sender;
  /** Subscription tokens. */
  readonly stp: Stp;
  /** Payments and sign-ins of x402 that wallets sign. */
  readonly x402: PaymentSigner & SignInSigner;
  /** Tokens that apps deploy at the expense of the operator. */
  readonly tokenDeployments: Config['tokenDeployments'];
}

/** Each is absent without a model of the operator. */
export interface ModelServices {
  /** Summaries of conversations. */
  readonly summaries?: ConversationSummaries;
  /** Finds casts by what they mean. */
  readonly meaning?: MeaningSearch;
}

/** Sign-in of the accounts of this service at apps, without an API key. */
export interface SignInServices {
  /** The domains whose apps may use them. */
  readonly signInDomains: SignInDomains;
  readonly signInRelay: SignInRelay;
  readonly quickAuth: QuickAuth;
}

/** What only a local network has. */
export interface LocalServices {
  /** Signs messages (EIP-191) with the wallets of the sample network's accounts, which are public knowledge. */
  readonly sampleWallets?: SampleWallets;
  /** Whether this is a local network: development without a hub, where commands simulate the onchain registries. */
  readonly approvesLocally: boolean;
  /**
   * Registers a key of an account, in the place of a wallet and the chain. Absent where a hub or nobody does.
   * @throws AppError for an unknown account, and for a request of an app past its deadline
   */
  readonly addLocalKey?: (key: LocalKey) => Promise<void>;
  /** Renders the pictures and articles of the sample network. */
  readonly sampleFiles?: SampleFiles;
  readonly sampleMiniApps?: SampleMiniApps;
}

/** Dependencies of the handlers, created by the composition root. */
export interface Services
  extends RequestServices,
    BillingServices,
    WriteServices,
    AccountServices,
    EventServices,
    MiniAppServices,
    ChainServices,
    ModelServices,
    SignInServices,
    LocalServices {
  readonly db: Database;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Unix milliseconds; tests can set it. */
  readonly clock: () => number;
  readonly reads: Reads;
  readonly readiness: readonly ReadinessCheck[];
  /** When they failed. */
  readonly readinessHistory: ReadinessHistory;
  /** Submits refused items again: one, or all of them. */
  readonly retryRefused: (what: { readonly id?: number; readonly signal: AbortSignal }) => Promise<RefusedRetry>;
  readonly hub: HubServices;
  /** HTTP client for URLs given by users. */
  readonly outbound: OutboundClient;
  /** Undefined: there are no traces. */
  readonly tracer?: Tracer;
  readonly crawler: Crawler;
  readonly images: ImageGenerator;
  /** How much all files of an organization may have together, in bytes. */
  readonly mediaQuotaBytes: number;
  /** Proves that the domain of this service belongs to an account; undefined: its operator has not signed that. */
  readonly domainAssociation?: DomainAssociation;
}

/** They ask chains and models, which takes long and costs the operator money. */
type OutsideServices = Pick<
  Services,
  'networks' | 'balances' | 'tokenMetadata' | 'stp' | 'x402' | 'sender' | 'summaries' | 'meaning' | 'images'
>;

/** What operations get that do not say that they wait for other servers (`waitsOutside`). */
export type OwnServices = Omit<Services, keyof OutsideServices>;
