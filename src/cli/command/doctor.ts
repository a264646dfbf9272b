import { MasterKey } from '../../config/secret.js';
import type { MasterKeyState } from '../diagnose/diagnose.js';
import { defineCommand } from '../terminal/command.js';
import { tableOf } from '../terminal/table.js';

const SIGNS = { ok: 'ok', warn: 'look', fail: 'WRONG' } as const;

export const doctorCommand = defineCommand({
  name: 'doctor',
  store: 'inspect',
  summary:
    'Check database, replicas, schema, hub, refused items, webhooks, event sink, networks, transactions, keys, folder, machine; say what to do',
  examples: [
    ['castellan doctor', 'check everything; the status is 1 if something is wrong'],
    [`castellan doctor --json | jq '.checks[] | select(.result != "ok")'`, 'print only what is not in order'],
  ],
  input: ({ environment }): { readonly masterKey: MasterKeyState } => {
    const text = environment.CASTELLAN_MASTER_KEY?.trim();
    const key = text ? MasterKey.parse(text) : undefined;
    if (text && !key) return { masterKey: 'weak' };
    return { masterKey: !key ? 'absent' : key.weak ? 'weak' : 'good' };
  },
  run: async ({ config, openDatabase, signal }, { masterKey }, output) => {
    const { diagnoseDatabase, diagnoseFolder, diagnoseHub, diagnoseMasterKey, diagnoseRuntime, diagnoseSeals } =
      await import('../diagnose/diagnose.js');
    const { diagnoseEventSink } = await import('../diagnose/event-sink.js');
    const { diagnoseNetworks } = await import('../diagnose/network.js');
    const { diagnoseReplicas } = await import('../diagnose/replica.js');
    const { diagnoseRefused } = await import('../diagnose/refused.js');
    const { diagnoseTransactions } = await import('../diagnose/transaction.js');
    const { diagnoseWebhooks } = await import('../diagnose/webhook.js');
    const findings = [
      ...diagnoseRuntime(),
      ...diagnoseFolder(config),
      diagnoseMasterKey(config, masterKey),
      ...(await diagnoseDatabase(openDatabase)),
      ...(await diagnoseReplicas(config, openDatabase)),
      ...(await diagnoseSeals(config, openDatabase)),
      ...(await diagnoseHub(config.hub, openDatabase, signal)),
      ...(await diagnoseRefused(openDatabase)),
      ...(await diagnoseWebhooks(openDatabase, Date.now())),
      ...(await diagnoseEventSink(config.eventSink, openDatabase, { now: Date.now(), signal })),
      ...(await diagnoseNetworks(config)),
      ...(await diagnoseTransactions(openDatabase, Date.now())),
    ];
    const healthy = findings.every(({ result }) => result !== 'fail');
    const checks = findings.map(({ check, result, text, advice = null }) => ({ check, result, found: text, advice }));
    const table = tableOf(checks, { Check: 'check', Result: ({ result }) => SIGNS[result], Found: 'found' });
    const toDo = checks.flatMap(({ check, advice }) => (advice === null ? [] : `${check}: ${advice}`));
    output.result({ healthy, checks }, [...table, ...toDo]);
    return healthy ? 0 : 1;
  },
});
