// SPDX-License-Identifier: Apache-2.0
// The monitoring files and docs/monitoring.md refer to metrics, routes and log messages. They must exist in a running process.
import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';
import { startMidroll } from '../live/midroll.ts';
import { opened } from '../opened.ts';
import { readText, readYaml, root } from '../repositoryFiles.ts';

type Panel = {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
};
type Rule = {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
};

const prometheus = join(root, 'deploy/prometheus');
const docs = readText('docs/monitoring.md');
const json = JSON.parse(readText('deploy/grafana/midroll.json'));
const panels: readonly Panel[] = json.panels;
const [alerts] = readYaml('deploy/prometheus/alerts.yml') as { groups: readonly { rules: readonly Rule[] }[] }[];
const rules = alerts!.groups.flatMap((group) => group.rules);

/** Alerts that mean what one of the runbooks begins with. */
const runbookOf: Readonly<Record<string, string>> = {
  MidrollDown: 'node-is-gone',
  MidrollNotReady: 'node-is-gone',
  MidrollRestarts: 'node-is-gone',
  MidrollSlateOnAir: 'channel-is-black',
  MidrollOriginFails: 'channel-is-black',
  MidrollChannelsFailed: 'channel-is-black',
  MidrollFillDropped: 'viewers-see-slate',
  MidrollAdServerFails: 'ad-server-is-dead',
};

/** Made by Prometheus itself and by the blackbox exporter. */
const fromElsewhere = new Set(['up', 'probe_success']);
const metricNames = (text: string): string[] =>
  [...text.matchAll(/\b(?:midroll|nodejs|process|probe)_[a-z0-9_]+|\bup\b(?=\{)/g)].map(([name]) => name);
const family = (name: string): string => name.replace(/(_seconds)_(bucket|sum|count)$/, '$1');

let exposed: string[];
let metrics: string;

// With all stores, so that all metrics are exposed.
const midroll = await opened(startMidroll({ REDIS_URL: inject('redisUrl'), REDIS_PREFIX: randomUUID() }));
beforeAll(async () => {
  await midroll.api('GET', '/channels');
  await fetch(`${midroll.adminUrl}/ready`);
  metrics = await (await fetch(`${midroll.adminUrl}/metrics`)).text();
  exposed = [...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!);
});

const unknownIn = (text: string): string[] =>
  [...new Set(metricNames(text).map(family))].filter((name) => !exposed.includes(name) && !fromElsewhere.has(name));

test('every metric of the dashboard, of the alert rules and of the page is exposed', () => {
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const variables = JSON.stringify(json.templating.list);
  expect(metricNames(expressions.join('\n')).length).toBeGreaterThan(20);
  expect(unknownIn([...expressions, variables].join('\n'))).toEqual([]);
  expect(unknownIn(rules.map(({ expr }) => expr).join('\n'))).toEqual([]);
  expect(unknownIn(docs)).toEqual([]);
});

test('the page lists every exposed metric with its type and its labels', () => {
  const documented = [...docs.matchAll(/^\| `([a-z0-9_]+)` \| (\w+) \|([^|]*)\|/gm)].map(([, name, type, labels]) => [
    name,
    type,
    [...labels!.matchAll(/`(\w+)`/g)].map(([, label]) => label),
  ]);
  const labelsOf = (name: string) => {
    const [, labels = ''] = new RegExp(`^${name}(?:_count)?\\{(.*)\\}`, 'm').exec(metrics) ?? [];
    return [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label);
  };
  const types = [...metrics.matchAll(/^# TYPE (\S+) (\S+)/gm)].map(([, name, type]) => [name!, type!] as const);
  expect(documented.map(([name, type]) => [name, type]).sort()).toEqual(types.map((one) => [...one]).sort());
  for (const [name, , labels] of documented) {
    const used = labelsOf(name as string);
    // Some have no samples until something happens.
    if (used.length > 0) expect([name, labels]).toEqual([name, used]);
  }
});

test('the dashboard is up to date: node scripts/writeDashboard.mjs', () => {
  const script = join(root, 'scripts/writeDashboard.mjs');
  expect(JSON.parse(execFileSync(process.execPath, [script, '--print'], { encoding: 'utf8' }))).toEqual(json);
});

test('panels have unique ids, a description and queries, and do not overlap', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = new Set<string>();
  for (const { title, type, description = '', gridPos, targets = [] } of panels) {
    if (type !== 'row') expect([title, description.length > 0, targets.length > 0]).toEqual([title, true, true]);
    expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        expect(cells, title).not.toContain(`${x}/${y}`);
        cells.add(`${x}/${y}`);
      }
  }
});

test('each alert has a severity, annotations and a section of the page', () => {
  expect(rules.length).toBeGreaterThan(10);
  for (const { alert, labels, annotations } of rules) {
    expect(['warning', 'critical']).toContain(labels.severity);
    for (const name of ['summary', 'description', 'action'])
      expect([alert, name, annotations[name] ?? '']).toEqual([alert, name, expect.stringMatching(/\.$/)]);
    expect(annotations.runbook).toBe(`docs/monitoring.md#${alert.toLowerCase()}`);
    expect(docs).toContain(`\n### ${alert}\n`);
    const [, page] =
      /^https:\/\/midroll\.example\.com\/runbooks\/(.+)\.html$/.exec(annotations.runbook_url ?? '') ?? [];
    expect([alert, page]).toEqual([alert, runbookOf[alert]]);
    if (page !== undefined) expect(readText(`docs/runbooks/${page}.md`)).toContain('## One command');
  }
  const sections = [...docs.matchAll(/^### (Midroll\w+)$/gm)].map(([, name]) => name);
  expect(sections).toEqual(rules.map(({ alert }) => alert));
});

test('the log messages of the page are in the source', () => {
  const messages = [...docs.matchAll(/^\| "([^"]+)" \|/gm)].map(([, message]) => message!);
  const source = (readdirSync(join(root, 'src'), { recursive: true }) as string[])
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => readText(join('src', path)))
    .join('\n');
  expect(messages.length).toBeGreaterThan(20);
  expect(messages.filter((message) => !source.includes(message.replace(/^… | failed$/g, '')))).toEqual([]);
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
const promtool = (...args: string[]) => spawnSync('promtool', args, { cwd: prometheus, encoding: 'utf8' });

test.runIf(hasPromtool)('promtool accepts the configuration, and the rules pass their tests', () => {
  for (const args of [
    ['check', 'config', 'prometheus.yml'],
    ['test', 'rules', 'alerts.test.yml'],
  ]) {
    const { status, stdout, stderr } = promtool(...args);
    expect({ status, stdout, stderr }).toMatchObject({ status: 0 });
  }
});
test.runIf(hasPromtool)('promtool accepts the format of the metrics', () => {
  const { stderr } = spawnSync('promtool', ['check', 'metrics'], { input: metrics, encoding: 'utf8' });
  expect(stderr).not.toContain('error while linting');
});

/** promtool tests only the alerts that its file names. */
test('each alert has a test that makes it fire', () => {
  const tests = readText('deploy/prometheus/alerts.test.yml');
  expect(rules.map(({ alert }) => alert).filter((alert) => !tests.includes(alert))).toEqual([]);
});
