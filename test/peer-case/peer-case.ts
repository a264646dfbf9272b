/**
 * Cases of the peers' own suites: what their tests ask a hub, and what it answers. Facts only: the words and the code are
 * ours. `scripts/hub-cases.ts` writes them into docs/hub-cases.md, and the tests beside this folder try each of them.
 *
 * An answer is written as its content, by the names that the case gives to messages, events and accounts (`[cast, reply]` is
 * a list of two), or as its status, with the hub's code where the code matters: `INVALID_ARGUMENT bad_request.duplicate`,
 * over HTTP `400 bad_request.duplicate`. A status without a code says that the peer's test looks at the status only.
 */

export const SURFACES = ['grpc', 'http'] as const;
export type Surface = (typeof SURFACES)[number];

interface RowBase {
  /** What is asked, in which state. */
  readonly title: string;
  /** What the peer's test expects. */
  readonly theirs: string;
  /** The call as the protocol's package names it; a path where only the peer has it. */
  readonly call?: string;
}

type Made<Value> = Value | Promise<Value>;

/** A case that a test tries here. */
export interface TriedRow<State> extends RowBase {
  readonly call: string;
  /** Our answer where theirs was given; absent: the same. */
  readonly ours?: string;
  /** Our answer in the other place; absent: the equivalent; null: there is no such call. */
  readonly other?: string | null;
  /** Why an answer of ours differs. */
  readonly reason?: string;
  /** As the protocol's package has it, without the members that are absent. */
  readonly request?: (state: State, surface: Surface) => Made<object>;
  /** The request of the next page; it gets the page token of the answer to the request. */
  readonly next?: (state: State) => object;
  /** In addition to the key, or instead of it: an empty `x-api-key` is none. */
  readonly headers?: (state: State) => Readonly<Record<string, string>>;
  /** How an answer is written that is not of one of the usual kinds; bytes are hex in it. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies of all calls, of which a case reads what its peer's test reads
  readonly show?: (body: any, state: State) => string;
  /** Instead of `request`: what one call does not show. @returns the answer as it is written */
  readonly run?: (state: State, surface: Surface) => Promise<string>;
}

/** A case about the inside of the peer. */
interface UntriedRow extends RowBase {
  /** Why there is nothing to try. */
  readonly nothing: string;
}

export type Row<State> = TriedRow<State> | UntriedRow;

export type Peer = 'snapchain' | 'hubble';

export interface CaseGroup<Front, State = never> {
  readonly peer: Peer;
  /** The test file of the peer. */
  readonly file: string;
  /** Begins the ids of its cases. */
  readonly id: string;
  /** Where the peer's test asks. */
  readonly over: Surface;
  /** Stores what the cases are about. */
  readonly state: (front: Front) => Promise<State>;
  readonly rows: readonly Row<State>[];
}

const HTTP_STATUS: Readonly<Record<string, string>> = {
  INVALID_ARGUMENT: '400',
  UNAUTHENTICATED: '401',
  PERMISSION_DENIED: '403',
  NOT_FOUND: '404',
  UNIMPLEMENTED: '501',
};

/** @returns an answer over gRPC as it is over HTTP, or the other way around */
export const translate = (answer: string, to: Surface): string => {
  const pairs = Object.entries(HTTP_STATUS).map(([name, code]) => (to === 'http' ? [name, code] : [code, name]));
  const [, status = '', rest = ''] = /^(\w+)(.*)$/s.exec(answer) ?? [];
  const other = pairs.find(([from]) => from === status)?.[1];
  return other === undefined ? answer : other + rest;
};

export const isTried = <State>(row: Row<State>): row is TriedRow<State> => !('nothing' in row);

/** @returns the answer that a case expects of us; null: there is no such call */
export const expectedOf = <State>(group: Pick<CaseGroup<never>, 'over'>, row: TriedRow<State>, surface: Surface) => {
  const ours = row.ours ?? row.theirs;
  if (surface === group.over) return ours;
  return row.other === undefined ? translate(ours, surface) : row.other;
};

/** @returns whether we answer as the peer does, in each place where there is the call */
export const isSame = <State>(group: Pick<CaseGroup<never>, 'over'>, row: TriedRow<State>): boolean =>
  SURFACES.every((surface) => {
    const expected = expectedOf(group, row, surface);
    return expected === null || agrees(expected, surface === group.over ? row.theirs : translate(row.theirs, surface));
  });

const STATUS = /^(?:[A-Z_]{3,}|[45]\d\d)$/;

/** @returns whether an answer is what was expected: the same, or the expected status with some code */
export const agrees = (answer: string | null, expected: string | null): boolean =>
  answer === expected || (answer !== null && STATUS.test(expected ?? '') && answer.startsWith(`${expected} `));
