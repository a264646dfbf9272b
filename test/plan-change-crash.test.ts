import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { RECOVERY_AGE_MS, START_TIMEOUT_MS } from '../src/billing/plan/provider.js';
import { renewIfDue } from '../src/billing/plan/renewal.js';
import type { Database } from '../src/db/database.js';
import { auditBilling } from './support/audit-billing.js';
import { BillingFixture } from './support/billing-fixture.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';

class Death extends Error {}
const die = (): never => {
  throw new Death('killed');
};

/** Where a process dies: in its nth transaction, before it commits or once it has. */
type When = 'inside' | 'after';

/** A database whose user dies at one of its transactions; nothing that it asks after that comes about. */
const dyingAt = (db: Database, at: number, when: When): Database => {
  let count = 0;
  const transaction: Database['transaction'] = async (work) => {
    count += 1;
    if (count > at) die();
    const result = await db.transaction(async (session) => {
      const done = await work(session);
      return count === at && when === 'inside' ? die() : done;
    });
    return count === at ? die() : result;
  };
  return { ...db, run: db.run.bind(db), read: db.read.bind(db), transaction } as Database;
};

let database: TestDatabase;
let world: BillingFixture;
let id: string;
beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  world = new BillingFixture(database.db);
  id = await world.organization();
  await world.change(id, 'starter');
  await world.use(id, 12_500_000);
});
afterAll(async () => {
  expect(await auditBilling(database.db)).toEqual([]);
  await database.drop();
});

const OLD = { planId: 'starter', usedUnits: 12_500_000, paidCents: 900, creditCents: 0 };
const NEW = { planId: 'growth', usedUnits: 0, paidCents: 4900, creditCents: 0 };

/** The next process comes up, a minute later. */
const recovered = async (): Promise<void> => {
  world.pass(RECOVERY_AGE_MS);
  expect(await world.recover()).toEqual([]);
  expect(await world.changeStates(id)).not.toContain('pending');
  expect(await world.changeStates(id)).not.toContain('charged');
};

const expectApplied = async (): Promise<void> => {
  expect(await world.subscription(id)).toMatchObject(NEW);
  expect(world.bank.taken(id)).toBe(900 + 4450);
  expect(await world.ledger(id)).toEqual({ receivable: 0, revenue: -5350, credit: 0, cash: 5350 });
};

const expectNothing = async (): Promise<void> => {
  expect(await world.subscription(id)).toMatchObject(OLD);
  expect(world.bank.taken(id)).toBe(900);
  expect(await world.ledger(id)).toMatchObject({ revenue: -900, cash: 900 });
};

describe('a process that dies during an upgrade', () => {
  // 1: the change is written down. 2: it was charged. 3: it is applied.
  const steps: readonly [string, number, When, 'nothing' | 'applied'][] = [
    ['before the change is written down', 1, 'inside', 'nothing'],
    ['after that, before the provider is called', 1, 'after', 'nothing'],
    ['when the provider has charged, before that is written down', 2, 'inside', 'applied'],
    ['when that is written down', 2, 'after', 'applied'],
    ['while it is applied', 3, 'inside', 'applied'],
    ['when it is applied, before the answer', 3, 'after', 'applied'],
  ];
  for (const [name, at, when, outcome] of steps) {
    test(`${name}: ${outcome}`, async () => {
      const dying = { ...world.parts, db: dyingAt(database.db, at, when) };
      // Also of the first step: whether it was written down is not known to who lost the answer.
      const kind = { code: 'PaymentUnresolved', kind: 'internal' };
      await expect(world.change(id, 'growth', dying)).rejects.toMatchObject(kind);
      await recovered();
      await (outcome === 'applied' ? expectApplied() : expectNothing());
      // Nothing is left over: recovery again changes nothing, and the organization may go on.
      await recovered();
      await (outcome === 'applied' ? expectApplied() : expectNothing());
      if (outcome === 'nothing') await world.change(id, 'growth');
      await expectApplied();
    });
  }

  test('in the call to the provider, before the request leaves: nothing', async () => {
    world.bank.onCharge = (when) => (when === 'before' ? die() : undefined);
    await expect(world.change(id, 'growth')).rejects.toMatchObject({ code: 'PaymentUnresolved' });
    await recovered();
    await expectNothing();
  });

  test('in the call to the provider, once it has charged: applied', async () => {
    world.bank.onCharge = (when) => (when === 'after' ? die() : undefined);
    await expect(world.change(id, 'growth')).rejects.toMatchObject({ code: 'PaymentUnresolved' });
    await recovered();
    await expectApplied();
  });
});

