// SPDX-License-Identifier: Apache-2.0

import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { STOP_LIMIT_SECONDS } from '../../src/composition/ending.ts';
import { readConfig } from '../../src/config.ts';
import { environment } from '../../src/settings/environment.ts';
import { version } from '../../src/version.ts';
import { startMidroll } from '../live/midroll.ts';
import { opened } from '../opened.ts';
import {
  containerOf,
  environmentOf,
  files,
  folder,
  kustomization,
  kustomizations,
  literalsOf,
  type Manifest,
  named,
  ofKind,
  selectedBy,
  settingsOf,
  stores,
  workloads,
} from './manifests.ts';

const serve = named('StatefulSet', 'midroll-serve')!;
const worker = named('Deployment', 'midroll-worker')!;
const installations = ['.', 'single-node', 'cluster'];
const chosen = {
  ADMIN_URL: 'https://midroll.example.com',
  LIVE_URL: 'https://live.example.com',
  TRUSTED_PROXIES: '10.244.0.0/16',
  DATABASE_URL: 'postgres://midroll@db.example.com/midroll',
  REDIS_URL: 'redis://redis.example.com:6379',
  MEDIA_URL: 's3://ads/midroll?region=eu-central-1',
  SECRET_KEY: 'a-secret-for-the-tests',
  BOOTSTRAP_API_KEY: 'a-key-for-the-tests',
};

test('every file is part of a kustomization, except the example of the Secret', () => {
  const used = kustomizations.flatMap(({ path, resources = [], patches = [], configMapGenerator = [] }) =>
    [
      ...resources,
      ...patches.flatMap((patch: Manifest) => patch.path ?? []),
      ...configMapGenerator.flatMap((each: Manifest) => each.envs ?? []),
    ].map((name: string) => join(dirname(path), name)),
  );
  const others = files.filter((path) => !path.endsWith('kustomization.yaml') && !used.includes(path));
  expect(others).toEqual(['secret.example.yaml']);
  expect(ofKind('Secret')).toHaveLength(1);
});

test('the image is the one of this version', () => {
  for (const path of installations) {
    expect(kustomization(path).images).toEqual([{ name: 'midroll', newName: 'midroll', newTag: version }]);
  }
  for (const workload of workloads) expect(containerOf(workload).image).toBe('midroll');
});

describe.each(installations)('the settings in %s', (path) => {
  test.each(workloads)('are settings of Midroll: $metadata.name', (workload) => {
    const names = Object.keys(environmentOf(workload, settingsOf(path)));
    expect(names.filter((name) => !(name in environment.properties))).toEqual(['NODE_OPTIONS']);
  });

  test.each(workloads)('prevent a start until they are replaced, and are valid then: $metadata.name', (workload) => {
    const given = environmentOf(workload, settingsOf(path));
    const read = readConfig(given);
    const problems = read.ok ? [] : read.problems.map((problem) => problem.split(' ')[0]);
    const open = Object.keys(chosen).filter((name) => name in given);
    expect(problems.sort()).toEqual(open.sort());
    const { ADMIN_PORT, LIVE_PORT } = environment.properties as unknown as Record<string, { default: number }>;
    expect(readConfig({ ...given, ...chosen })).toMatchObject({
      ok: true,
      config: { HOST: '0.0.0.0', ADMIN_PORT: ADMIN_PORT!.default, LIVE_PORT: LIVE_PORT!.default },
    });
  });
});

