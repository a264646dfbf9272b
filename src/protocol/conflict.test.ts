import { MessageData, MessageType } from '@farcaster/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conflictKey, isInCompactState, MessageSet, proofSupersedes, supersedes } from './conflict.js';
import type { ProtocolMessage } from './wire/message.js';

type Body = {
  readonly [K in keyof MessageData as K extends `${string}Body` ? K : never]?: Partial<NonNullable<MessageData[K]>>;
};

/** Few values of everything, so that most generated messages conflict. */
const hashOf = (n: number): Uint8Array => Uint8Array.from({ length: 20 }, (_, i) => (i === 19 ? n : 0));

const message = (type: number, timestamp: number, hash: number, body: Body, fid = 7): ProtocolMessage => {
  const data = MessageData.fromPartial({ type, timestamp, fid, ...body } as never);
  const envelope = {
    dataBytes: new Uint8Array(),
    dataForm: 'data' as const,
    hash: hashOf(hash),
    hashScheme: 1,
    signature: new Uint8Array(),
    signatureScheme: 1,
    signer: new Uint8Array(),
  };
  return { envelope, type, fid, timestamp, data };
};

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const keyOf = (m: ProtocolMessage): string => {
  const { set, key } = conflictKey(m);
  return `${m.fid}:${set}:${hex(key)}`;
};

/** The reference merge: one holder for each key, links filtered by the winning compact state when looked at. */
class ReferenceState {
  readonly holders = new Map<string, ProtocolMessage>();

  merge(candidate: ProtocolMessage): this {
    const key = keyOf(candidate);
    const holder = this.holders.get(key);
    if (!holder || supersedes(candidate, holder)) this.holders.set(key, candidate);
    return this;
  }

  remove(hash: Uint8Array): this {
    for (const [key, holder] of this.holders) {
      if (hex(holder.envelope.hash) === hex(hash)) this.holders.delete(key);
    }
    return this;
  }

  inForce(): string[] {
    const all = [...this.holders.values()];
    const states = all.filter((m) => m.type === MessageType.LINK_COMPACT_STATE);
    return all
      .filter((m) => states.every((s) => isInCompactState(s, m)))
      .map((m) => `${m.type}@${m.timestamp}#${hex(m.envelope.hash)}`)
      .sort();
  }
}

const merged = (messages: readonly ProtocolMessage[]): ReferenceState => {
  const state = new ReferenceState();
  for (const m of messages) state.merge(m);
  return state;
};

/** A small pool of messages of one kind; hashes are distinct, as they are on the wire. */
const pool = (one: (hash: number) => fc.Arbitrary<ProtocolMessage>): fc.Arbitrary<ProtocolMessage[]> =>
  fc.integer({ min: 1, max: 9 }).chain((size) => fc.tuple(...Array.from({ length: size }, (_, i) => one(i + 1))));

const seconds = fc.integer({ min: 1, max: 4 });
const few = fc.integer({ min: 1, max: 2 });

const linkMessage = (hash: number): fc.Arbitrary<ProtocolMessage> =>
  fc
    .tuple(
      fc.constantFrom(MessageType.LINK_ADD, MessageType.LINK_REMOVE),
      seconds,
      fc.constantFrom('follow', 'block'),
      fc.integer({ min: 1, max: 3 }),
    )
    .map(([kind, t, type, targetFid]) => message(kind, t, hash, { linkBody: { type, targetFid } }));

