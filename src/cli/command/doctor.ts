import { MasterKey } from '../../config/secret.js';
import type { MasterKeyState } from '../diagnose/diagnose.js';
import { defineCommand } from '../terminal/command.js';

const SIGNS = { ok: 'ok', warn: 'look', fail: 'WRONG' } as const;

export const doctorCommand = defineCommand({
  name: 'doctor',
  store: 'inspect',
  summary:
    'Check database, schema, hub, refused items, webhooks, networks, transactions, keys, folder and machine; say what to do',
  input: ({ environment }): { readonly masterKey: MasterKeyState } => {
    const text = environment.CASTELLAN_MASTER_KEY?.trim();
    const key = text ? MasterKey.parse(text) : undefined;
    if (text && !key) return { masterKey: 'weak' };
    return { masterKey: !key ? 'absent' : key.weak ? 'weak' : 'good' };
  },
  run: async ({ config, openDatabase, signal }, { masterKey }, output) => {
    const { diagnoseDatabase, diagnoseFolder, diagnoseHub, diagnoseMasterKey, diagnoseRuntime, diagnoseSeals } =
      await import('../diagnose/diagnose.js');
    const { diagnoseNetworks } = await import('../diagnose/network.js');
    const { diagnoseRefused } = await import('../diagnose/refused.js');
    const { diagnoseTransactions } = await import('../diagnose/transaction.js');
    const { diagnoseWebhooks } = await import('../diagnose/webhook.js');
    const findings = [
      ...diagnoseRuntime(),
      ...diagnoseFolder(config),
      diagnoseMasterKey(config, masterKey),
      ...(await diagnoseDatabase(openDatabase)),
      ...(await diagnoseSeals(config, openDatabase)),
      ...(await diagnoseHub(config.hub, openDatabase, signal)),
      ...(await diagnoseRefused(openDatabase)),
      ...(await diagnoseWebhooks(openDatabase, Date.now())),
      ...(await diagnoseNetworks(config)),
      ...(await diagnoseTransactions(openDatabase, Date.now())),
    ];
    output.table(
      ['Check', 'Result', 'Found'],
      findings.map(({ check, result, text }) => [check, SIGNS[result], text]),
    );
    for (const { check, advice } of findings) if (advice !== undefined) output.line(`${check}: ${advice}`);
    return findings.some(({ result }) => result === 'fail') ? 1 : 0;
  },
});
