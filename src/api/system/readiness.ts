import Type, { type Static } from 'typebox';
import { namedObject } from '../../schema/named.js';
import { stringEnum } from '../../schema/string-enum.js';
import type { ReadinessCheck, Services } from '../http/service.js';

const CHECK_TIMEOUT_MS = 2000;

export const Readiness = namedObject('Readiness', {
  status: stringEnum(['ready', 'late', 'unavailable'], {
    description:
      'ready: all checks pass. late: reads are served, from data that may be old, or writes are refused. unavailable: send requests elsewhere.',
  }),
  checks: Type.Record(
    Type.String(),
    Type.Object({
      ok: Type.Boolean(),
      problem: Type.Optional(Type.String({ description: 'What is wrong, for an operator.' })),
      still_serves: Type.Optional(
        Type.Literal(true, {
          description: 'Reads are served while this check fails: the service is late, not unavailable.',
        }),
      ),
      note: Type.Optional(Type.String({ description: 'What goes on, like a first sync with the hub.' })),
    }),
  ),
});

const run = async (check: ReadinessCheck): Promise<string | undefined> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, CHECK_TIMEOUT_MS, `no answer within ${CHECK_TIMEOUT_MS / 1000} s`);
  });
  try {
    return await Promise.race([check.check(), late]);
  } finally {
    clearTimeout(timer);
  }
};

export type Status = Static<typeof Readiness>['status'];

/** With which statuses an address responds with 200; with the others it responds with 503. */
export const PASSING: Readonly<Record<'ready' | 'fresh', ReadonlySet<Status>>> = {
  ready: new Set(['ready', 'late']),
  fresh: new Set(['ready']),
};

const statusOf = (failed: readonly { readonly still_serves?: true }[]): Status => {
  if (failed.length === 0) return 'ready';
  return failed.every(({ still_serves }) => still_serves) ? 'late' : 'unavailable';
};

/** @returns whether requests should be sent to this process, and what each check found, which is also remembered */
export const checkReadiness = async ({
  log,
  readiness,
  readinessHistory,
}: Pick<Services, 'log' | 'readiness' | 'readinessHistory'>): Promise<Static<typeof Readiness>> => {
  const results = await Promise.all(
    readiness.map(async (check) => {
      const problem = await run(check).catch((error: unknown) => {
        // The error may contain host names and users, so it is only logged.
        log.warn({ err: error, check: check.name }, 'a readiness check failed');
        return 'the check failed; the log says why';
      });
      readinessHistory.add(check.name, problem);
      const note = check.note?.();
      return [
        check.name,
        {
          ok: problem === undefined,
          ...(problem !== undefined && { problem }),
          ...(problem !== undefined && check.stillServes && { still_serves: check.stillServes }),
          ...(note !== undefined && { note }),
        },
      ] as const;
    }),
  );
  const failed = results.flatMap(([, found]) => (found.ok ? [] : [found]));
  return { status: statusOf(failed), checks: Object.fromEntries(results) };
};
