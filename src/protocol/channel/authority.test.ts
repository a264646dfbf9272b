import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ChannelState,
  decide,
  emptyChannel,
  evolve,
  MAX_MODERATIONS,
  MAX_MODERATORS,
  MAX_SLOTS,
  type SlotState,
} from './authority.js';
import type { ChannelMessage } from './decode.js';
import { MemberAction } from './type.js';

const CHANNEL = new Uint8Array(32);
const CAST = new Uint8Array(20).fill(1);
const MODES = { open: 1, approval: 2 } as const;

const SLOTS = [undefined, 'member', 'moderator', 'banned', 'removed'] as const;
const RESULT: Readonly<Record<string, SlotState>> = { m: 'member', M: 'moderator', b: 'banned', r: 'removed' };
type Capacity = 'owner' | 'moderator' | 'self';
const ACTIONS = Object.keys(MemberAction) as (keyof typeof MemberAction)[];

/**
 * The rules of the protocol as a table, independent of the code: what each capacity of the author makes of a slot that is
 * none, member, moderator, banned or removed. A point is a refusal.
 */
const TABLE: Readonly<Record<keyof typeof MemberAction, Partial<Record<Capacity | 'selfIfOpen', string>>>> = {
  addMember: { owner: 'm...m', moderator: 'm...m', selfIfOpen: 'm...m' },
  removeMember: { owner: '.r...', moderator: '.r...', self: '.rr..' },
  addModerator: { owner: 'MM..M' },
  removeModerator: { owner: '..m..' },
  ban: { owner: 'bbb.b', moderator: 'bb..b' },
  unban: { owner: '...r.', moderator: '...r.' },
};

interface Case {
  readonly owner: number | undefined;
  readonly author: number;
  readonly target: number;
  readonly action: keyof typeof MemberAction;
  readonly isOpen: boolean;
  readonly slots: ReadonlyMap<number, SlotState>;
}

/** @returns the slot's new state by the table; undefined: refused */
const expected = ({ owner, author, target, action, isOpen, slots }: Case): SlotState | undefined => {
  const column = SLOTS.indexOf(slots.get(target));
  const row = TABLE[action];
  const capacities = [
    author === owner && row.owner,
    slots.get(author) === 'moderator' && row.moderator,
    author === target && row.self,
    author === target && isOpen && row.selfIfOpen,
  ];
  if (owner === undefined && !(action === 'removeMember' && author === target)) return undefined;
  if (action === 'ban' && target === owner) return undefined;
  if (action === 'addModerator' && [...slots.values()].filter((one) => one === 'moderator').length === 10)
    return undefined;
  const letters = capacities.flatMap((letters) => (letters ? [letters[column] as string] : []));
  const letter = letters.find((one) => one !== '.');
  return letter === undefined ? undefined : RESULT[letter];
};

const stateOf = ({ owner, isOpen, slots }: Case): ChannelState => ({
  ...emptyChannel(),
  owner,
  metadata: {
    name: null,
    description: null,
    imageUrl: null,
    header: null,
    rules: null,
    castingMode: 1,
    membershipMode: isOpen ? MODES.open : MODES.approval,
  },
  slots: new Map(slots),
  slotCount: slots.size,
  moderatorCount: [...slots.values()].filter((one) => one === 'moderator').length,
});

const member = (fid: number, action: keyof typeof MemberAction): ChannelMessage => ({
  kind: 'member',
  channelId: CHANNEL,
  fid,
  action: MemberAction[action],
});

const decided = (one: Case): SlotState | undefined => {
  const { change } = decide(stateOf(one), one.author, member(one.target, one.action));
  return change?.kind === 'slot' && change.fid === one.target ? change.state : undefined;
};

