import { existsSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreConfig } from '../../config/config.js';
import { DEVELOPMENT_KEY_FILES } from '../../config/development-secret.js';
import type { HubAddress } from '../../config/parse.js';
import { MasterKey } from '../../config/secret.js';
import type { Database } from '../../db/database.js';
import { selectDatabaseState } from '../../db/diagnosis.js';
import { NO_DATABASE, type SchemaState, selectSchemaState } from '../../db/schema-state.js';
import { AppError } from '../../error.js';
import { HubClient } from '../../ingest/hub/client.js';
import type { HubState } from '../../ingest/hub/reader.js';
import { BLOCK_SHARD } from '../../ingest/hub/shard.js';
import { describeSync } from '../../ingest/hub/sync-progress.js';
import { blockOf } from '../../protocol/event/place.js';
import { signatureVerifier } from '../../protocol/signature.js';
import { selectOtherKeySealCount } from '../../store/access/sealed-column.js';
import { selectHubLeaderState } from '../../store/hub/leader.js';
import { selectHubPosition } from '../../store/hub/position.js';
import { type Finding, fail, ok, warn, whereStored } from './finding.js';

export type MasterKeyState = 'good' | 'weak' | 'absent';

const MEGABYTE = 1024 * 1024;
/** A store that is behind by more blocks than this is not just briefly delayed. */
const LAG_BLOCKS = 300;
const HUB_TIMEOUT_MS = 10_000;

/** Checks Node.js and native modules of this process. */
export const diagnoseRuntime = (): Finding[] => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const text = `Node.js ${process.versions.node}`;
  const isOld = major < 20 || (major === 20 && minor < 19);
  const { backend } = signatureVerifier();
  return [
    isOld ? fail('runtime', text, 'Install Node.js 20.19 or newer.') : ok('runtime', text),
    backend === 'libsodium'
      ? ok('signatures', 'checked by libsodium')
      : warn(
          'signatures',
          `checked by ${backend}`,
          'The addon sodium-native did not load: ingest is several times slower. Install this again, for this platform.',
        ),
  ];
};

/** Checks permissions and free space of the data folder. */
export const diagnoseFolder = ({ dataDir, database }: StoreConfig): Finding[] => {
  if (!existsSync(dataDir)) return [ok('data folder', `${dataDir} is not there yet; the first start makes it`)];
  const open = [dataDir, ...Object.values(DEVELOPMENT_KEY_FILES).map((name) => join(dataDir, name))].filter(
    (path) => existsSync(path) && (statSync(path).mode & 0o077) !== 0,
  );
  const findings = [
    open.length === 0
      ? ok('data folder', `${dataDir} is its owner's alone`)
      : warn('data folder', `others may read ${open.join(', ')}`, `Take the right away: chmod go= ${open.join(' ')}`),
  ];
  if ('url' in database) return findings;
  const { bavail, bsize } = statfsSync(dataDir);
  const free = Math.floor((bavail * bsize) / MEGABYTE);
  const text = `${free.toLocaleString('en-US')} MB free`;
  const advice = 'Make room, or move the data folder (CASTELLAN_DATA_DIR): a full disk stops all writing.';
  if (free < 200) findings.push(fail('disk', text, advice));
  else findings.push(free < 2_000 ? warn('disk', text, advice) : ok('disk', text));
  return findings;
};

/** Checks the master key of the service or, without a service, that of the environment. */
export const diagnoseMasterKey = (config: StoreConfig, typed: MasterKeyState): Finding => {
  const own = (config as { masterKey?: unknown }).masterKey;
  const state = own instanceof MasterKey ? (own.weak ? 'weak' : 'good') : typed;
  const path = join(config.dataDir, DEVELOPMENT_KEY_FILES.masterKey);
  if (state === 'good') return ok('master key', 'is set');
  if (state === 'weak')
    return fail(
      'master key',
      'is not random',
      'Make another with `openssl rand -hex 32`, before secrets are sealed with this one.',
    );
  if (existsSync(path)) return ok('master key', `generated for development, in ${path}`);
  return warn(
    'master key',
    'CASTELLAN_MASTER_KEY is not set here',
    '`castellan serve` needs it: make one with `openssl rand -hex 32` and keep it as long as the database.',
  );
};

/** Checks whether the master key opens stored secrets. */
export const diagnoseSeals = async ({ masterKey }: StoreConfig, open: () => Promise<Database>): Promise<Finding[]> => {
  if (!masterKey) return [];
  const check = 'sealed secrets';
  return whereStored(open, async (db) => {
    const foreign = await selectOtherKeySealCount(db, masterKey.ids);
    const old = await selectOtherKeySealCount(db, [masterKey.id]);
    if (foreign > 0) {
      const advice =
        'Set CASTELLAN_MASTER_KEY, or CASTELLAN_MASTER_KEY_PREVIOUS, to the key that they were sealed with.';
      return [fail(check, `${foreign} were sealed under a key that is not known here`, advice)];
    }
    if (old > 0) return [warn(check, `${old} are under the previous key`, 'Run `castellan secret rotate`.')];
    return [ok(check, 'open with the master key')];
  });
};

