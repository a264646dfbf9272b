import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { load } from 'js-yaml';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { MetricSum } from '../src/cluster/metric-sum.js';
import { FakeHub } from './support/fake-hub.js';
import { type Network, startNetwork } from './support/network.js';

const ALERTS = 'deploy/prometheus/alerts.yml';
const DASHBOARD = 'deploy/grafana/castellan.json';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}
/** What the library knows of a metric, beyond its types. */
interface Registered {
  readonly name: string;
  readonly type: string;
  readonly labelNames?: readonly string[];
}
interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const rules = (load(readFileSync(ALERTS, 'utf8')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const dashboard = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as { readonly panels: readonly Panel[] };

/** Expressions, each with the place where it stands. */
const expressions: readonly (readonly [place: string, expr: string])[] = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
];

/** Labels that Prometheus itself adds to each series. */
const ADDED = ['job', 'instance', 'le'];

/** Labels by the names under which Prometheus stores a metric: those of a histogram have endings. */
const labelsByName = new Map<string, readonly string[]>([['up', []]]);
/** The progress of a sync is measured only where there is a hub, what a broker has only where there is one. */
const hub = new FakeHub([1]);
let network: Network;
beforeAll(async () => {
  await hub.start();
  network = await startNetwork({ CASTELLAN_HUB_URL: hub.address.address, CASTELLAN_EVENT_SINK: 'nats://127.0.0.1:9' });
  const metrics = network.app.services.metrics.registry.getMetricsAsArray();
  for (const { name, type, labelNames = [] } of metrics as unknown as Registered[]) {
    for (const ending of type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''])
      labelsByName.set(`${name}${ending}`, labelNames);
  }
  // The process that supervises workers adds their number to what they report.
  for (const [, name] of (await new MetricSum(() => []).metrics()).matchAll(/^# TYPE (\S+)/gm))
    labelsByName.set(name as string, []);
});
afterAll(async () => {
  await network.stop();
  hub.stop();
});

/** Grafana replaces its variables before Prometheus reads an expression. */
const withoutVariables = (expr: string): string => expr.replaceAll('$__rate_interval', '5m');

/** @returns what the grammar of Prometheus finds in an expression, by kind */
const read = (expr: string) => {
  const text = withoutVariables(expr);
  const metrics: string[] = [];
  const labels: string[] = [];
  let faults = 0;
  parser.parse(text).iterate({
    enter: ({ name, from, to, type, node }) => {
      if (type.isError) faults += 1;
      if (name === 'Identifier' && node.parent?.name === 'VectorSelector') metrics.push(text.slice(from, to));
      if (name === 'LabelName') labels.push(text.slice(from, to));
    },
  });
  return { metrics, labels, faults };
};

test('alerts and panels name only metrics and labels that a service has', () => {
  expect(expressions.length).toBeGreaterThan(50);
  for (const [place, expr] of expressions) {
    const { metrics, labels, faults } = read(expr);
    expect.soft(faults, `${place}: ${expr}`).toBe(0);
    expect.soft(metrics, place).not.toEqual([]);
    for (const name of metrics) expect.soft([...labelsByName.keys()], `${place}: ${expr}`).toContain(name);
    const known = new Set([...ADDED, ...metrics.flatMap((name) => labelsByName.get(name) ?? [])]);
    for (const label of labels) expect.soft([...known], `${place}: ${expr}`).toContain(label);
  }
});

test('every metric of the service is on the dashboard', () => {
  const shown = new Set(
    dashboard.panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => read(expr).metrics)),
  );
  const own = [...labelsByName.keys()].filter((name) => name.startsWith('castellan_'));
  const missing = own
    .map((name) => name.replace(/_(bucket|sum|count)$/, ''))
    .filter((name) => ![...shown].some((one) => one === name || one.startsWith(`${name}_`)));
  expect([...new Set(missing)]).toEqual([]);
});

test('no metric has a label that Prometheus gives to each series', () => {
  const taken = [...labelsByName].filter(([, labels]) =>
    labels.some((label) => label === 'job' || label === 'instance'),
  );
  expect(taken).toEqual([]);
});

test('an alert says how bad it is, what happens and what to do; its text names labels that its series have', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { alert, expr, labels, annotations } of rules) {
    expect.soft(alert).toMatch(/^Castellan[A-Z]/);
    expect.soft(['critical', 'warning'], alert).toContain(labels.severity);
    expect.soft(annotations.summary, alert).toMatch(/\.$/);
    expect.soft(annotations.description, alert).toMatch(/\.$/);
    for (const [, label] of `${annotations.summary}${annotations.description}`.matchAll(/\$labels\.(\w+)/g))
      expect.soft(expr.startsWith('up') ? ADDED : read(expr).labels, alert).toContain(label);
  }
});

test('legends of the dashboard name labels that the series have, and panels do not overlap', () => {
  const { panels } = dashboard;
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  for (const { gridPos, title } of panels) expect.soft(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
  for (const { title, targets = [] } of panels) {
    for (const { expr, legendFormat } of targets) {
      const { labels, metrics } = read(expr);
      const named = expr.includes(' by ')
        ? labels
        : [...ADDED, ...metrics.flatMap((name) => labelsByName.get(name) ?? [])];
      for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect.soft(named, title).toContain(label);
    }
  }
});

const has = (program: string): boolean => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;

test.skipIf(!has('promtool'))('promtool finds no fault in the alerts (skipped where it is not installed)', () => {
  const { status, stderr } = spawnSync('promtool', ['check', 'rules', '--lint-fatal', ALERTS], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test.skipIf(!has('promtool'))('a job that only fails is an alert, also one that runs once an hour', () => {
  const series = (name: string, outcome: string, values: string) => ({
    series: `castellan_job_duration_seconds_count{name="${name}", outcome="${outcome}"}`,
    values,
  });
  // A value a minute: those of hourly jobs grow at each full hour.
  const hourly = '1x59 2x59 3x59 4x59 5x59';
  const folder = mkdtempSync(join(tmpdir(), 'castellan-alerts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'alerts.test.yml');
  const alerts = (names: readonly string[]) =>
    names.map((name) => ({
      exp_labels: { name, severity: 'warning' },
      exp_annotations: {
        summary: `The background job ${name} keeps failing: no run of the last three hours succeeded.`,
        description: 'The log has the cause of each run.',
      },
    }));
  const tests = {
    rule_files: [resolve(ALERTS)],
    tests: [
      {
        interval: '1m',
        input_series: [
          series('hourly-fails', 'failed', hourly),
          series('hourly-recovers', 'failed', '1x59 2x239'),
          series('hourly-recovers', 'done', '0x119 1x59 2x59 3x59'),
          series('minutely-fails', 'failed', '1+1x299'),
          series('minutely-fails-at-times', 'failed', '1x29 2x29 3x239'),
          series('minutely-fails-at-times', 'done', '1+1x299'),
        ],
        alert_rule_test: [
          { eval_time: '240m', alertname: 'CastellanJobFails', exp_alerts: alerts(['hourly-fails', 'minutely-fails']) },
        ],
      },
    ],
  };
  writeFileSync(file, JSON.stringify(tests));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
  expect({ status, stdout, stderr }).toMatchObject({ status: 0, stderr: '' });
});
