import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, onTestFinished, test } from 'vitest';

const DAY_SECONDS = 86_400;
const { services } = load(readFileSync('compose.yaml', 'utf8')) as {
  readonly services: { readonly backup: { readonly command: readonly [string] } };
};

/**
 * Runs the script of the backup until it sleeps, with an old dump and a new one.
 * @param dump what stands in for pg_dump
 * @returns the files that are there then, and for how many seconds it sleeps
 */
const backUp = (dump: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [dumps, programs] = [join(folder, 'dumps'), join(folder, 'programs')];
  spawnSync('mkdir', [dumps, programs]);
  for (const [name, days] of [
    ['old.dump', 10],
    ['new.dump', 1],
  ] as const) {
    writeFileSync(join(dumps, name), '');
    const at = Date.now() / 1000 - days * DAY_SECONDS;
    utimesSync(join(dumps, name), at, at);
  }
  for (const [name, text] of [
    ['pg_dump', dump],
    ['sleep', `echo "$1" > ${join(folder, 'slept')}; kill $PPID`],
  ] as const) {
    writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(programs, name), 0o755);
  }
  // As compose replaces its variables.
  const script = services.backup.command[0]
    .replace(/\$\{BACKUP_DAYS:-(\d+)\}/, '$1')
    .replaceAll('$$', '$')
    .replaceAll('/backups', dumps);
  spawnSync('/bin/sh', ['-c', script], { env: { PATH: `${programs}:${process.env.PATH}` }, timeout: 20_000 });
  return { files: readdirSync(dumps).sort(), slept: Number(readFileSync(join(folder, 'slept'), 'utf8')) };
};

test('a dump that succeeded replaces those older than a week', () => {
  const { files, slept } = backUp(
    'for one; do case $one in --file=*) echo dump > "$(echo $one | cut -d= -f2)";; esac; done',
  );
  expect(files).toEqual([expect.stringMatching(/^castellan-[\dT-]+\.dump$/), 'new.dump']);
  expect(slept).toBe(DAY_SECONDS);
});

test('a dump that fails deletes no other, leaves nothing behind, and is tried again within an hour', () => {
  const { files, slept } = backUp(
    'for one; do case $one in --file=*) echo half > "$(echo $one | cut -d= -f2)";; esac; done; exit 1',
  );
  expect(files).toEqual(['new.dump', 'old.dump']);
  expect(slept).toBe(3_600);
});
