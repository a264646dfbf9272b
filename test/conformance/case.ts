import type { NeynarAPIClient, NeynarHubClient } from '@neynar/nodejs-sdk';
import type { TestResponse } from '../support/network.js';

/** The public clients and plain `fetch`, all with the same key. */
export interface Clients {
  readonly api: NeynarAPIClient;
  readonly hub: NeynarHubClient;
  /** For calls that take the key as an argument. */
  readonly key: string;
  /** For what the clients have no call, or refuse to send. */
  readonly plain: (method: string, path: string, body?: unknown) => Promise<TestResponse>;
  /** @returns the same, with these headers in each request */
  readonly with: (headers: Readonly<Record<string, string>>) => Clients;
}

export type Call<Environment> = (clients: Clients, environment: Environment) => Promise<unknown>;

/** How one operation of the contract is tried through the public client. */
export interface Case<Environment> {
  /** operationId */
  readonly id: string;
  /** What it is seen to do; the rest of the test's name. */
  readonly does: string;
  /** One sound request that may be sent again and again. */
  readonly call: Call<Environment>;
  /** Sends every parameter at least once, and looks at what comes back. */
  readonly look: Call<Environment>;
  /** How statuses are provoked that this operation alone knows how to provoke; those of all operations are in run.ts. */
  readonly errors?: Readonly<Partial<Record<number, Call<Environment>>>>;
  /** What is sent to exceed the rate, if `call` changes how much the key may send. */
  readonly repeated?: Call<Environment>;
  /** Writes something new, so that a hub that is silent leaves its outcome open: 504, which hub-late.test.ts sees. */
  readonly late?: Call<Environment>;
  /** Listed, but not provoked here: why not. */
  readonly beyond?: Readonly<Partial<Record<number, string>>>;
  /** Parameters that are sent in no request that succeeds: why not. */
  readonly unsent?: Readonly<Record<string, string>>;
}

/** Returns the cases unchanged; the compiler checks them against the environment that they run in. */
export const casesOf =
  <Environment>() =>
  (...cases: readonly Case<Environment>[]): readonly Case<Environment>[] =>
    cases;
