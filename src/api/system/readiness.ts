import Type, { type Static } from 'typebox';
import type { Log } from '../../log.js';
import { namedObject } from '../../schema/named.js';
import { stringEnum } from '../../schema/string-enum.js';
import type { ReadinessCheck } from '../http/service.js';

const CHECK_TIMEOUT_MS = 2000;

export const Readiness = namedObject('Readiness', {
  status: stringEnum(['ready', 'unavailable']),
  checks: Type.Record(
    Type.String(),
    Type.Object({
      ok: Type.Boolean(),
      problem: Type.Optional(Type.String({ description: 'What is wrong, for an operator.' })),
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

/** @returns whether requests should be sent to this process, and what each check found */
export const checkReadiness = async (
  log: Pick<Log, 'warn'>,
  checks: readonly ReadinessCheck[],
): Promise<Static<typeof Readiness>> => {
  const results = await Promise.all(
    checks.map(async (check) => {
      const problem = await run(check).catch((error: unknown) => {
        // The error may contain host names and users, so it is only logged.
        log.warn({ err: error, check: check.name }, 'a readiness check failed');
        return 'the check failed; the log says why';
      });
      const note = check.note?.();
      const found = problem === undefined ? { ok: true } : { ok: false, problem };
      return [check.name, note === undefined ? found : { ...found, note }] as const;
    }),
  );
  const isReady = results.every(([, { ok }]) => ok);
  return { status: isReady ? 'ready' : 'unavailable', checks: Object.fromEntries(results) };
};