const kinds: Record<string, (hash: number) => fc.Arbitrary<ProtocolMessage>> = {
  // The adds of the pool have hashes 1 to 9, so that removals of 1 to 3 often hit one.
  cast: (hash) =>
    fc.oneof(
      seconds.map((t) => message(MessageType.CAST_ADD, t, hash, { castAddBody: { text: 'x' } })),
      fc
        .tuple(seconds, fc.integer({ min: 1, max: 3 }))
        .map(([t, target]) =>
          message(MessageType.CAST_REMOVE, t, hash, { castRemoveBody: { targetHash: hashOf(target) } }),
        ),
    ),
  reaction: (hash) =>
    fc
      .tuple(fc.constantFrom(MessageType.REACTION_ADD, MessageType.REACTION_REMOVE), seconds, few, few, fc.boolean())
      .map(([type, t, reaction, target, url]) =>
        message(type, t, hash, {
          reactionBody: url
            ? { type: reaction, targetUrl: `https://example.org/${target}` }
            : { type: reaction, targetCastId: { fid: target, hash: hashOf(target) } },
        }),
      ),
  link: (hash) =>
    fc.oneof(
      { weight: 4, arbitrary: linkMessage(hash) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(seconds, fc.constantFrom('follow', 'block'), fc.uniqueArray(fc.integer({ min: 1, max: 3 })))
          .map(([t, type, targetFids]) =>
            message(MessageType.LINK_COMPACT_STATE, t, hash, { linkCompactStateBody: { type, targetFids } }),
          ),
      },
    ),
  'user data': (hash) =>
    fc
      .tuple(seconds, few)
      .map(([t, type]) => message(MessageType.USER_DATA_ADD, t, hash, { userDataBody: { type, value: 'x' } })),
  verification: (hash) =>
    fc.tuple(fc.boolean(), seconds, few).map(([add, t, address]) =>
      add
        ? message(MessageType.VERIFICATION_ADD_ETH_ADDRESS, t, hash, {
            verificationAddAddressBody: { address: hashOf(address) },
          })
        : message(MessageType.VERIFICATION_REMOVE, t, hash, { verificationRemoveBody: { address: hashOf(address) } }),
    ),
  'username proof': (hash) =>
    fc
      .tuple(seconds, few)
      .map(([t, name]) =>
        message(MessageType.USERNAME_PROOF, t, hash, { usernameProofBody: { name: Buffer.from(`n${name}`) } }),
      ),
  'storage lending': (hash) =>
    fc
      .tuple(seconds, few)
      .map(([t, toFid]) => message(MessageType.LEND_STORAGE, t, hash, { lendStorageBody: { toFid, numUnits: 1 } })),
  key: (hash) =>
    fc
      .tuple(fc.boolean(), seconds, few)
      .map(([add, t, key]) =>
        add
          ? message(MessageType.KEY_ADD, t, hash, { keyAddBody: { key: hashOf(key) } })
          : message(MessageType.KEY_REMOVE, t, hash, { keyRemoveBody: { key: hashOf(key) } }),
      ),
  unknown: (hash) => seconds.map((t) => message(21, t, hash, {})),
};

const everything = fc
  .integer({ min: 1, max: 12 })
  .chain((size) =>
    fc.tuple(...Array.from({ length: size }, (_, i) => fc.oneof(...Object.values(kinds).map((one) => one(i + 1))))),
  );

describe.each([
  ...Object.entries(kinds).map(([name, one]) => [name, pool(one)] as const),
  ['all kinds together', everything] as const,
])('%s', (_name, arbitrary) => {
  it('ends in one state in any order and with any repetition', () => {
    const runs = arbitrary.chain((messages) =>
      fc.record({
        messages: fc.constant(messages),
        order: fc
          .array(fc.constantFrom(...messages), { maxLength: 20 })
          .chain((again) =>
            fc.shuffledSubarray([...messages, ...again], { minLength: messages.length + again.length }),
          ),
      }),
    );
    fc.assert(
      fc.property(runs, ({ messages, order }) => {
        expect(merged(order).inForce()).toEqual(merged(messages).inForce());
      }),
      { numRuns: 400 },
    );
  });

  it('is ordered strictly: of two messages of a key exactly one beats the other', () => {
    fc.assert(
      fc.property(arbitrary, (messages) => {
        for (const a of messages) {
          expect(supersedes(a, a)).toBe(false);
          for (const b of messages)
            if (a !== b && keyOf(a) === keyOf(b)) expect(supersedes(a, b)).toBe(!supersedes(b, a));
        }
      }),
    );
  });
});

/** What a hub does to a fid's links, message by message; it deletes what a compact state makes void. */
class HubLinks {
  links: ProtocolMessage[] = [];
  states: ProtocolMessage[] = [];

  merge(m: ProtocolMessage): void {
    if (m.type === MessageType.LINK_COMPACT_STATE) this.#mergeState(m);
    else this.#mergeLink(m);
  }

