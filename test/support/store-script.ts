import { MessageType, Protocol, SignerEventType, UserDataType } from '@farcaster/core';
import { base58 } from '@scure/base';
import fc from 'fast-check';
import { getAddress } from 'viem';
import type { IngestItem } from '../../src/ingest/item.js';
import { type Author, author } from '../../src/sample/author.js';
import { createClock } from '../../src/sample/clock.js';
import { type SignerKey, signerKey } from '../../src/sample/key.js';
import { derive } from '../../src/sample/random.js';
import type { Signed } from '../../src/sample/signed-message.js';
import { inNewEnvelope, keyAdd, keyRemove, keySelfRemove } from './key-message.js';
import type { Told } from './store-model.js';

const SEED = 'store model';
/** Accounts of a script: two that write, one of an app, and one without storage of its own. */
const PEOPLE = 4;
const PAGE = 'https://example.org/';
/** Accounts of no script. */
const FURTHER_FIDS = 1_000_000;
const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Each makes one message or event; what the numbers mean depends on it. */
export const ACTS = [
  ...['cast', 'removeCast', 'react', 'unreact', 'link', 'unlink', 'compact', 'bio'],
  ...['verify', 'verifyFurther', 'removeVerification', 'primary', 'name', 'claim', 'lend', 'rent', 'transfer'],
  ...['addSigner', 'removeSigner', 'resetSigner', 'keyAdd', 'keyRemove', 'keySelfRemove', 'again'],
] as const;
export type Act = (typeof ACTS)[number];

export interface Step {
  readonly act: Act;
  readonly who: number;
  /** Its object: another account, an address, a key, a name, an earlier item. */
  readonly what: number;
  readonly more: number;
  /** 0: the account's first key signs. */
  readonly key: number;
  /** Seconds by which the message is older than the moment; messages of several accounts share a clock of 10 s. */
  readonly late: number;
}

const often = <Value>(value: Value, ...others: Value[]) =>
  fc.oneof({ arbitrary: fc.constant(value), weight: 6 }, { arbitrary: fc.constantFrom(...others), weight: 2 });

const stepOf = (acts: readonly Act[]): fc.Arbitrary<Step> =>
  fc.record({
    act: fc.constantFrom(...acts),
    who: often(0, 1, 2, 3),
    what: fc.nat(3),
    more: fc.nat(3),
    key: often(0, 1, 2, 3),
    late: often(0, 10, 20, 35, 900),
  });

/** Each script has all of the acts; what is named twice is twice as frequent. */
export const scriptsOf = (maxLength: number, acts: readonly Act[], minLength = 1): fc.Arbitrary<Step[]> =>
  fc.array(stepOf(acts), { minLength, maxLength, size: 'max' });

/** Each script has some of the acts, so that those that depend on each other meet more often. */
export const scripts = (maxLength: number, acts: readonly Act[] = ACTS): fc.Arbitrary<Step[]> =>
  fc.subarray([...acts], { minLength: 4 }).chain((some) => scriptsOf(maxLength, some));

/** Leaves out parts of a failing script, half of it first, as long as it fails. @returns the shortest with its error */
const shorten = async (
  script: readonly Step[],
  error: unknown,
  check: (steps: readonly Step[]) => Promise<void>,
): Promise<[readonly Step[], unknown]> => {
  for (let size = Math.ceil(script.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < script.length; start += size) {
      const shorter = script.toSpliced(start, size);
      const failure = await check(shorter).then(
        () => undefined,
        (cause: unknown) => ({ cause }),
      );
      if (failure) return shorten(shorter, failure.cause, check);
    }
  }
  return [script, error];
};

/**
 * Checks random scripts of this seed (`property-seed.ts`).
 * @throws Error with the steps of a shortened script that fails, and its cause
 */
export const checkScripts = async (
  arbitrary: fc.Arbitrary<Step[]>,
  count: number,
  check: (steps: readonly Step[]) => Promise<void>,
): Promise<void> => {
  for (const script of fc.sample(arbitrary, count)) {
    try {
      await check(script);
    } catch (first) {
      const [steps, cause] = await shorten(script, first, check);
      throw new Error(`${cause}\n${steps.map((one) => JSON.stringify(one)).join('\n')}`, { cause });
    }
  }
};

/** A store of the first account that is full before the steps. */
export interface ScriptStart {
  readonly full: 'addresses' | 'casts' | 'reactions' | 'links';
}

const pick = <Value>(values: readonly Value[], index: number): Value => values[index % values.length] as Value;
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const onchain = (item: IngestItem, change: object): Told => {
  if (item.kind !== 'onchain') throw new Error('no chain event');
  const { event } = item;
  return { kind: 'onchain', event: { ...event, signerEventBody: { ...event.signerEventBody, ...change } as never } };
};

