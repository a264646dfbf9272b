import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { translateName } from '../../src/schema/wire-names.js';
import { inEcosystem, neutralConstants, neutralPath } from '../support/wire-names.js';
import type { Call, Case } from './case.js';
import type { Environment } from './environment.js';
import type { Described } from './operation-description.js';
import { checkPages, hasPages } from './page-check.js';
import type { Exchange } from './recorder.js';
import { testName } from './test-name.js';

const EXPERIMENTAL = 'x-neynar-experimental';
const CONDITION = 'if-none-match';
const withoutSlash = (path: string): string => path.replace(/\/+$/, '');
const isGood = ({ status }: Exchange): boolean => status < 300;
const isOf =
  ({ method, path }: Described) =>
  (one: Exchange): boolean =>
    one.method === method && withoutSlash(one.path) === withoutSlash(path);

/** What of its parameters a request sent. */
const sentIn = ({ query, headers, sent }: Exchange): string[] => [
  ...[...query.keys()].map((name) => `query ${name}`),
  ...Object.keys(headers).map((name) => `header ${name}`),
  ...(typeof sent === 'object' && sent !== null ? Object.keys(sent).map((name) => `body ${name}`) : []),
];

/** Clients throw what is refused; the recorder knows what was answered. */
const ask = async (call: Promise<unknown>): Promise<void> => {
  await call.catch((error: unknown) => {
    if (!(error instanceof Error && 'response' in error)) throw error;
  });
};

/** One case under way: everything that is said is held against the description. */
class Trial<W extends Environment> {
  readonly seen = new Set<number>();
  readonly sent = new Set<string>();
  readonly #lists = new Set<string>();

  constructor(
    readonly one: Case<W>,
    readonly environment: W,
    readonly described: Described,
  ) {}

  /** Whether no request succeeds, however sound it is. */
  get isRetired(): boolean {
    return this.one.beyond?.[200] !== undefined;
  }

  /** @returns what was said of this operation since it was asked last */
  checkExchanges(): Exchange[] {
    const all = this.environment.recorder.take();
    const faults = all.flatMap((exchange) =>
      this.environment.described
        .filter((described) => isOf(described)(exchange))
        .flatMap(({ id, errorsOf }) =>
          errorsOf(exchange.status, exchange.answer).map((fault) => `${id} ${exchange.status} ${fault}`),
        ),
    );
    expect(faults, 'answers unlike their description').toEqual([]);
    const own = all.filter(isOf(this.described));
    for (const exchange of own) {
      this.seen.add(exchange.status);
      if (isGood(exchange) || this.isRetired) for (const name of sentIn(exchange)) this.sent.add(name);
    }
    return own;
  }

  async works(key?: string, headers: Record<string, string> = {}, call: Call<W> = this.one.call): Promise<void> {
    const calling = call(this.environment.clients(key, headers), this.environment);
    await (this.isRetired ? ask(calling) : calling);
    const successes = this.checkExchanges().filter((exchange) => this.isRetired !== isGood(exchange));
    expect(successes.length, 'requests that succeed').toBeGreaterThan(0);
    for (const exchange of successes) {
      await this.#worksInNeutral(exchange);
      if (hasPages(this.described) && !exchange.query.has('cursor')) await this.#hasSoundPages(exchange);
    }
  }

  /** Sends what was read under the ecosystem's path once more under the neutral one, with neutral names. */
  async #worksInNeutral({ method, path, query, headers }: Exchange): Promise<void> {
    const neutral = neutralPath(path);
    // A message with a signature is taken once.
    if (method !== 'GET' || neutral === path || this.isRetired || query.has('signature')) return;
    const named = [...query].map(([name, value]): [string, string] => [
      translateName(name) ?? name,
      neutralConstants.get(value) ?? value,
    ]);
    const own = Object.entries(headers).filter(([name]) => name.startsWith('x-'));
    const { status, body } = await this.environment.network.get(
      `${neutral}?${new URLSearchParams(named)}`,
      Object.fromEntries(own.map(([name, value]) => [translateName(name) ?? name, value])),
    );
    expect(status, JSON.stringify(body)).toBe(200);
    expect(this.described.errorsOf(status, inEcosystem(body)), 'answers in neutral names').toEqual([]);
  }

  /** Checks the pages of each list once, however many of them the case read. */
  async #hasSoundPages(exchange: Exchange): Promise<void> {
    const list = new URLSearchParams(exchange.query);
    list.delete('limit');
    const name = `${exchange.path}?${list}`;
    if (this.#lists.has(name)) return;
    this.#lists.add(name);
    await checkPages(this.environment.network, this.described, exchange);
  }

  async isNotModified(): Promise<void> {
    const { one, environment } = this;
    await ask(one.call(environment.clients(), environment));
    const tags = this.checkExchanges().flatMap(({ entityTag }) => entityTag ?? []);
    // The public client throws a TypeError for an error without a body; the recorder knows what was answered.
    await one.call(environment.clients(undefined, { [CONDITION]: tags.join() }), environment).catch(() => undefined);
    expect(this.checkExchanges().map(({ status }) => status)).toContain(304);
  }

  /** Calls until the rate is exceeded: three times, since the minute that is counted may end between two calls. */
  async exceedsRate(key: string): Promise<void> {
    const { one, environment } = this;
    const statuses: (number | undefined)[] = [];
    for (let call = 0; call < 3 && statuses.at(-1) !== 429; call += 1) {
      await ask((one.repeated ?? one.call)(environment.clients(key), environment));
      statuses.push(this.checkExchanges().at(-1)?.status);
    }
    expect(statuses.at(-1), `statuses ${statuses.join(', ')}`).toBe(429);
  }

  async fails(status: number, call: Call<W>, key?: string): Promise<void> {
    await ask(call(this.environment.clients(key), this.environment));
    const own = this.checkExchanges();
    const description = own.map((exchange) => `${exchange.status} ${JSON.stringify(exchange.answer)}`).at(-1);
    expect([own.at(-1)?.status, description]).toEqual([status, description]);
  }
}