test('objects refer to objects that exist', () => {
  for (const workload of workloads) {
    const { volumes, containers } = workload.spec.template.spec;
    const claims = (workload.spec.volumeClaimTemplates ?? []).map(({ metadata }: Manifest) => metadata.name);
    const provided = [...volumes.map(({ name }: Manifest) => name), ...claims];
    expect(containers[0].volumeMounts.map(({ name }: Manifest) => name).sort()).toEqual(provided.sort());
    for (const { persistentVolumeClaim: claim } of volumes) {
      if (claim) expect(named('PersistentVolumeClaim', claim.claimName)).toBeDefined();
    }
    expect(containers[0].envFrom).toEqual([
      { configMapRef: { name: kustomization('base').configMapGenerator[0].name } },
      { secretRef: { name: ofKind('Secret')[0]!.metadata.name } },
    ]);
    expect(selectedBy(workload.spec.selector.matchLabels)).toEqual([workload]);
  }
  for (const path of installations) {
    const { name } = kustomization('base').configMapGenerator[0];
    expect(kustomization(path).configMapGenerator).toMatchObject([{ name, behavior: 'merge' }]);
  }
  // An empty list of YAML is null.
  for (const { path, components } of kustomizations)
    for (const name of components ?? []) expect(kustomization(join(dirname(path), name))).toBeDefined();
  expect(named('Service', serve.spec.serviceName)!.spec.clusterIP).toBe('None');
  const scaled = ofKind('HorizontalPodAutoscaler')[0]!.spec.scaleTargetRef;
  expect(named(scaled.kind, scaled.name)).toBe(serve);
  for (const patch of kustomizations.flatMap(({ patches = [] }) => patches)) {
    if (patch.target) expect(named(patch.target.kind, patch.target.name)).toBeDefined();
  }
});

test('services, budgets, policies and monitors select the pods that they name', () => {
  const selectors = [
    ...ofKind('Service').map(({ spec }) => spec.selector),
    ...[...ofKind('PodDisruptionBudget'), ...ofKind('PodMonitor')].map(({ spec }) => spec.selector.matchLabels),
    ...ofKind('NetworkPolicy').map(({ spec }) => spec.podSelector.matchLabels),
  ];
  expect(selectors).toHaveLength(10);
  const selected = selectors.map((selector) => selectedBy(selector));
  expect(selected.filter((found) => found.length !== 1)).toEqual([]);
  expect(selected.filter(([only]) => only === worker)).toHaveLength(2);
  expect(selected.filter(([only]) => stores.includes(only!))).toHaveLength(2);
});

test('ports are those of the containers', () => {
  const ports = new Map(containerOf(serve).ports.map((port: Manifest) => [port.name, port.containerPort]));
  expect([...ports]).toEqual([
    ['admin', Number(settingsOf('.').ADMIN_PORT)],
    ['live', Number(settingsOf('.').LIVE_PORT)],
  ]);
  expect(containerOf(worker).ports).toEqual([{ name: 'status', containerPort: 8082 }]);
  expect(containerOf(worker).env).toContainEqual({ name: 'WORKER_PORT', value: '8082' });
  for (const service of ofKind('Service').filter(({ spec }) => workloads.includes(selectedBy(spec.selector)[0]!))) {
    for (const { port, targetPort } of service.spec.ports) expect(ports.get(targetPort)).toBe(port);
  }
  for (const { metadata, spec } of ofKind('Ingress')) {
    const { service } = spec.rules[0].http.paths[0].backend;
    expect(service.name).toBe(metadata.name);
    const names = named('Service', service.name)!.spec.ports.map(({ name }: Manifest) => name);
    expect(names).toContain(service.port.name);
  }
  const ofMidroll = ofKind('NetworkPolicy').filter(({ spec }) =>
    workloads.includes(selectedBy(spec.podSelector.matchLabels)[0]!),
  );
  for (const { spec } of ofMidroll) {
    const [selected] = selectedBy(spec.podSelector.matchLabels);
    const names = containerOf(selected!).ports.map(({ name }: Manifest) => name);
    for (const { port } of (spec.ingress ?? []).flatMap((rule: Manifest) => rule.ports)) expect(names).toContain(port);
  }
});

test('the Redis component is what its REDIS_URL names, and only Midroll can connect to it', () => {
  const [redis] = stores;
  const { hostname, port } = new URL(settingsOf('cluster').REDIS_URL!);
  const service = named('Service', hostname)!;
  expect(selectedBy(service.spec.selector)).toEqual([redis]);
  expect(redis!.spec.serviceName).toBe(hostname);
  expect(service.spec.ports).toEqual([{ name: 'redis', port: Number(port), targetPort: 'redis' }]);
  expect(containerOf(redis!).ports).toEqual([{ name: 'redis', containerPort: Number(port) }]);
  expect(containerOf(redis!).command.join(' ')).toContain('--maxmemory-policy noeviction');
  const [rule, ...others] = named('NetworkPolicy', hostname)!.spec.ingress;
  expect(others).toEqual([]);
  expect(selectedBy(rule.from[0].podSelector.matchLabels).sort()).toEqual([...workloads].sort());
});

