import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadStoreConfig } from '../../config/config.js';
import { openDatabase } from '../../db/open-database.js';
import { type Finding, problemsOf } from '../diagnose/finding.js';
import { UsageError } from '../terminal/command.js';
import type { ExitResult } from '../terminal/exit-result.js';
import { envFile } from './env-file.js';
import { type InitOptions, openTerminal, readSetup } from './question.js';
import type { Setup } from './setup.js';
import { caddyFile, nginxFile, systemdUnit } from './system-file.js';

const PROGRAM = fileURLToPath(new URL('../main.js', import.meta.url));
/** Of the checkout, which containers are built from. */
const SOURCE = fileURLToPath(new URL('../../../', import.meta.url));

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Checks database and hub as `doctor` does, before anything is written. Of containers, the database starts with them. */
const checkSetup = async ({ databaseUrl, hubUrl }: Setup): Promise<Finding[]> => {
  const { diagnoseDatabase, diagnoseHub } = await import('../diagnose/diagnose.js');
  const config = loadStoreConfig({ DATABASE_URL: databaseUrl, CASTELLAN_HUB_URL: hubUrl });
  const { signal } = new AbortController();
  if (databaseUrl === undefined)
    return diagnoseHub(config.hub, () => Promise.reject(new Error('It starts with the containers.')), signal);
  const opened = openDatabase(config);
  try {
    return [...(await diagnoseDatabase(() => opened)), ...(await diagnoseHub(config.hub, () => opened, signal))];
  } finally {
    await opened.then(
      (db) => db.close(),
      () => undefined,
    );
  }
};

/** @returns the files of the installation by name, but for `compose.yaml`, which is copied */
const filesOf = (setup: Setup, folder: string): Record<string, string> => {
  const secrets = { masterKey: randomBytes(32).toString('hex'), postgresPassword: randomBytes(24).toString('hex') };
  const place = { folder, node: process.execPath, program: PROGRAM, user: userInfo().username };
  return {
    '.env': envFile(setup, secrets),
    ...(setup.proxy === 'caddy' ? { Caddyfile: caddyFile(setup) } : {}),
    ...(setup.proxy === 'nginx' ? { 'nginx.conf': nginxFile(setup) } : {}),
    ...(setup.runner === 'systemd' ? { 'castellan.service': systemdUnit(place) } : {}),
  };
};

/** @throws UsageError if a file is there already: it may hold the only copy of a master key */
const refuseFilesThatExist = (folder: string, names: readonly string[]): void => {
  const found = names.filter((name) => existsSync(join(folder, name)));
  if (found.length > 0)
    throw new UsageError(
      `In ${folder} there is already ${found.join(' and ')}: move it away, or name another --folder.`,
    );
};

const copyCompose = async (folder: string): Promise<void> => {
  if (resolve(folder) === resolve(SOURCE)) return;
  if (!existsSync(join(SOURCE, 'Dockerfile')))
    throw new UsageError('Containers are built from a checkout of the repository, and this is the installed package.');
  refuseFilesThatExist(folder, ['compose.yaml']);
  await copyFile(join(SOURCE, 'compose.yaml'), join(folder, 'compose.yaml'));
};

/** How the service is started the first time, by what runs it. */
const START_STEPS: Readonly<Record<Setup['runner'], (folder: string) => readonly string[]>> = {
  systemd: (folder) => [
    'castellan migrate',
    `sudo systemctl enable --now ${join(folder, 'castellan.service')}`,
    'castellan key create my-app --scope read,write',
  ],
  compose: () => [
    `CASTELLAN_SOURCE=${SOURCE} docker compose up --detach --build`,
    'docker compose exec castellan node dist/cli/main.js key create my-app --scope read,write',
  ],
  none: () => ['castellan migrate', 'castellan key create my-app --scope read,write', 'castellan serve'],
};

/** How the proxy starts to lead to it. */
const PROXY_STEPS: Readonly<Record<Setup['proxy'], (domain: string) => readonly string[]>> = {
  caddy: () => ['caddy run --config Caddyfile'],
  nginx: (domain) => [`sudo cp nginx.conf /etc/nginx/sites-enabled/${domain} && sudo nginx -s reload`],
  none: () => [],
};

const stepsAfter = ({ proxy, runner, domain }: Setup, folder: string): string[] => [
  ...START_STEPS[runner](folder),
  ...PROXY_STEPS[proxy](domain),
  `curl https://${domain}/health/ready`,
];

/**
 * Asks for what an installation needs, checks it, and writes its files.
 * @param options of the command line; `folder` for the files, `checked: false` skips the checks
 * @throws UsageError before anything is written
 */
export const runInit = async (
  options: InitOptions & { readonly folder: string; readonly checked: boolean },
): Promise<ExitResult> => {
  const folder = resolve(options.folder);
  const terminal = openTerminal();
  const setup = await readSetup(options, terminal.ask).finally(() => terminal.close());
  const files = filesOf(setup, folder);
  refuseFilesThatExist(folder, Object.keys(files));
  const findings = options.checked ? await checkSetup(setup) : [];
  for (const { check, text } of findings) say(`${check}: ${text}`);
  const problems = problemsOf(findings);
  if (problems.length > 0) {
    return { code: 1, message: `${problems.join('\n')}\nNothing was written; --no-check skips the checks.` };
  }
  await mkdir(folder, { recursive: true });
  if (setup.runner === 'compose') await copyCompose(folder);
  for (const [name, text] of Object.entries(files)) {
    // Other users of the machine must not read the master key.
    await writeFile(join(folder, name), text, { flag: 'wx', mode: name === '.env' ? 0o600 : 0o644 });
  }
  say(`Written to ${folder}: ${Object.keys(files).join(', ')}. Next, in that folder:\n`);
  for (const step of stepsAfter(setup, folder)) say(`  ${step}`);
  say('\nKeep a copy of .env away from this machine: without the master key, stored secrets are lost.');
  return { code: 0 };
};