test('recovery that dies itself, at each of its steps, is recovered from', async () => {
  for (const [at, when] of [
    [1, 'inside'],
    [1, 'after'],
    [2, 'inside'],
    [2, 'after'],
  ] as const) {
    world = new BillingFixture(database.db);
    id = await world.organization();
    await world.change(id, 'starter');
    await world.use(id, 12_500_000);
    world.bank.behavior = 'lost';
    await expect(world.change(id, 'growth')).rejects.toMatchObject({ code: 'PaymentUnresolved' });
    world.bank.behavior = 'well';
    world.pass(RECOVERY_AGE_MS);
    expect(await world.recover({ ...world.parts, db: dyingAt(database.db, at, when) })).toHaveLength(1);
    await recovered();
    await expectApplied();
  }
});

test('while the provider is away nothing is decided: no other change, no renewal; then it is', async () => {
  world.bank.behavior = 'away';
  await expect(world.change(id, 'growth')).rejects.toMatchObject({ kind: 'internal', code: 'PaymentUnresolved' });
  world.pass(RECOVERY_AGE_MS);
  expect(await world.recover()).toHaveLength(1);
  expect(await world.changeStates(id)).toContain('pending');
  for (const plan of ['scale', 'free'] as const) {
    await expect(world.change(id, plan)).rejects.toMatchObject({ code: 'ChangeUnderway' });
    await expect(world.preview(id, plan)).rejects.toMatchObject({ code: 'ChangeUnderway' });
  }
  const { periodEnd } = await world.subscription(id);
  world.now = periodEnd;
  expect(await renewIfDue(world.parts, id, world.now)).toBe(false);
  world.bank.behavior = 'well';
  await recovered();
  await expectNothing();
  expect(await renewIfDue(world.parts, id, world.now)).toBe(true);
  expect(await world.ledger(id)).toMatchObject({ cash: 1800 });
});

test('a change that began just now belongs to a request that still runs: recovery leaves it alone', async () => {
  let inCall: () => void = () => undefined;
  let goOn: () => void = () => undefined;
  const called = new Promise<void>((resolve) => {
    inCall = resolve;
  });
  const allowed = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  world.bank.onCharge = async (when) => {
    if (when === 'after') return;
    inCall();
    await allowed;
  };
  const changing = world.change(id, 'growth');
  await called;
  expect(await world.recover()).toEqual([]);
  expect(await world.changeStates(id)).toContain('pending');
  goOn();
  await expect(changing).resolves.toMatchObject({ chargeCents: 4450 });
  await expectApplied();
});

test('several processes recover the same changes at once: each is applied once', async () => {
  const ids = [id];
  for (let more = 0; more < 4; more++) {
    const other = await world.organization();
    await world.change(other, 'starter');
    await world.use(other, 12_500_000);
    ids.push(other);
  }
  world.bank.behavior = 'lost';
  for (const one of ids) await expect(world.change(one, 'growth')).rejects.toMatchObject({ code: 'PaymentUnresolved' });
  world.bank.behavior = 'well';
  world.pass(RECOVERY_AGE_MS);
  const faults = await Promise.all(Array.from({ length: 5 }, () => world.recover()));
  expect(faults.flat()).toEqual([]);
  for (const one of ids) {
    expect(await world.subscription(one)).toMatchObject(NEW);
    expect(await world.ledger(one)).toMatchObject({ cash: 5350 });
  }
});

test('a request that waited too long to write its change down charges nothing', async () => {
  const real = performance.now.bind(performance);
  let late = 0;
  const watch = vi.spyOn(performance, 'now').mockImplementation(() => real() + late);
  const slow: Database = {
    ...database.db,
    transaction: async (work) => {
      const result = await database.db.transaction(work);
      late = START_TIMEOUT_MS + 1;
      return result;
    },
  };
  try {
    await expect(world.change(id, 'growth', { ...world.parts, db: slow })).rejects.toMatchObject({
      kind: 'unavailable',
    });
  } finally {
    watch.mockRestore();
  }
  expect(await world.changeStates(id)).toEqual(expect.arrayContaining(['applied', 'failed']));
  await expectNothing();
  await world.change(id, 'growth');
  await expectApplied();
});

test('use goes on while the outcome is unknown: it counts into the period that comes out', async () => {
  world.bank.behavior = 'lost';
  await expect(world.change(id, 'growth')).rejects.toMatchObject({ code: 'PaymentUnresolved' });
  await world.use(id, 777);
  const begun = world.now;
  await recovered();
  expect(await world.subscription(id)).toMatchObject({ ...NEW, usedUnits: 777, periodStart: begun });
});

test('a charge that arrives although the change was given up is seen by the audit', async () => {
  const other = await openTestDatabase();
  try {
    const broken = new BillingFixture(other.db);
    const one = await broken.organization();
    broken.bank.onCharge = async (when) => {
      if (when === 'before') await other.db.run(`update plan_change set state = 'failed', failure = 'given up'`);
    };
    await expect(broken.change(one, 'starter')).rejects.toMatchObject({ code: 'ChangeGivenUp' });
    expect(await broken.subscription(one)).toMatchObject({ planId: null, paidCents: 0 });
    expect((await auditBilling(other.db)).map(({ what }) => what)).toEqual(['plan_change.provider_reference']);
  } finally {
    await other.drop();
  }
});
