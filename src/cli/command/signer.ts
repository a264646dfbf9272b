import type { Database } from '../../db/database.js';
import { AppError, notFound } from '../../error.js';
import { SIGNER_PERMISSIONS } from '../../schema/social/signer-permission.js';
import { isUuid } from '../../uuid.js';
import { readFidOption } from '../option/fid.js';
import { collectList, defineCommand, UsageError } from '../terminal/command.js';
import { digits } from '../terminal/format.js';

const PUBLIC_KEY = /^0x[0-9a-f]{64}$/i;

const readUuid = (text: unknown): string => {
  if (isUuid(text)) return text;
  throw new UsageError(`"${String(text)}" is no signer_uuid: POST /v2/social/signer/ gives one.`);
};

const find = async (db: Database, uuid: string) => {
  const { selectManagedSigner } = await import('../../store/access/managed-signer.js');
  const row = await selectManagedSigner(db, uuid);
  if (row) return row;
  throw notFound(`There is no signer ${uuid}: \`castellan signer list\` shows all.`);
};

/** @returns the key of a managed signer, or the given key of a developer-managed one */
const keyOf = async (db: Database, signer: string): Promise<Buffer> =>
  PUBLIC_KEY.test(signer) ? Buffer.from(signer.slice(2), 'hex') : (await find(db, signer)).publicKey;

export const signerApproveCommand = defineCommand({
  name: 'signer approve',
  summary: 'Let a signer write for an account of the local network, as if the account had approved it on chain',
  examples: [
    ['castellan signer approve 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11 --fid 1', 'let it write as account 1'],
    [
      'castellan signer approve 0x8f1c93b5d07e2a4461b8c5f3e9d2a70713fb6ac95e8047d1b2c6f09a3e5d7481 --fid 1',
      'let the key of a signer that a developer keeps write as account 1',
    ],
  ],
  configure: (command) =>
    command
      .argument('<signer>', 'signer_uuid, or the public key of a signer that a developer keeps')
      .requiredOption('--fid <fid>', 'the account that approves'),
  input: ({ args, options }) => {
    const signer = args[0] as string;
    return { signer: PUBLIC_KEY.test(signer) ? signer : readUuid(signer), fid: readFidOption(options.fid) };
  },
  run: async ({ config, openCore }, { signer, fid }, output) => {
    const [{ addLocalKey, requireLocalChain }, { KeyType, selectAccountByKey }] = await Promise.all([
      import('../dev/local-chain.js'),
      import('../../store/access/signed-key-request.js'),
    ]);
    requireLocalChain(config);
    const core = await openCore();
    const key = await keyOf(core.db, signer);
    const holder = await selectAccountByKey(core.db, key, KeyType.signer);
    if (holder) {
      const state = holder.active ? 'is approved already, for' : 'was revoked and stays so; it was of';
      throw new AppError('conflict', 'KeyHeld', `Signer ${signer} ${state} account ${holder.fid}.`);
    }
    await addLocalKey(core, { fid, key, keyType: KeyType.signer });
    output.result({ signer, fid }, `Signer ${signer} is approved for account ${fid}.`);
  },
});

export const signerRevokeCommand = defineCommand({
  name: 'signer revoke',
  summary: 'Take a signer from its account of the local network; what it signed goes, as the protocol has it',
  examples: [
    ['castellan signer revoke 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11', 'let it write no longer'],
    [
      "castellan signer revoke 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11 --json | jq '.fid'",
      'print for which account it wrote',
    ],
  ],
  configure: (command) => command.argument('<signer>', 'signer_uuid, or a public key'),
  input: ({ args }) => {
    const signer = args[0] as string;
    return { signer: PUBLIC_KEY.test(signer) ? signer : readUuid(signer) };
  },
  run: async ({ config, openCore }, { signer }, output) => {
    const [{ removeLocalKey, requireLocalChain }, { KeyType, selectAccountByKey }] = await Promise.all([
      import('../dev/local-chain.js'),
      import('../../store/access/signed-key-request.js'),
    ]);
    requireLocalChain(config);
    const core = await openCore();
    const key = await keyOf(core.db, signer);
    const holder = await selectAccountByKey(core.db, key, KeyType.signer);
    if (!holder?.active) throw new AppError('conflict', 'NotApproved', `Signer ${signer} is of no account.`);
    await removeLocalKey(core, { fid: holder.fid, key, keyType: KeyType.signer });
    output.result({ signer, fid: holder.fid }, `Signer ${signer} is revoked; it was of account ${holder.fid}.`);
  },
});

export const signerPermitCommand = defineCommand({
  name: 'signer permit',
  summary: 'Say what a signer may do; until then it may do everything (WRITE_ALL)',
  examples: [
    [
      'castellan signer permit 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11 --permission PUBLISH_CAST',
      'let it only publish casts',
    ],
    [
      'castellan signer permit 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11 --permission PUBLISH_REACTION,DELETE_REACTION',
      'let it only react, and take that back',
    ],
  ],
  configure: (command) =>
    command
      .argument('<uuid>', 'signer_uuid')
      .requiredOption('--permission <permission>', 'like PUBLISH_CAST; may be repeated, or a list', collectList),
  input: ({ args, options }) => {
    const permissions = options.permission as string[];
    const wrong = permissions.find((word) => !(SIGNER_PERMISSIONS as readonly string[]).includes(word));
    if (wrong !== undefined) throw new UsageError(`${wrong} is no permission: use ${SIGNER_PERMISSIONS.join(', ')}.`);
    return { uuid: readUuid(args[0]), permissions: [...new Set(permissions)] };
  },
  run: async ({ openDatabase }, { uuid, permissions }, output) => {
    const { updateManagedSignerPermissions } = await import('../../store/access/managed-signer.js');
    const db = await openDatabase();
    const { id } = await find(db, uuid);
    await updateManagedSignerPermissions(db, id, permissions);
    output.result({ signer_uuid: id, permissions }, `Signer ${id} may: ${permissions.join(', ')}.`);
  },
});

export const signerListCommand = defineCommand({
  name: 'signer list',
  summary: 'List the signers of all apps, without their secrets',
  examples: [
    ['castellan signer list', 'list all signers'],
    [`castellan signer list --json | jq '.[] | select(.state == "approved") | .fid'`, 'print for whom they write'],
  ],
  run: async ({ openDatabase }, _input, output) => {
    const [{ selectManagedSigners }, { stateOf }] = await Promise.all([
      import('../../store/access/managed-signer.js'),
      import('../../signer/key-state.js'),
    ]);
    const now = Date.now();
    const rows = (await selectManagedSigners(await openDatabase())).map((row) => ({
      signer_uuid: row.id,
      app_id: row.appId,
      state: stateOf(row, now),
      fid: row.fid,
      permissions: row.permissions,
      public_key: `0x${row.publicKey.toString('hex')}`,
    }));
    output.list(rows, 'There is no signer yet: apps make them with POST /v2/social/signer/.', {
      Signer: 'signer_uuid',
      App: 'app_id',
      State: 'state',
      Account: ({ fid }) => digits(fid),
      May: ({ permissions }) => permissions.join(','),
      'Public key': 'public_key',
    });
  },
});
