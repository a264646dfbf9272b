import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROLES, VARIABLE_GROUPS } from '../../src/config/variable.js';
import { CHART, helm, podsOf, type Resource, render, withoutHelm, writeTable } from './helm.js';

const { kinds, definitions } = JSON.parse(readFileSync(new URL('schema.json', import.meta.url), 'utf8'));
const ajv = new Ajv({ strict: false, allErrors: true });

/** @returns what is wrong with an object by the schema of its kind */
const faultsOf = (resource: Resource): string[] => {
  const schema = kinds[`${resource.apiVersion} ${resource.kind}`];
  if (schema === undefined) return [`no schema of ${resource.apiVersion} ${resource.kind}`];
  const isValid = ajv.compile({ ...schema, definitions });
  return isValid(resource) ? [] : (isValid.errors ?? []).map((one) => `${one.instancePath} ${one.message}`);
};

const EXAMPLES = readdirSync(`${CHART}/examples`).map((name) => name.replace('.yaml', ''));
const variables = new Set(Object.values(VARIABLE_GROUPS).flatMap((group) => Object.keys(group)));

/** Whether a selector chooses what has these labels. */
const selects = (selector: Record<string, string>, labels: Record<string, string>): boolean =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

describe.skipIf(withoutHelm)('chart (skipped without npm ci --prefix test/chart/programs)', () => {
  const rendered = new Map<string, Resource[]>();
  beforeAll(async () => {
    for (const name of EXAMPLES) rendered.set(name, await render(name));
  }, 60_000);

  test('the schemas find a member that does not exist, and one that is missing', async () => {
    const [budget] = (rendered.get('small') as Resource[]).filter(({ kind }) => kind === 'PodDisruptionBudget');
    const { metadata, apiVersion, kind } = budget as Resource;
    expect(faultsOf({ metadata, apiVersion, kind, spec: { maxUnavailible: 1 } })).toEqual([
      '/spec must NOT have additional properties',
    ]);
    const cluster = { apiVersion: 'postgresql.cnpg.io/v1', kind: 'Cluster', metadata, spec: { storage: {} } };
    expect(faultsOf(cluster)).toEqual(["/spec must have required property 'instances'"]);
  });

  test.each(EXAMPLES)('%s: Helm finds no fault, and each object fits the schema of its kind', async (name) => {
    await helm('lint', '--strict', CHART, '--values', `${CHART}/examples/${name}.yaml`);
    const resources = rendered.get(name) as Resource[];
    expect(resources.length).toBeGreaterThan(4);
    for (const resource of resources) expect.soft(faultsOf(resource), resource.metadata.name).toEqual([]);
    const names = resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  test('what Prometheus is told to read, a network policy lets it read', () => {
    for (const [name, resources] of rendered) {
      const policy = resources.find(({ kind }) => kind === 'NetworkPolicy');
      if (policy === undefined || !resources.some(({ kind }) => kind === 'ServiceMonitor')) continue;
      const ports = policy.spec.ingress.flatMap(({ ports: some }: { ports: { port: unknown }[] }) => some);
      expect.soft(ports, name).toContainEqual({ port: 'metrics' });
    }
  });

  test.each(EXAMPLES)('%s: a pod that migrates has as long as a job that does', async (name) => {
    for (const { spec } of podsOf(rendered.get(name) as Resource[])) {
      const { startupProbe } = spec.containers[0];
      if (startupProbe === undefined) continue;
      expect(startupProbe.periodSeconds * (startupProbe.failureThreshold ?? 3)).toBe(3600);
    }
  });

  test.each(EXAMPLES)('%s: pods have no rights, memory has a limit, and variables have their names', (name) => {
    for (const { spec, name: pod } of podsOf(rendered.get(name) as Resource[])) {
      // Otherwise the Service `castellan` brings the variable CASTELLAN_PORT, which the service refuses.
      expect.soft(spec, pod).toMatchObject({ enableServiceLinks: false, automountServiceAccountToken: false });
      expect.soft(spec.securityContext, pod).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      const [{ securityContext, resources, env }] = spec.containers;
      expect.soft(securityContext, pod).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect.soft(resources.limits, pod).toHaveProperty('memory');
      // Kubernetes puts some into the values of others.
      const isPart = (part: string): boolean => env.some(({ value = '' }) => value.includes(`$(${part})`));
      const names = env.map((one) => one.name).filter((one) => !isPart(one));
      expect.soft([...variables], pod).toEqual(expect.arrayContaining(names));
      expect.soft(new Set(env.map((one) => one.name)).size, pod).toBe(env.length);
    }
  });

  test.each(EXAMPLES)('%s: every role is done, and every selector chooses something', (name) => {
    const resources = rendered.get(name) as Resource[];
    const pods = podsOf(resources);
    const roles = pods.flatMap(({ spec }) =>
      spec.containers[0].env.flatMap(({ name, value = '' }) => (name === 'CASTELLAN_ROLE' ? value.split(',') : [])),
    );
    expect(roles.sort()).toEqual([...ROLES].sort());
    for (const { kind, spec, metadata } of resources) {
      if (kind === 'HorizontalPodAutoscaler') {
        const target = resources.find(
          (one) => one.kind === 'Deployment' && one.metadata.name === spec.scaleTargetRef.name,
        );
        // A number of pods there would undo at each upgrade what the autoscaler has set.
        expect(target?.spec).not.toHaveProperty('replicas');
        continue;
      }
      if (kind === 'ServiceMonitor') {
        const services = resources.filter((one) => one.kind === 'Service');
        const chosen = services.filter((one) => selects(spec.selector.matchLabels, one.metadata.labels));
        expect(chosen.map((one) => one.spec.ports[0].name)).toEqual([spec.endpoints[0].port]);
        expect(chosen[0]?.metadata.labels[spec.jobLabel]).toBe('castellan');
        continue;
      }
      const selector =
        kind === 'Service' ? spec.selector : (spec.selector?.matchLabels ?? spec.podSelector?.matchLabels);
      if (selector === undefined) continue;
      const chosen = pods.filter(({ labels }) => selects(selector, labels));
      expect.soft(chosen, `${kind} ${metadata.name}`).not.toEqual([]);
      if (kind !== 'Service') continue;
      const ports = chosen.flatMap(({ spec }) => spec.containers[0].ports ?? []).map((port) => port.name);
      for (const { targetPort } of spec.ports) expect.soft(ports, metadata.name).toContain(targetPort);
    }
  });

  test('backups are made by the plugin, and a Cluster can begin with one', async () => {
    const find = (resources: Resource[], kind: string) => resources.find((one) => one.kind === kind) as Resource;
    const made = rendered.get('cluster') as Resource[];
    expect(find(made, 'ScheduledBackup').spec).toMatchObject({
      method: 'plugin',
      cluster: { name: find(made, 'Cluster').metadata.name },
    });
    expect(find(made, 'Cluster').spec.plugins[0].parameters.barmanObjectName).toBe(
      find(made, 'ObjectStore').metadata.name,
    );
    const restored = await render('cluster', 'postgres.recovery.serverName=old', 'postgres.backup.enabled=false');
    for (const resource of restored) expect.soft(faultsOf(resource), resource.metadata.name).toEqual([]);
    expect(find(restored, 'Cluster').spec).toMatchObject({
      bootstrap: { recovery: { source: 'origin' } },
      externalClusters: [{ name: 'origin', plugin: { parameters: { serverName: 'old' } } }],
    });
  });

  test.each([
    [/publicUrl is the address/, 'publicUrl='],
    [/existingSecret names the Secret/, 'existingSecret='],
    [/backup\.destinationPath says/, 'postgres.backup.destinationPath='],
    [/must be less than postgres\.instances/, 'postgres.instances=1'],
    [/additional properties 'replica' not allowed/, 'api.replica=3'],
  ])('what cannot work is refused: %s', async (message, value) => {
    await expect(render('cluster', value)).rejects.toThrow(message);
  });

  test('the table of values in the README is current: npm run chart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'castellan-chart-'));
    const copy = join(folder, 'README.md');
    copyFileSync(`${CHART}/README.md`, copy);
    await writeTable(copy);
    const written = readFileSync(copy, 'utf8');
    rmSync(folder, { recursive: true });
    expect(written).toBe(readFileSync(`${CHART}/README.md`, 'utf8'));
  });
});
