import type { Cases } from './front.js';
import { expectedOf, isSame, isTried, type Row, SURFACES } from './peer-case.js';

/** Whether our answers are those of the peer. */
type Verdict = 'same' | 'differs' | 'nothing to try';

export const verdictOf = (group: Cases, row: Row<unknown>): Verdict => {
  if (!isTried(row)) return 'nothing to try';
  return isSame(group, row) ? 'same' : 'differs';
};

/** @returns text that is no table and no markup */
const cell = (text: string): string => text.replaceAll('|', '\\|');
const code = (text: string): string => (text === '' ? 'nothing' : `\`${cell(text)}\``);

const oursOf = (group: Cases, row: Row<unknown>): string[] => {
  if (!isTried(row)) return ['', ''];
  return SURFACES.map((surface) => {
    const expected = expectedOf(group, row, surface);
    return expected === null ? 'no such call' : code(expected);
  });
};

const lineOf = (group: Cases, row: Row<unknown>, index: number): string => {
  const reason = isTried(row) ? (row.reason ?? '') : row.nothing;
  const what = row.call === undefined ? row.title : `\`${row.call}\`: ${row.title}`;
  const [grpc = '', http = ''] = oursOf(group, row);
  const cells = [`${group.id}-${index + 1}`, what, code(row.theirs), grpc, http, reason];
  return `| ${cells.map((one, column) => (column === 1 || column === 5 ? cell(one) : one)).join(' | ')} |`;
};

const PLACE = { grpc: 'over gRPC', http: 'over HTTP' } as const;

const sectionOf = (group: Cases): string =>
  [
    `## ${group.id}`,
    '',
    `${group.peer}, \`${group.file}\`, asked ${PLACE[group.over]}.`,
    '',
    '| Case | What is asked | Their answer | Ours, gRPC | Ours, HTTP | Reason |',
    '|---|---|---|---|---|---|',
    ...group.rows.map((row, index) => lineOf(group, row, index)),
    '',
  ].join('\n');

const countOf = (groups: readonly Cases[], verdict: Verdict): number =>
  groups.flatMap((group) => group.rows.filter((row) => verdictOf(group, row) === verdict)).length;

/** @returns the number of cases of each peer by verdict, as lines of a table */
const summaryOf = (groups: readonly Cases[]): string[] =>
  [...new Set(groups.map(({ peer, file }) => `${peer}\n${file}`))].sort().map((place) => {
    const [peer = '', file = ''] = place.split('\n');
    const own = groups.filter((group) => group.peer === peer && group.file === file);
    const all = own.reduce((sum, { rows }) => sum + rows.length, 0);
    const counts = (['same', 'differs', 'nothing to try'] as const).map((verdict) => countOf(own, verdict));
    return `| ${peer} | \`${file}\` | ${[all, ...counts].join(' | ')} |`;
  });

/** @returns the page docs/hub-cases.md */
export const renderCases = (groups: readonly Cases[]): string => {
  const counts = (['same', 'differs', 'nothing to try'] as const).map((verdict) => countOf(groups, verdict));
  const all = counts.reduce((sum, count) => sum + count, 0);
  return `# Cases of other hubs

<!-- written by scripts/hub-cases.ts: change test/peer-case and run \`npm run hub-cases\` -->

What the tests of two other hubs ask, what they expect, and what this service answers: snapchain 0.14.2
(\`src/network/server_tests.rs\`, \`http_server_tests.rs\`), which the network runs, and hubble, its predecessor
(\`apps/hubble/src/rpc/test\`). [The hub interface](hub.md) has the differences in short.

- A case is one call with its answer; a test of theirs may have several. \`test/peer-case-*.test.ts\` makes each call over gRPC
  and over HTTP, and fails when an answer is not the one written here.
- An answer is written as what it has, by the names that the case gives to messages, events and accounts (\`[cast, reply]\`: a list
  of two), or as its status, with the hub's code. A status of theirs without a code is one whose code their test does not look at.
- Messages are compared whole: data, signature, key; over HTTP every member.
- \`no such call\`: the definition of the protocol has none there, or there is no such request.

| Peer | File | Cases | Same | Differs, with its reason | Nothing to try |
|---|---|---|---|---|---|
${summaryOf(groups).join('\n')}
| all | | ${[all, ...counts].join(' | ')} |

${groups.map(sectionOf).join('\n')}`;
};