  #mergeState(m: ProtocolMessage): void {
    const body = m.data.linkCompactStateBody;
    const old = this.states.find((s) => s.data.linkCompactStateBody?.type === body?.type);
    if (old && old.timestamp >= m.timestamp) return;
    this.states = [...this.states.filter((s) => s !== old), m];
    this.links = this.links.filter((l) => {
      const link = l.data.linkBody;
      if (l.timestamp > m.timestamp || link?.type !== body?.type) return true;
      return l.type === MessageType.LINK_ADD && body?.targetFids.includes(link?.targetFid ?? 0);
    });
  }

  #mergeLink(m: ProtocolMessage): void {
    const link = m.data.linkBody;
    const state = this.states.find((s) => s.data.linkCompactStateBody?.type === link?.type);
    if (state && m.timestamp < state.timestamp) {
      const listed = state.data.linkCompactStateBody?.targetFids.includes(link?.targetFid ?? 0);
      if (m.type === MessageType.LINK_REMOVE || !listed) return;
    }
    const holder = this.links.find((l) => keyOf(l) === keyOf(m));
    if (holder && !supersedes(m, holder)) return;
    this.links = [...this.links.filter((l) => l !== holder), m];
  }
}

describe('links and a compact state', () => {
  const follow = (kind: number, t: number, hash: number, targetFid: number): ProtocolMessage =>
    message(kind, t, hash, { linkBody: { type: 'follow', targetFid } });
  const state = (t: number, hash: number, targetFids: number[], type = 'follow', fid = 7): ProtocolMessage =>
    message(MessageType.LINK_COMPACT_STATE, t, hash, { linkCompactStateBody: { type, targetFids } }, fid);
  const { LINK_ADD, LINK_REMOVE } = MessageType;

  it.each([
    ['an older listed add', follow(LINK_ADD, 9, 1, 3), true],
    ['an older add that is not listed', follow(LINK_ADD, 9, 1, 4), false],
    ['an older remove of a listed target', follow(LINK_REMOVE, 9, 1, 3), false],
    ['an older remove that is not listed', follow(LINK_REMOVE, 9, 1, 4), false],
    ['an add of the same second', follow(LINK_ADD, 10, 1, 4), true],
    ['a remove of the same second', follow(LINK_REMOVE, 10, 1, 3), true],
    ['a newer add', follow(LINK_ADD, 11, 1, 4), true],
    ['a newer remove', follow(LINK_REMOVE, 11, 1, 3), true],
  ])('%s', (_name, link, kept) => {
    expect(isInCompactState(state(10, 2, [3]), link)).toBe(kept);
  });

  it('a compact state removes no links of another type or another fid', () => {
    const link = follow(LINK_ADD, 9, 1, 4);
    expect(isInCompactState(state(10, 2, [], 'block'), link)).toBe(true);
    expect(isInCompactState(state(10, 2, [], 'follow', 8), link)).toBe(true);
  });

  it('brings back a link that an older state had made void', () => {
    const add = follow(LINK_ADD, 5, 1, 3);
    const visible = merged([add, state(10, 2, []), state(20, 3, [3])]).inForce();
    expect(visible).toEqual(merged([state(20, 3, [3]), state(10, 2, []), add]).inForce());
    expect(visible).toContain(`${LINK_ADD}@5#${hex(hashOf(1))}`);
  });

  it('does not bring back an add whose remove the state made void', () => {
    const messages = [follow(LINK_ADD, 5, 1, 3), follow(LINK_REMOVE, 7, 2, 3), state(20, 3, [3])];
    expect(merged(messages).inForce()).toHaveLength(1);
    expect(merged(messages.toReversed()).inForce()).toHaveLength(1);
  });

  it('leaves every state that a hub can hold as it is', () => {
    const links = fc.array(fc.integer({ min: 1, max: 250 }), { maxLength: 12 }).chain((hashes) => {
      const one = kinds.link;
      if (!one) throw new Error('no such kind');
      return fc.tuple(...[...new Set(hashes)].map((hash) => one(hash)));
    });
    fc.assert(
      fc.property(links, (messages) => {
        const hub = new HubLinks();
        for (const m of messages) hub.merge(m);
        const held = [...hub.links, ...hub.states].map((m) => `${m.type}@${m.timestamp}#${hex(m.envelope.hash)}`);
        expect(merged([...hub.links, ...hub.states]).inForce()).toEqual(held.sort());
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('beats', () => {
  const { CAST_ADD, CAST_REMOVE, REACTION_ADD, REACTION_REMOVE } = MessageType;

  it('lets a removal of a cast win over its later add', () => {
    const add = message(CAST_ADD, 9, 1, {});
    const remove = message(CAST_REMOVE, 1, 2, {});
    expect(supersedes(remove, add)).toBe(true);
    expect(supersedes(add, remove)).toBe(false);
  });

  it('lets the later of two removals of a cast win, then the higher hash', () => {
    expect(supersedes(message(CAST_REMOVE, 2, 1, {}), message(CAST_REMOVE, 1, 9, {}))).toBe(true);
    expect(supersedes(message(CAST_REMOVE, 1, 9, {}), message(CAST_REMOVE, 1, 1, {}))).toBe(true);
  });

  it('decides elsewhere by time, then removal, then hash', () => {
    expect(supersedes(message(REACTION_ADD, 2, 1, {}), message(REACTION_REMOVE, 1, 9, {}))).toBe(true);
    expect(supersedes(message(REACTION_REMOVE, 1, 1, {}), message(REACTION_ADD, 1, 9, {}))).toBe(true);
    expect(supersedes(message(REACTION_ADD, 1, 9, {}), message(REACTION_ADD, 1, 1, {}))).toBe(true);
  });

  it('compares proofs that are not messages by time, then signature', () => {
    const proof = (timestamp: number, byte: number) => ({ timestamp, signature: Uint8Array.of(byte) });
    expect(proofSupersedes(proof(2, 1), proof(1, 9))).toBe(true);
    expect(proofSupersedes(proof(1, 9), proof(1, 1))).toBe(true);
    expect(proofSupersedes(proof(1, 1), proof(1, 1))).toBe(false);
  });
});

describe('conflictKey', () => {
  const setOf = (type: number, body: Body): number => conflictKey(message(type, 1, 1, body)).set;

  it('distinguishes reactions to URLs from reactions to casts', () => {
    const cast = { fid: 0x68, hash: hashOf(1) };
    const url = Buffer.from([0x68, ...hashOf(1)]).toString('latin1');
    const byCast = message(MessageType.REACTION_ADD, 1, 1, { reactionBody: { type: 1, targetCastId: cast } });
    const byUrl = message(MessageType.REACTION_ADD, 1, 2, { reactionBody: { type: 1, targetUrl: url } });
    expect(keyOf(byCast)).not.toBe(keyOf(byUrl));
  });

  it('keeps fids apart up to the greatest safe integer', () => {
    const keys = [1, 127, 128, 2 ** 32, 2 ** 53 - 1].map((targetFid) =>
      keyOf(message(MessageType.LINK_ADD, 1, 1, { linkBody: { type: 'follow', targetFid } })),
    );
    expect(new Set(keys).size).toBe(5);
  });

  it('keeps kinds without rules, and messages without their body, by their own hash', () => {
    for (const type of [13, 18, 21, 99, ...Object.values(MessageType)].filter((t) => typeof t === 'number')) {
      const key = conflictKey(message(type, 1, 5, {}));
      if (type === MessageType.CAST_ADD) continue;
      expect(key).toEqual({ set: MessageSet.unknown, key: hashOf(5) });
    }
  });

  it('puts adds and removes of a kind into one set', () => {
    expect(setOf(MessageType.VERIFICATION_REMOVE, { verificationRemoveBody: {} })).toBe(MessageSet.verification);
    expect(setOf(MessageType.KEY_REMOVE, { keyRemoveBody: {} })).toBe(MessageSet.key);
    expect(setOf(MessageType.CAST_REMOVE, { castRemoveBody: {} })).toBe(MessageSet.cast);
  });
});

it('a removal removes exactly the message that it names', () => {
  const old = message(MessageType.REACTION_ADD, 1, 1, { reactionBody: { type: 1, targetUrl: 'u' } });
  const held = message(MessageType.REACTION_ADD, 2, 2, { reactionBody: { type: 1, targetUrl: 'u' } });
  expect(merged([old, held]).remove(old.envelope.hash).inForce()).toHaveLength(1);
  expect(merged([old, held]).remove(held.envelope.hash).inForce()).toHaveLength(0);
});