const asTold = (item: IngestItem): Told => {
  if (item.kind === 'removal') throw new Error('no script removes');
  return item;
};

/** Turns steps into what a hub is told. Accounts, keys and names are of one script only. */
export class StoreScript {
  readonly people: readonly Author[];
  readonly told: Told[] = [];
  readonly #clock;
  /** Protocol seconds. */
  readonly #recent: number;
  readonly #casts: Signed[] = [];
  readonly #loans = new Set<Told>();
  readonly #linkTimes = new Set<number>();
  /** Keys that any of the accounts may register by a message or onchain. */
  readonly #keys: readonly SignerKey[];
  readonly #custody = new Map<number, number>();
  readonly #nonces = new Map<number, number>();

  /**
   * @param firstFid fids from here to three further ones
   * @param now Protocol seconds
   */
  constructor(
    readonly firstFid: number,
    now: number,
  ) {
    // So long ago that a ttl of an hour has passed.
    this.#clock = createClock(now - 3 * DAY);
    this.#recent = now - 300;
    this.people = Array.from({ length: PEOPLE }, (_, index) =>
      author({ seed: SEED, fid: firstFid + index, clock: this.#clock }),
    );
    this.#keys = [1, 2, 3].map((index) => signerKey(derive(SEED, 'shared key', firstFid, index)));
  }

  /** How many items introduce the accounts; each further one is of a step. */
  introduced = 0;

  get fids(): number[] {
    return this.people.map(({ fid }) => fid);
  }

  /** Registers the accounts, and rents storage for all but the last. */
  async introduce(start?: ScriptStart): Promise<void> {
    for (const [index, person] of this.people.entries()) {
      this.told.push(asTold(person.register()), asTold(await person.addSigner()));
      if (index < PEOPLE - 1) this.told.push(asTold(person.rent(index === 0 && !start ? 3 : 1)));
    }
    if (start) this.told.push(...(await this.#fill(start)).map(({ item }) => asTold(item)));
    this.introduced = this.told.length;
  }

  /** The first ones are those that the steps are about. */
  async #fill({ full }: ScriptStart): Promise<Signed[]> {
    const person = this.people[0] as Author;
    if (full === 'addresses')
      return Promise.all([5, 6, 7, 8, 9].map((index) => person.verifyEthereum(person.wallet(index))));
    const numbers = Array.from({ length: full === 'casts' ? 100 : 200 }, (_, index) => index);
    if (full === 'casts') {
      this.#casts.push(...numbers.map((index) => person.cast({ text: `${index}` })));
      return this.#casts;
    }
    if (full === 'reactions') return numbers.map((index) => person.react('like', `${PAGE}${index || ''}`));
    return numbers.map((index) => {
      const target = index < PEOPLE ? this.firstFid + index : FURTHER_FIDS + index;
      return person.link('follow', target, this.#linkTime(this.#clock.tick()));
    });
  }

  async play(steps: readonly Step[]): Promise<void> {
    for (const one of steps) this.told.push(await this.#make(one));
  }

  async #make(one: Step): Promise<Told> {
    const { act, what, more } = one;
    const person = pick(this.people, one.who);
    const other = pick(this.people, what);
    const at = this.#clock.tick(10) - one.late;
    const wallet = person.wallet(5 + (what % 2));
    const solana = person.solanaKey(0);
    const message = (made: Signed): Told => {
      const key = one.key === 0 ? undefined : pick(this.#keys, one.key);
      return asTold((key ? inNewEnvelope(made, key, made.timestamp) : made).item);
    };
    const name = `n${this.firstFid}-${what % 2}`;
    const reaction = more % 2 === 0 ? 'like' : 'recast';
    const target = pick<Signed | string>([...this.#casts, PAGE], what);
    const link = more % 3 === 0 ? 'block' : 'follow';
    switch (act) {
      case 'cast': {
        const made = person.cast({ text: `${more}`, at });
        this.#casts.push(made);
        return message(made);
      }
      case 'removeCast':
        return message(person.removeCast(pick(this.#casts, what)?.hash ?? new Uint8Array(20), at));
      case 'react':
        return message(person.react(reaction, target, at));
      case 'unreact':
        return message(person.unreact(reaction, target, at));
      case 'link':
        return message(person.link(link, other.fid, this.#linkTime(at)));
      case 'unlink':
        return message(person.unlink(link, other.fid, this.#linkTime(at)));
      case 'compact': {
        const listed = this.fids.filter((_, index) => index !== what);
        return message(person.compactLinks(link, more > 1 ? listed : [other.fid], this.#linkTime(at)));
      }
      case 'bio':
        return message(person.userData(more > 1 ? UserDataType.BIO : UserDataType.URL, `${what}`, at));
      case 'verify':
        return message(what === 3 ? person.verifySolana(solana, at) : await person.verifyEthereum(wallet, at));
      case 'verifyFurther':
        return message(await person.verifyEthereum(person.wallet(7 + (what % 2) * 4 + more), at));
      case 'removeVerification':
        return message(
          what === 3
            ? person.removeVerification(Protocol.SOLANA, solana.publicKey, at)
            : person.removeVerification(Protocol.ETHEREUM, wallet.address, at),
        );
      case 'primary':
        return message(
          what === 3
            ? person.userData(UserDataType.USER_DATA_PRIMARY_ADDRESS_SOLANA, base58.encode(solana.publicKey), at)
            : person.userData(
                UserDataType.USER_DATA_PRIMARY_ADDRESS_ETHEREUM,
                more === 0 ? '' : getAddress(wallet.account.address),
                at,
              ),
        );
      case 'name': {
        const proof = await person.fnameProof(name, at);
        if (proof.kind !== 'proof') throw new Error('no proof');
        return more === 0 ? { ...proof, proof: { ...proof.proof, fid: 0 } } : asTold(proof);
      }
      case 'claim':
        return message(person.userData(UserDataType.USERNAME, more === 0 ? '' : name, at));
      case 'lend':
        // Hubs take no loans of more than ten minutes ago.
        return this.#loan(asTold(person.lendStorage(other.fid, more, this.#recent + this.told.length).item));
      case 'rent':
        return asTold(person.rent(1));
      case 'transfer':
        this.#custody.set(person.fid, what);
        return asTold(person.transfer(what));
      case 'addSigner':
        return onchain(await person.addSigner(), { key: pick(this.#keys, what).publicKey });
      case 'removeSigner':
        return onchain(person.removeSigner(), { key: pick(this.#keys, what).publicKey });
      case 'resetSigner':
        return onchain(person.removeSigner(), {
          key: pick(this.#keys, what).publicKey,
          eventType: SignerEventType.ADMIN_RESET,
        });
      case 'keyAdd':
      case 'keyRemove':
      case 'keySelfRemove':
        return this.#aboutKey(one, person, at);
      case 'again':
        return pick(this.#repeatable().toReversed(), what * 3 + more);
    }
  }

  /** Two compact states of one time, and a state and a link of one time, depend on the order at hubs. */
  #linkTime(at: number): number {
    let time = at;
    while (this.#linkTimes.has(time)) time++;
    this.#linkTimes.add(time);
    return time;
  }

  #loan(told: Told): Told {
    this.#loans.add(told);
    return told;
  }

  /** Hubs take a loan of 0 units again, because they keep none; the service keeps it, so that no older one returns. */
  #repeatable(): Told[] {
    return this.told.filter((told) => !this.#loans.has(told));
  }

  /** The app is the third account, or the first; a custody address is sometimes an earlier one, and a nonce a used one. */
  async #aboutKey({ act, what, more, late, key: which }: Step, person: Author, at: number): Promise<Told> {
    const key = pick(this.#keys, what);
    const app = pick(this.people, more === 3 ? 0 : 2);
    const isOld = which === 3;
    const custodyOf = (one: Author): Author['custody'] => one.wallet(isOld ? 0 : (this.#custody.get(one.fid) ?? 0));
    const custody = custodyOf(person);
    const appCustody = custodyOf(app);
    const counter = act === 'keySelfRemove' ? -1 : person.fid;
    const last = this.#nonces.get(counter) ?? 0;
    const nonce = which === 2 ? last : last + 1 + (late > 0 ? 1 : 0);
    this.#nonces.set(counter, nonce);
    const of = (signed: Signed, claims: NonNullable<Extract<Told, { kind: 'message' }>['claims']>): Told => ({
      kind: 'message',
      wire: signed.wire,
      claims,
    });
    const address = hex(custody.address);
    if (act === 'keySelfRemove') return of(keySelfRemove(person, { key, nonce, at }), { custody: undefined });
    if (act === 'keyRemove') return of(await keyRemove(person, { key, nonce, at, custody }), { custody: address });
    const scopes = more === 1 ? [MessageType.USER_DATA_ADD] : [MessageType.CAST_ADD, MessageType.USER_DATA_ADD];
    const ttl = which === 1 ? HOUR : 80 * DAY;
    const made = await keyAdd(person, { key, nonce, app, at, scopes, ttl, custody, appCustody });
    return of(made, { custody: address, app: { fid: app.fid, custody: hex(appCustody.address) } });
  }
}

let nextFid = 1_000;

/** @returns a script with accounts of its own, so that scripts can share a database; `now` in protocol seconds */
export const playScript = async (steps: readonly Step[], now: number, start?: ScriptStart): Promise<StoreScript> => {
  nextFid += 10;
  const script = new StoreScript(nextFid, now);
  await script.introduce(start);
  await script.play(steps);
  return script;
};