describe('actions on members', () => {
  it('follow the table for every action, role of the author, state of the slot, and mode', () => {
    let cases = 0;
    const [author, target, somebody] = [1, 2, 3];
    for (const action of ACTIONS)
      for (const authorSlot of SLOTS)
        for (const targetSlot of SLOTS)
          for (const owner of [undefined, author, target, somebody])
            for (const isOpen of [true, false])
              for (const to of [author, target]) {
                const slots = new Map<number, SlotState>();
                if (authorSlot) slots.set(author, authorSlot);
                if (targetSlot) slots.set(target, targetSlot);
                const one = { owner, author, target: to, action, isOpen, slots };
                expect([one, decided(one)]).toEqual([one, expected(one)]);
                cases++;
              }
    expect(cases).toBe(6 * 5 * 5 * 4 * 2 * 2);
  });

  it('follow the table in any order, and the counts are those of the slots', () => {
    const fid = fc.integer({ min: 1, max: 5 });
    const step = fc.record({
      owner: fc.option(fid, { nil: undefined, freq: 6 }),
      author: fid,
      target: fid,
      action: fc.constantFrom(...ACTIONS),
      isOpen: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
        const state = emptyChannel();
        const slots = new Map<number, SlotState>();
        for (const one of steps) {
          Object.assign(state, { owner: one.owner, metadata: stateOf({ ...one, slots }).metadata });
          const { change } = decide(state, one.author, member(one.target, one.action));
          const next = expected({ ...one, slots });
          expect(change?.kind === 'slot' ? change.state : undefined).toBe(next);
          if (change) evolve(state, change);
          if (next) slots.set(one.target, next);
          expect(state.slots).toEqual(slots);
          expect(state.slotCount).toBe(slots.size);
          expect(state.moderatorCount).toBe([...slots.values()].filter((slot) => slot === 'moderator').length);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('tell why they are refused', () => {
    const reason = (slots: readonly (readonly [number, SlotState])[], author: number, action: never, fid = 2) =>
      decide(
        stateOf({ owner: 1, author, target: fid, action, isOpen: false, slots: new Map(slots) }),
        author,
        member(fid, action),
      ).refusal;
    expect(reason([], 9, 'ban' as never)).toBe('not_allowed');
    expect(reason([], 1, 'ban' as never, 1)).toBe('is_owner');
    expect(reason([[2, 'banned']], 1, 'addMember' as never)).toBe('is_banned');
    expect(reason([[2, 'member']], 1, 'addMember' as never)).toBe('wrong_slot');
    expect(reason([], 2, 'addMember' as never)).toBe('not_allowed');
    const parked = { ...stateOf({ owner: undefined, slots: new Map() } as never), owner: undefined };
    expect(decide(parked, 1, member(2, 'ban')).refusal).toBe('parked');
  });
});

describe('limits', () => {
  const full = (changes: Partial<ChannelState>): ChannelState => ({ ...emptyChannel(), owner: 1, ...changes });

  it('are ten moderators, whose places become free', () => {
    const state = full({});
    for (let fid = 10; fid < 10 + MAX_MODERATORS; fid++) {
      const { change } = decide(state, 1, member(fid, 'addModerator'));
      if (change) evolve(state, change);
    }
    expect(state.moderatorCount).toBe(10);
    expect(decide(state, 1, member(99, 'addModerator')).refusal).toBe('too_many_moderators');
    const { change } = decide(state, 10, member(10, 'removeMember'));
    if (change) evolve(state, change);
    expect(decide(state, 1, member(99, 'addModerator')).change).toBeDefined();
  });

  it('are slots of accounts, which never become free', () => {
    const state = full({ slotCount: MAX_SLOTS, slots: new Map([[5, 'removed']]) });
    expect(MAX_SLOTS).toBe(8192);
    for (const action of ['addMember', 'addModerator', 'ban'] as const) {
      expect(decide(state, 1, member(6, action)).refusal).toBe('no_slot_left');
      expect(decide(state, 1, member(5, action)).change).toBeDefined();
    }
    expect(decide({ ...state, slotCount: MAX_SLOTS - 1 }, 1, member(6, 'ban')).change).toBeDefined();
  });

  it('are casts that are hidden or shown again', () => {
    const hide: ChannelMessage = { kind: 'moderate', channelId: CHANNEL, castHash: CAST, isHidden: true };
    const state = full({ moderationCount: MAX_MODERATIONS });
    expect(MAX_MODERATIONS).toBe(16_384);
    expect(decide(state, 1, hide).refusal).toBe('no_slot_left');
    const last = full({ moderationCount: MAX_MODERATIONS - 1 });
    const { change } = decide(last, 1, hide);
    if (change) evolve(last, change);
    expect(last.moderationCount).toBe(MAX_MODERATIONS);
    expect(decide(last, 1, { ...hide, isHidden: false }).change).toBeDefined();
  });
});

describe('updates, pins and moderation', () => {
  const messages: readonly (readonly [name: string, message: ChannelMessage, mayModerator: boolean])[] = [
    [
      'update',
      {
        kind: 'update',
        channelId: CHANNEL,
        metadata: stateOf({ isOpen: true, slots: new Map() } as never).metadata as never,
      },
      false,
    ],
    ['pin', { kind: 'pin', channelId: CHANNEL, castHash: CAST }, true],
    ['unpin', { kind: 'pin', channelId: CHANNEL, castHash: undefined }, true],
    ['hide', { kind: 'moderate', channelId: CHANNEL, castHash: CAST, isHidden: true }, true],
    ['unhide', { kind: 'moderate', channelId: CHANNEL, castHash: CAST, isHidden: false }, true],
  ];

  it.each(messages)('%s is for the owner, and perhaps moderators', (_name, message, mayModerator) => {
    for (const slot of SLOTS) {
      const state: ChannelState = { ...emptyChannel(), owner: 1, slots: new Map(slot ? [[2, slot]] : []) };
      expect(decide(state, 1, message).change).toBeDefined();
      expect(decide(state, 2, message).change !== undefined).toBe(mayModerator && slot === 'moderator');
      expect(decide({ ...state, owner: undefined }, 2, message).refusal).toBe('parked');
    }
  });

  it('change what they say', () => {
    const state: ChannelState = { ...emptyChannel(), owner: 1 };
    for (const [, message] of messages) {
      const { change } = decide(state, 1, message);
      if (change) evolve(state, change);
    }
    expect(state).toMatchObject({ metadata: { membershipMode: MODES.open }, pin: undefined, moderationCount: 1 });
    expect([...state.moderations.values()]).toEqual([false]);
  });
});