/** Calls the operation with a required member missing or malformed. */
const malformed =
  ({ method, path, parameters }: Described): Call<Environment> =>
  ({ plain }) => {
    if (method !== 'GET') return plain(method, path, {});
    return plain(method, parameters.includes('query limit') ? `${path}?limit=0` : path);
  };

const refuse = async <W extends Environment>(trial: Trial<W>): Promise<void> => {
  const { one, environment, described } = trial;
  const { unknown, spent, slow, narrow } = environment.refused;
  const listed = (status: number): boolean => described.statuses.includes(status) && !(status in (one.beyond ?? {}));
  const isPortal = described.path.startsWith('/portal/');
  await trial.fails(401, one.call, unknown);
  await trial.fails(
    listed(403) || described.path.startsWith('/v1/') ? 403 : 401,
    one.call,
    narrow[isPortal ? 'portal' : 'other'],
  );
  if (listed(402) && !one.errors?.[402]) await trial.fails(402, one.call, spent);
  if (listed(429) || described.path.startsWith('/v1/')) {
    await trial.exceedsRate(slow);
  }
  if (listed(400) && !one.errors?.[400]) await trial.fails(400, malformed(described));
  for (const [status, call] of Object.entries(one.errors ?? {})) await trial.fails(Number(status), call as Call<W>);
};

/**
 * Registers one test for each case, and one for each with the database closed under the service, which comes last.
 *
 * @param start starts the environment that all cases share
 */
export const tryCases = <W extends Environment>(start: () => Promise<W>, cases: readonly Case<W>[]): void => {
  let environment: W;
  const trials = new Map<string, Trial<W>>();
  beforeAll(async () => {
    environment = await start();
  });
  afterAll(() => environment.stop());

  for (const one of cases) {
    test(testName(one), async () => {
      const described = environment.described.find(({ id }) => id === one.id);
      if (!described) throw new Error(`the service describes no operation ${one.id}`);
      const trial = new Trial(one, environment, described);
      environment.recorder.take();
      await trial.works();
      await trial.works(undefined, {}, one.look);
      if (described.parameters.includes(`header ${EXPERIMENTAL}`)) {
        await trial.works(undefined, { [EXPERIMENTAL]: 'true' });
      }
      if (described.parameters.includes(`header ${CONDITION}`)) {
        await trial.works(undefined, { [CONDITION]: '"another"' });
        await trial.isNotModified();
      }
      const unsent = described.parameters.filter((name) => !trial.sent.has(name));
      expect(unsent, 'parameters that no request sent').toEqual(Object.keys(one.unsent ?? {}));
      await refuse(trial);
      trials.set(one.id, trial);
    });
  }

  describe('with nothing left in the database', () => {
    beforeAll(async () => {
      await environment.network.sql('alter schema public rename to gone');
    });
    afterAll(async () => {
      await environment.network.sql('alter schema gone rename to public');
    });

    for (const one of cases) {
      test(`${one.id} says that something is wrong here, and every status it lists was seen`, async () => {
        const trial = trials.get(one.id);
        if (!trial) throw new Error('the test before this one failed');
        // What is kept in memory for a moment may still be answered.
        await expect
          .poll(async () => {
            await ask(one.call(environment.clients(), environment));
            return trial.checkExchanges().at(-1)?.status;
          })
          .toBe(500);
        const missing = trial.described.statuses.filter((status) => !trial.seen.has(status));
        const elsewhere = [...Object.keys(one.beyond ?? {}), ...(one.late ? ['504'] : [])];
        expect(missing.map(String), 'statuses that nothing provoked').toEqual(elsewhere);
      });
    }
  });
};
