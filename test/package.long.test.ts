import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from './support/castellan.js';
import { filesBelow, InstalledPackage } from './support/package.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const MAX_TARBALL_MB = 8;
const MAX_INSTALLED_MB = 250;

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly dev?: boolean }>>;
}

const readJson = <Shape>(...path: string[]): Shape => JSON.parse(readFileSync(join(...path), 'utf8'));

/** Runs once, since the package does not depend on the database. It needs npm's cache or its registry. */
describe.runIf(process.env.TEST_DATABASE_URL === undefined)('the published package', () => {
  const installed = new InstalledPackage();
  beforeAll(async () => {
    await installed.pack();
    await installed.install();
  });
  afterAll(() => installed.clear());

  const manifest = () =>
    readJson<{ dependencies: Record<string, string>; devDependencies: Record<string, string> }>(
      installed.program,
      'package.json',
    );

  it('contains exactly the program and its documents', () => {
    const megabytes = statSync(installed.tarball).size / 1e6;
    const files = filesBelow(installed.program);
    console.log(`The tarball has ${megabytes.toFixed(1)} MB in ${files.length} files.`);
    expect(megabytes).toBeLessThan(MAX_TARBALL_MB);
    expect(new Set(files.map((name) => name.split('/')[0]))).toEqual(
      new Set([
        'CHANGELOG.md',
        'CONTRIBUTING.md',
        'LICENSE',
        'README.md',
        'SECURITY.md',
        'bench',
        'dist',
        'docs',
        'migrations',
        'package.json',
        'plans.json',
      ]),
    );
    const strangers = files.filter(
      (name) =>
        !/^(dist\/.*\.js|dist\/console\/console-\w+\.css|dist\/api\/openapi\/response-example\.json|dist\/embedded\.(tar\.gz|version|stamp)|migrations\/\d{4}_\w+\.sql|[^/]+\.(md|json)|LICENSE|docs\/(.*\.(md|png|webp)|llms(-full)?\.txt)|bench\/RESULTS\.md)$/.test(
          name,
        ),
    );
    expect(strangers).toEqual([]);
    expect(files.filter((name) => /(^|[/.])test([/.]|$)|\.map$|\.env|^data/.test(name))).toEqual([]);
  });

  it('contains no path of the build machine', () => {
    const here = process.cwd();
    const telling = filesBelow(installed.program).filter((name) => {
      const text = readFileSync(join(installed.program, name), 'utf8');
      return text.includes(here) || text.includes('not-for-anybody') || text.includes('sourcesContent');
    });
    expect(telling).toEqual([]);
  });

  it('contains the targets of all links in the README', () => {
    const links = [...readFileSync(join(installed.program, 'README.md'), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g)];
    expect(links.length).toBeGreaterThan(5);
    const dead = links.map(([, path]) => path as string).filter((path) => !existsSync(join(installed.program, path)));
    expect(dead).toEqual([]);
  });

  it('installs the tested versions, without development dependencies', () => {
    const { dependencies, devDependencies } = manifest();
    const { packages: wanted } = readJson<Lock>('package-lock.json');
    const { packages: found } = readJson<Lock>(installed.folder, 'package-lock.json');
    for (const name of Object.keys(dependencies)) {
      const path = `node_modules/${name}`;
      expect(`${name} ${found[path]?.version}`).toBe(`${name} ${wanted[path]?.version}`);
    }
    // Other packages depend on a range of these and would get other versions.
    for (const name of ['light-my-request', 'viem', 'ox']) {
      const copies = Object.keys(found).filter((path) => path.endsWith(`node_modules/${name}`));
      expect(copies).toEqual([`node_modules/${name}`]);
    }
    expect(found['node_modules/ox']?.version).toBe(wanted['node_modules/ox']?.version);
    const forDevelopment = Object.keys(devDependencies).filter((name) => wanted[`node_modules/${name}`]?.dev);
    expect(forDevelopment).toContain('vitest');
    expect(forDevelopment.filter((name) => existsSync(join(installed.folder, 'node_modules', name)))).toEqual([]);
  });

  it('takes no more room than what a service loads', () => {
    const folder = join(installed.folder, 'node_modules');
    const bytes = filesBelow(folder).reduce((sum, name) => sum + lstatSync(join(folder, name)).size, 0);
    console.log(`An installation takes ${(bytes / 1e6).toFixed(0)} MB.`);
    expect(bytes / 1e6).toBeLessThan(MAX_INSTALLED_MB);
    for (const name of ['@faker-js/faker', 'typescript', '@foundry-rs/anvil', 'stripe', '@farcaster/core', 'preact'])
      expect(existsSync(join(folder, name)), name).toBe(false);
  });

  it('runs without a local chain, and says what brings one', async () => {
    const environment = { PORT: String(await freePort()), CASTELLAN_METRICS_PORT: 'off' };
    const service = installed.start(join('node_modules', '.bin', 'castellan'), ['dev', '--still'], environment);
    await service.says(/castsByFid/);
    expect(service.out + service.err).toMatch(/npm install @foundry-rs\/anvil@\d+\.\d+\.\d+/);
    expect((await service.pressCtrlC()).code).toBe(0);
  });

  it('runs from an empty folder, responds, mints on the local chain, and ends at Ctrl-C', async () => {
    const { peerDependencies } = readJson<{ peerDependencies: Record<string, string> }>(
      installed.program,
      'package.json',
    );
    const anvil = `@foundry-rs/anvil@${peerDependencies['@foundry-rs/anvil']}`;
    expect((await installed.run('npm', 'install', '--ignore-scripts', anvil)).code).toBe(0);
    const port = String(await freePort());
    const before = filesBelow(installed.program);
    const environment = { PORT: port, CASTELLAN_METRICS_PORT: 'off' };
    const service = installed.start('npx', ['castellan', 'dev', '--still'], environment);
    await service.says(/nft\/deploy/);
    const key = readFileSync(join(installed.folder, 'data', 'api-key'), 'utf8').trim();
    const [, chain = ''] = /Chain +(\S+)/.exec(service.out) ?? [];
    expect(service.out).toContain(key);
    const ask = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-api-key': key } });
      const text = await response.text();
      // The log has the reason a moment later.
      if (response.status === 500) await service.says(/"level":50/);
      expect(`${response.status} ${text}`, `${path}\n${service.out}${service.err}`).toMatch(/^200 /);
      return text;
    };
    const { users } = JSON.parse(await ask('/v2/social/user/bulk/?fids=1,2,3&viewer_fid=100'));
    expect(users.map(({ fid }: { fid: number }) => fid)).toEqual([1, 2, 3]);
    expect(users[0].username).toBe('harbor');
    const { casts } = JSON.parse(await ask('/v2/social/feed/following/?fid=1&limit=10'));
    expect(casts).toHaveLength(10);
    // Data sets and programs that come in packages of their own: the reference page, cities, contracts, the chain.
    expect(await ask('/docs')).toContain('docs/reference.js');
    expect(await ask('/guides/guide-client')).toContain('<h1 id="guide-build-a-client">');
    expect((await ask('/docs/reference.js')).length).toBeGreaterThan(100_000);
    const near = JSON.parse(await ask('/v2/social/user/by_location/?latitude=52.5&longitude=13.4&limit=1'));
    expect(near.users[0].profile.location.address.city).toEqual(expect.any(String));
    // The line to paste, which a busy machine may have to be asked for twice.
    const [, line = ''] = /(curl .*nft\/deploy.*)/.exec(service.out) ?? [];
    const paste = async () => (await installed.run('sh', '-c', `${line} -H 'idempotency-key: first'`)).out;
    await expect.poll(paste, { timeout: 120_000 }).toContain('"collection"');
    const { address } = JSON.parse(await paste()).collection;
    const recipients = encodeURIComponent(JSON.stringify([{ fid: 1, quantity: 2 }]));
    const mints = JSON.parse(
      await ask(`/v2/social/nft/mint/?network=base&nft_contract_address=${address}&recipients=${recipients}`),
    );
    expect(mints).toMatchObject([{ to: address, function_name: 'mint', recipient: { fid: 1, quantity: 2 } }]);
    const { err } = await service.pressCtrlC();
    expect(err).not.toMatch(/^ +at /m);
    for (const url of [chain, `http://127.0.0.1:${port}`]) await expect(fetch(url)).rejects.toThrow();
    expect(filesBelow(installed.program)).toEqual(before);
  });

  it('keeps its data, reports that at the next start, and ends cleanly', async () => {
    const environment = { PORT: String(await freePort()), CASTELLAN_METRICS_PORT: 'off', CASTELLAN_LOCAL_CHAIN: 'off' };
    const service = installed.start(join('node_modules', '.bin', 'castellan'), ['dev', '--still'], environment);
    await service.says(/castsByFid/);
    expect(service.err).not.toContain('messages');
    expect((await service.pressCtrlC()).code).toBe(0);
  });

  it('prints help and diagnosis', async () => {
    const help = await installed.run('npx', 'castellan', '--help');
    expect(help).toMatchObject({ code: 0, out: expect.stringContaining('castellan') });
    for (const name of ['dev', 'serve', 'doctor']) expect(help.out).toMatch(new RegExp(`^  ${name} `, 'm'));
    const doctor = await installed.run('npx', 'castellan', 'doctor');
    expect(doctor.out).toMatch(/signatures +ok/);
    expect(doctor.out).toMatch(/schema +ok/);
    expect(doctor).toMatchObject({ code: 0, out: expect.not.stringContaining('WRONG') });
    expect((await installed.run('npx', 'castellan', 'nonsense')).code).toBe(2);
  });

  it('has only written into the data folder', () => {
    const top = filesBelow(installed.folder).map((name) => name.split('/')[0]);
    expect(new Set(top)).toEqual(new Set(['data', 'node_modules', 'package-lock.json', 'package.json']));
    expect(filesBelow(installed.home)).toEqual([]);
    expect(filesBelow(installed.temporary)).toEqual([]);
  });
});
