import Type, { type Static } from 'typebox';
import { namedObject } from '../../schema/named.js';
import { stringEnum } from '../../schema/string-enum.js';
import { HandlerResponse, operation } from '../http/operation.js';
import type { ReadinessCheck } from '../http/service.js';

const CHECK_TIMEOUT_MS = 2000;

const Readiness = namedObject('Readiness', {
  status: stringEnum(['ready', 'unavailable']),
  checks: Type.Record(
    Type.String(),
    Type.Object({
      ok: Type.Boolean(),
      problem: Type.Optional(Type.String({ description: 'What is wrong, for an operator.' })),
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

export const healthReady = operation({
  id: 'health-ready',
  path: '/health/ready',
  tags: ['System'],
  title: 'Check readiness',
  summary: 'Tell whether requests should be sent here: the database answers and takes writes, migrations, ingest lag.',
  cost: { fixed: 0 },
  scope: 'public',
  response: Readiness,
  outcomes: { 503: Readiness },
  errors: [],
  handle: async ({ log }, { readiness }): Promise<Static<typeof Readiness> | HandlerResponse> => {
    const results = await Promise.all(
      readiness.map(async (check) => {
        const problem = await run(check).catch((error: unknown) => {
          // The error may contain host names and users, so it is only logged.
          log.warn({ err: error, check: check.name }, 'a readiness check failed');
          return 'the check failed; the log says why';
        });
        return [check.name, problem === undefined ? { ok: true } : { ok: false, problem }] as const;
      }),
    );
    const ready = results.every(([, { ok }]) => ok);
    const body = { status: ready ? ('ready' as const) : ('unavailable' as const), checks: Object.fromEntries(results) };
    return ready ? body : new HandlerResponse(503, body);
  },
});
