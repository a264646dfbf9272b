import type { NeynarAPIClient, NeynarHubClient } from '@neynar/nodejs-sdk';
import type { Answer } from '../support/network.js';

/** The public clients and plain `fetch`, all with the same key. */
export interface Clients {
  readonly api: NeynarAPIClient;
  readonly hub: NeynarHubClient;
  /** For what the clients have no call, or refuse to send. */
  readonly plain: (method: string, path: string, body?: unknown) => Promise<Answer>;
  /** @returns the same, with these headers in each request */
  readonly with: (headers: Readonly<Record<string, string>>) => Clients;
}

export type Call<World> = (clients: Clients, world: World) => Promise<unknown>;

/** How one operation of the contract is tried through the public client. */
export interface Case<World> {
  /** operationId */
  readonly id: string;
  /** What it is seen to do; the rest of the test's name. */
  readonly does: string;
  /** One sound request that may be sent again and again. */
  readonly call: Call<World>;
  /** Sends every parameter at least once, and looks at what comes back. */
  readonly look: Call<World>;
  /** How statuses are provoked that this operation alone knows how to provoke; those of all operations are in run.ts. */
  readonly errors?: Readonly<Partial<Record<number, Call<World>>>>;
  /** Writes something new, so that a hub that is silent leaves its outcome open: 504, which late-hub.test.ts sees. */
  readonly late?: Call<World>;
  /** Listed, but not provoked here: why not. */
  readonly beyond?: Readonly<Partial<Record<number, string>>>;
  /** Parameters that are sent in no request that succeeds: why not. */
  readonly unsent?: Readonly<Record<string, string>>;
}

/** Hands a case back as it is; the compiler holds it against the world that it is tried in. */
export const casesOf =
  <World>() =>
  (...cases: readonly Case<World>[]): readonly Case<World>[] =>
    cases;
