import type { Meter } from '../billing/meter.js';
import type { MoneyParts } from '../billing/money-parts.js';
import type { PaymentEvents } from '../billing/payment-event.js';
import type { Plans } from '../billing/plan/plan.js';
import type { Change } from '../cache/invalidating-write.js';
import type { Reads } from '../cache/reads.js';
import type { OutboundClient } from '../delivery/outbound.js';
import type { Log } from '../log.js';
import type { Metrics } from '../metric.js';
import type { HostOutbox } from '../miniapp/outbox.js';
import type { PushOutbox } from '../miniapp/push.js';
import type { Balances } from '../onchain/token/balance.js';
import type { Networks } from '../onchain/network.js';
import type { Sender } from '../onchain/transaction/sender.js';
import type { TokenMetadata } from '../onchain/token/metadata.js';
import type { Wallets } from '../onchain/transaction/wallet.js';
import type { Dialect } from '../schema/wire-names.js';
import type { Signers } from '../signer/signers.js';
import type { Database } from '../store/database.js';
import type { Writer } from '../write/writer.js';
import type { Authenticator } from './http/auth.js';
import type { CursorKey } from './http/cursor.js';
import type { HubServices } from './hub/hub-service.js';
import type { RateLimiter } from './rate-limit.js';

/** One thing that must hold before requests should be sent here. */
export interface ReadinessCheck {
  /** A word for the answer of `/health/ready`: `database`, `migrations`, `ingest`. */
  readonly name: string;
  /** @returns undefined when all is well, else what is wrong, in words for an operator. May also throw. */
  check(): Promise<string | undefined>;
}

/** @returns the SVG of a picture of the sample network; undefined where there is none of that kind or name. */
export type SamplePicture = (kind: string, name: string) => string | undefined;

/** What handlers work with. The composition root fills it; parts that need more add their members here. */
export interface Services {
  readonly db: Database;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Unix time in milliseconds; tests turn it. */
  readonly clock: () => number;
  readonly authenticator: Authenticator;
  readonly rateLimiter: RateLimiter;
  /** Counts what calls cost. */
  readonly meter: Meter;
  /** What changes of plans are made with. */
  readonly money: MoneyParts;
  /** Takes in what an outside payment provider tells; undefined: there is none. */
  readonly paymentEvents?: PaymentEvents;
  /** What organizations can subscribe to. */
  readonly plans: Plans;
  /** Whose names answers are in: of the path that was called, or those of the configuration. */
  readonly dialect: Dialect;
  /** Where clients reach the service, without a trailing slash; addresses we hand out begin with it. */
  readonly publicUrl: string;
  /** Keys of the cursors' HMAC, derived from the master key. */
  readonly cursorKey: CursorKey;
  readonly readiness: readonly ReadinessCheck[];
  readonly hub: HubServices;
  readonly reads: Reads;
  /** The one way to addresses that users name. */
  readonly outbound: OutboundClient;
  readonly hostOutbox: HostOutbox;
  readonly pushOutbox: PushOutbox;
  readonly writer: Writer;
  readonly signers: Signers;
  /** The way to the chains. */
  readonly networks: Networks;
  /** What wallets hold. */
  readonly balances: Balances;
  readonly tokenMetadata: TokenMetadata;
  readonly wallets: Wallets;
  readonly sender: Sender;
  /** Whether this is a local network: in development, without a hub, commands play what the registries would say. */
  readonly approvesLocally: boolean;
  /** Draws the pictures of the sample network; on a local network alone. */
  readonly samplePicture?: SamplePicture;
  /** Writes bans, mutes and the like together with its invalidation. */
  readonly change: Change;
}
