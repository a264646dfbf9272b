import { randomInt } from 'node:crypto';
import { UserDataType } from '@farcaster/core';
import { fromUnixMs } from '../../src/protocol/time.js';
import { type Author, author, SAMPLE_SEED } from '../../src/sample/author.js';
import { createClock } from '../../src/sample/clock.js';
import type { Signed } from '../../src/sample/signed-message.js';

const HOUR = 3_600;
/** Casts that may be answered, liked and removed. */
const RECENT = 200;
/** Wallets of an account, beside its custody address. */
const WALLETS = 12;

const pick = <Item>(items: readonly Item[]): Item => items[randomInt(items.length)] as Item;

/**
 * @param fids accounts of the sample network
 * @returns a function that signs what a random one of them does next: all kinds of messages that are added, replaced and
 *   removed. Each account has a clock of its own, from two hours ago on, so that messages of one are never of the same second.
 */
export const createActivity = (fids: readonly number[]): (() => Promise<Signed>) => {
  const start = fromUnixMs(Date.now()) - 2 * HOUR;
  const people = fids.map((fid) => author({ seed: SAMPLE_SEED, fid, clock: createClock(start) }));
  const casts: Signed[] = [];
  const say = (person: Author): Signed => {
    const parent = casts.length > 0 && randomInt(2) === 0 ? pick(casts) : undefined;
    const cast = person.cast({ text: ['This is ', pick(fids), ` and ${randomInt(1e9)}`], ...(parent && { parent }) });
    casts.push(cast);
    if (casts.length > RECENT) casts.shift();
    return cast;
  };
  const unsay = (): Signed => {
    const [cast] = casts.splice(randomInt(casts.length), 1) as [Signed];
    return (people.find(({ fid }) => fid === cast.fid) as Author).removeCast(cast.hash);
  };
  const others = (person: Author): number[] => fids.filter((fid) => fid !== person.fid);
  const verify = async (person: Author): Promise<Signed> =>
    person.verifyEthereum(person.wallet(1 + randomInt(WALLETS)));
  const actions: readonly ((person: Author) => Signed | Promise<Signed>)[] = [
    say,
    say,
    unsay,
    (person) => person.react(pick(['like', 'recast'] as const), pick(casts)),
    (person) => person.react('like', pick(casts)),
    (person) => person.unreact(pick(['like', 'recast'] as const), pick(casts)),
    (person) => person.follow(pick(others(person))),
    (person) => person.unfollow(pick(others(person))),
    (person) => person.link('block', pick(others(person))),
    (person) => person.compactLinks('follow', others(person).slice(randomInt(fids.length - 1))),
    (person) => person.userData(UserDataType.BIO, `About ${randomInt(1e9)}`),
    (person) => person.userData(UserDataType.DISPLAY, `Name ${randomInt(1e9)}`),
    (person) => person.userData(UserDataType.LOCATION, `geo:${randomInt(80)}.00,${randomInt(170)}.00`),
    verify,
    (person) => person.removeVerification(0, person.wallet(1 + randomInt(WALLETS)).address),
  ];
  return async () => {
    const person = pick(people);
    return casts.length < 2 ? say(person) : pick(actions)(person);
  };
};