const diagnoseSchema = (state: SchemaState): Finding => {
  const check = 'schema';
  const advice = 'Run `castellan migrate`, or start the service: it does the same.';
  if (state.kind === 'absent') return warn(check, 'none yet', advice);
  if (state.kind === 'older') return warn(check, `lacks ${state.missing.join(', ')}`, advice);
  if (state.kind === 'newer') {
    const text = `is newer than this program: it has ${state.unknown.join(', ')}`;
    return fail(check, text, 'Use the version of Castellan that migrated it.');
  }
  if (state.kind === 'outdated') {
    const text = `is from before 0.1.0 and cannot be upgraded: it has ${state.unknown.join(', ')}`;
    return fail(check, text, 'Start with an empty database, and load it with `castellan import` or `backfill`.');
  }
  return ok(check, 'is that of this version');
};

/** Checks the database and its schema. */
export const diagnoseDatabase = async (open: () => Promise<Database>): Promise<Finding[]> => {
  try {
    const db = await open();
    const { version, bytes, now } = await selectDatabaseState(db);
    const schema = await selectSchemaState(db);
    const address = db.address();
    const place = address === undefined ? '' : ` at ${address}`;
    const skew = Math.round((Date.now() - now) / 1000);
    return [
      ok(
        'database',
        `${db.kind === 'embedded' ? 'embedded ' : ''}PostgreSQL ${version}${place}, ${Math.ceil(bytes / MEGABYTE).toLocaleString('en-US')} MB`,
      ),
      diagnoseSchema(schema),
      Math.abs(skew) <= 5
        ? ok('clock', 'agrees with the database')
        : warn(
            'clock',
            `is ${skew} s off the database's`,
            'Keep both machines on network time: messages submitted here are refused for being from the future.',
          ),
    ];
  } catch (error) {
    if (error instanceof AppError && error.code === NO_DATABASE) return [warn('database', 'none yet', error.message)];
    if (error instanceof AppError)
      return [fail('database', error.message, 'Schema and clock are checked when this is mended.')];
    return [
      fail(
        'database',
        `does not answer: ${(error as Error).message}`,
        'Check that it runs, DATABASE_URL, and the rights of its user.',
      ),
    ];
  }
};

/** @returns how far the sync of the service that follows the hub is, if one runs */
const selectSync = async (db: Database): Promise<Finding[]> => {
  const state = (await selectHubLeaderState(db)) as Partial<HubState> | undefined;
  return state?.backfill ? [ok('sync', describeSync(state.backfill))] : [];
};

/** Checks the hub, and how far the store is behind it. */
export const diagnoseHub = async (
  hub: HubAddress | undefined,
  open: () => Promise<Database>,
  signal: AbortSignal,
): Promise<Finding[]> => {
  if (!hub) return [ok('hub', 'none is followed (CASTELLAN_HUB_URL is not set)')];
  const client = new HubClient(hub, AbortSignal.any([signal, AbortSignal.timeout(HUB_TIMEOUT_MS)]));
  try {
    const info = await client.getInfo();
    const findings = [ok('hub', `${hub.address} answers, version ${info.version}`)];
    for (const { shardId, maxHeight } of info.shardInfos.filter((shard) => shard.shardId !== BLOCK_SHARD)) {
      // Another check reports an unavailable database.
      const position = await open()
        .then((db) => selectHubPosition(db, client.hub, shardId))
        .catch(() => undefined);
      const check = `shard ${shardId}`;
      const behind = position === undefined ? undefined : Math.max(0, maxHeight - blockOf(position));
      if (behind === undefined)
        findings.push(warn(check, 'was never read', 'Start the service with this CASTELLAN_HUB_URL.'));
      else if (behind <= LAG_BLOCKS) findings.push(ok(check, `${behind} blocks behind`));
      else
        findings.push(
          warn(
            check,
            `${behind.toLocaleString('en-US')} blocks (about as many seconds) behind`,
            'If the number does not fall, look at the log of the service.',
          ),
        );
    }
    return [...findings, ...(await whereStored(open, selectSync))];
  } catch (error) {
    return [
      fail(
        'hub',
        `${hub.address} does not answer: ${(error as Error).message}`,
        'Check CASTELLAN_HUB_URL (grpc:// is plain, grpcs:// is TLS) and that the hub lets this machine in.',
      ),
    ];
  } finally {
    client.close();
  }
};