test('no component has a setting that an installation sets: it would replace it', () => {
  const components = kustomizations.filter(({ kind }) => kind === 'Component');
  const own = installations.flatMap((path) => Object.keys(literalsOf(kustomization(path))));
  for (const component of components)
    expect(Object.keys(literalsOf(component)).filter((name) => own.includes(name))).toEqual([]);
});

test('nodes share only their media, and the volume is larger than MEDIA_MAX_GB', () => {
  const mountsOf = (workload: Manifest) =>
    Object.fromEntries(containerOf(workload).volumeMounts.map(({ name, mountPath }: Manifest) => [name, mountPath]));
  for (const workload of workloads) {
    const { DATA_DIR } = environmentOf(workload, {});
    expect(mountsOf(workload)).toEqual({ data: DATA_DIR, media: `${DATA_DIR}/media`, tmp: '/tmp' });
  }
  expect(serve.spec.volumeClaimTemplates[0].metadata.name).toBe('data');
  const { spec } = ofKind('PersistentVolumeClaim')[0]!;
  expect(spec.accessModes).toEqual(['ReadWriteMany']);
  const gib = Number.parseInt(spec.resources.requests.storage, 10);
  expect(gib).toBeGreaterThan(Number(settingsOf('.').MEDIA_MAX_GB));
});

test('containers have no rights, and pods have time to drain', () => {
  for (const store of stores) {
    const { securityContext } = store.spec.template.spec;
    expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(containerOf(store).securityContext).toEqual(containerOf(serve).securityContext);
  }
  for (const workload of workloads) {
    const { securityContext, terminationGracePeriodSeconds } = workload.spec.template.spec;
    expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(containerOf(workload).securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const { DRAIN_SECONDS } = settingsOf('.');
    expect(terminationGracePeriodSeconds - Number(DRAIN_SECONDS)).toBeGreaterThanOrEqual(STOP_LIMIT_SECONDS);
  }
});

describe('a server with these settings', async () => {
  const midroll = await opened(startMidroll({ ROLE: 'serve' }));

  test('responds to probes and to Prometheus', async () => {
    const urls: Record<string, string> = { admin: midroll.adminUrl, live: midroll.liveUrl };
    const { startupProbe, readinessProbe, livenessProbe } = containerOf(serve);
    const { path: metrics, port } = ofKind('PodMonitor')[0]!.spec.podMetricsEndpoints[0];
    const probes = [startupProbe, readinessProbe, livenessProbe].map(({ httpGet }) => httpGet);
    for (const probe of [...probes, { path: metrics, port }]) {
      expect((await fetch(urls[probe.port] + probe.path)).status).toBe(200);
    }
    expect(serve.spec.template.metadata.annotations).toMatchObject({
      'prometheus.io/port': settingsOf('.').ADMIN_PORT,
      'prometheus.io/path': metrics,
    });
  });
});

const kubectl = (...args: string[]) => spawnSync('kubectl', args, { cwd: folder, encoding: 'utf8' });
test.runIf(kubectl('version', '--client').status === 0)('kustomize builds all installations', () => {
  for (const path of installations) expect(kubectl('kustomize', path)).toMatchObject({ status: 0, stderr: '' });
  const { stdout } = kubectl('kustomize', 'single-node');
  expect(stdout).toMatch(/name: ROLE\n\s+value: all\n/);
  expect(stdout).not.toMatch(/midroll-worker|midroll-media|ReadWriteMany/);
  const cluster = kubectl('kustomize', 'cluster').stdout;
  expect(cluster).not.toMatch(/midroll-media|ReadWriteMany/);
  for (const text of [
    'minReplicas: 3',
    'maxReplicas: 12',
    'podAntiAffinity:',
    'name: midroll-redis',
    'MEDIA_CACHE_GB: "20"',
  ])
    expect(cluster).toContain(text);
});
