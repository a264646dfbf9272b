import { expect } from 'vitest';
import type { Author } from '../../src/sample/author.js';
import { author } from '../../src/sample/author.js';
import type { Signed } from '../../src/sample/signed-message.js';
import { contractAvailable, validateAgainstContract } from './contract.js';
import { type Network, startNetwork, type TestResponse } from './network.js';
import { type Seeded, seedBasics } from './seed.js';

interface Person {
  readonly user: { readonly fid: number };
}

/** The tested members of a notification. */
export interface Notified {
  readonly type: string;
  readonly count: number;
  readonly seen: boolean;
  readonly most_recent_timestamp: string;
  readonly cast?: { readonly hash: string; readonly type?: string };
  readonly follows?: readonly Person[];
  readonly reactions?: readonly Person[];
}

/** A seeded service with the requests of notification tests; every response is validated against the contract. */
export interface NotificationFlow {
  readonly network: Network;
  readonly seeded: Seeded;
  /** App of the tests' key. */
  readonly appId: string;
  /** Notifications of a fid. @param more further parameters (`&limit=1`) */
  of(fid: number, more?: string): Promise<TestResponse>;
  /** Marks as seen. */
  mark(body: object, headers?: Record<string, string>): Promise<TestResponse>;
  /** Runs SQL for changes that the service has no operation for. */
  run<Row>(sql: string, params?: (string | number)[]): Promise<Row[]>;
  /** @returns a new account, so that no other test notifies it */
  join(): Promise<Author>;
}

export const hashOf = (cast: Signed): string => `0x${Buffer.from(cast.hash).toString('hex')}`;

export const checked = (operationId: string, answer: TestResponse): TestResponse => {
  if (contractAvailable) expect(validateAgainstContract(operationId, answer.status, answer.body)).toEqual([]);
  return answer;
};

export const recordsOf = ({ body }: TestResponse): Notified[] => body.notifications;
export const typesOf = (answer: TestResponse): string[] => recordsOf(answer).map(({ type }) => type);
export const actorsOf = ({ follows, reactions }: Notified): number[] =>
  (follows ?? reactions ?? []).map(({ user }) => user.fid);

/** Type, count and actors of each notification. */
export const brief = (answer: TestResponse) =>
  recordsOf(answer).map((record) => [record.type, record.count, actorsOf(record)] as const);

export const startNotificationFlow = async (): Promise<NotificationFlow> => {
  const network = await startNetwork();
  const seeded = await seedBasics(async (items) => expect((await network.load(items)).invalid).toEqual({}));
  const { db } = network.app.core;
  const [key] = await db.run<{ id: string }>('select app_id as id from api_key limit 1');
  let fid = 100;
  return {
    network,
    seeded,
    appId: key?.id ?? '',
    of: async (of, more = '') =>
      checked('fetch-all-notifications', await network.get(`/v2/social/notifications/?fid=${of}${more}`)),
    mark: async (body, headers = {}) =>
      checked(
        'mark-notifications-as-seen',
        await network.send('POST', '/v2/social/notifications/seen/', body, headers),
      ),
    run: (sql, params = []) => network.sql(sql, params),
    join: async () => {
      fid += 1;
      const account = author({ seed: 'notification test', fid, clock: seeded.clock });
      await seeded.send(account.register(), account.rent(2), await account.addSigner());
      return account;
    },
  };
};
