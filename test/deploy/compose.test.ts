// SPDX-License-Identifier: Apache-2.0

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { expect, test } from 'vitest';
import { STOP_LIMIT_SECONDS } from '../../src/composition/ending.ts';
import { readConfig } from '../../src/config.ts';
import { composeVariables } from '../../src/settings/composeVariables.ts';
import { environment } from '../../src/settings/environment.ts';
import { scratchFolder } from '../opened.ts';
import { readText, root } from '../repositoryFiles.ts';
import { nginxProgram } from '../servers/programs.ts';
import { drainSeconds, readCompose } from './containerFiles.ts';

const { services, networks, volumes } = readCompose();
const midroll = services.midroll!;
const worker = services.worker!;
const settings = Object.keys(environment.properties);
const clustered = { COMPOSE_PROFILES: 'cluster' };
/** The services that run the image of Midroll. */
const nodes = Object.entries(services).filter(([, { environment: variables }]) => variables?.ROLE === 'serve');
const workers = Object.entries(services).filter(([, { environment: variables }]) => variables?.ROLE === 'worker');

/** Replaces variables as Compose does: `${A}`, `${A:-default}`, `${A:?error}`, `${A:+replacement}`; they nest. */
function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  const innermost = /\$\{(\w+)(?::([-?+])([^${}]*))?\}/;
  let result = text;
  for (let match = innermost.exec(result); match !== null; match = innermost.exec(result)) {
    const [whole, name, operator, argument = ''] = match;
    const value = variables[name!] || undefined;
    if (operator === '?' && value === undefined) throw new Error(argument);
    const replacement = operator === '+' ? (value === undefined ? '' : argument) : (value ?? argument);
    result = result.replace(whole!, () => replacement);
  }
  return result;
}
const environmentOf = (name: string, variables: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(services[name]!.environment).map(([key, value]) => [key, interpolate(String(value), variables)]),
  );
const secrets = { SECRET_KEY: 'a-secret-for-the-tests', POSTGRES_PASSWORD: 'p@ss/word' };

test('every variable of the Midroll containers is a setting, or belongs to the PostgreSQL client', () => {
  for (const [, { environment: variables }] of [...nodes, ...workers]) {
    expect(Object.keys(variables).filter((name) => !settings.includes(name))).toEqual(['PGPASSWORD']);
  }
});

test('every variable that compose.yaml reads is in .env.example', () => {
  const read = [...readText('compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name!);
  const documented = [...settings, ...Object.keys(composeVariables)];
  expect(read.filter((name) => !documented.includes(name))).toEqual([]);
});

test.each([...nodes, ...workers].map(([name]) => name))('the settings of %s are valid', (name) => {
  const read = readConfig(environmentOf(name, secrets));
  expect(read).toMatchObject({ ok: true, config: { DATA_DIR: '/data', HOST: '0.0.0.0' } });
  expect(read.ok && read.config.REDIS_URL).toBeUndefined();
  const elsewhere = { ...secrets, TRUSTED_PROXIES: '192.0.2.1', LIVE_URL: 'https://live.example.com' };
  expect(readConfig(environmentOf(name, elsewhere))).toMatchObject({
    ok: true,
    config: { LIVE_URL: 'https://live.example.com', TRUSTED_PROXIES: expect.stringMatching(/^[\d.]+,192\.0\.2\.1$/) },
  });
});

test.each(['SECRET_KEY', 'POSTGRES_PASSWORD'])('a missing %s is an error that names it', (name) => {
  expect(() => environmentOf('midroll', { ...secrets, [name]: '' })).toThrow(name);
});

test('one service serves and one conditions creatives, from the same image, with the same data and database', () => {
  expect([midroll.environment.ROLE, worker.environment.ROLE]).toEqual(['serve', 'worker']);
  const { ROLE: _, ...shared } = worker.environment;
  expect(midroll.environment).toMatchObject(shared);
  expect(worker.image).toBe(midroll.image);
  expect(worker.volumes).toEqual(midroll.volumes);
});

test('the profile adds two nodes, a worker and Valkey, all with the same settings', () => {
  const added = Object.entries(services).filter(([, { profiles }]) => profiles !== undefined);
  expect(added.map(([name, { profiles }]) => [name, profiles])).toEqual(
    ['midroll-2', 'midroll-3', 'worker-2', 'redis'].map((name) => [name, ['cluster']]),
  );
  for (const [, node] of nodes) expect(node).toMatchObject({ image: midroll.image, environment: midroll.environment });
  for (const [, each] of workers) expect(each).toMatchObject({ image: worker.image, environment: worker.environment });
  for (const [name] of [...nodes, ...workers]) {
    const { REDIS_URL } = environmentOf(name, { ...secrets, ...clustered });
    expect(readConfig(environmentOf(name, { ...secrets, ...clustered })).ok).toBe(true);
    expect(new URL(REDIS_URL!).hostname).toBe('redis');
    const others = { REDIS_URL: 'redis://a:6379,redis://b:6379', ...secrets, ...clustered };
    expect(environmentOf(name, others).REDIS_URL).toBe(others.REDIS_URL);
  }
  // What a profile adds is not required without it.
  for (const { depends_on = {} } of Object.values(services)) {
    for (const [needed, { required }] of Object.entries(depends_on))
      expect(required ?? true, needed).toBe(services[needed]!.profiles === undefined);
  }
  expect(services.redis!.command!.join(' ')).toContain('--maxmemory-policy noeviction');
  expect(services.redis!.command!.join(' ')).toContain('--appendonly yes');
});

test('nginx of the cluster has all nodes', () => {
  const servers = (port: number) =>
    [...readText('deploy/nginx/cluster.conf').matchAll(/^ *server (\S+):(\d+) /gm)]
      .filter(([, , found]) => Number(found) === port)
      .map(([, name]) => name);
  for (const port of [8080, 8081]) expect(servers(port)).toEqual(nodes.map(([name]) => name));
  expect(Object.keys(services.nginx!.depends_on!)).toEqual(nodes.map(([name]) => name));
});

test('nginx of the cluster selects the node of a viewer as the sample for TLS does', () => {
  const maps = (name: string) => readText(`deploy/nginx/${name}`).match(/^map [^}]*^}$/gm)!;
  expect(maps('cluster.conf')).toEqual(maps('midroll.conf'));
  const strategy = (name: string) =>
    /upstream midroll_live \{[^}]*?(hash .*;)/.exec(readText(`deploy/nginx/${name}`))![1];
  expect(strategy('cluster.conf')).toBe(strategy('upstreams.conf'));
});

test('only nginx is published; the administrative ports are published on loopback', () => {
  const published = Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]));
  expect(published).toEqual([
    ['midroll', '127.0.0.1:8080:8080'],
    ['midroll-2', '127.0.0.1:8082:8080'],
    ['midroll-3', '127.0.0.1:8083:8080'],
    ['nginx', expect.stringMatching(/^\$\{HTTP_PORT:-80\}:80$/)],
  ]);
});

test('Midroll trusts the address of nginx, which is in the subnet and outside the range of other containers', () => {
  const [config] = networks.default!.ipam!.config as unknown as { subnet: string; ip_range: string }[];
  const addressOf = (name: string) =>
    (services[name]!.networks as Record<string, { ipv4_address: string }>).default!.ipv4_address;
  expect(environmentOf('midroll', secrets).TRUSTED_PROXIES).toBe(addressOf('nginx'));
  const names = ['nginx', ...nodes.map(([name]) => name)];
  expect(new Set(names.map(addressOf)).size).toBe(names.length);
  for (const name of names) {
    const address = ipaddr.IPv4.parse(addressOf(name));
    expect(address.match(ipaddr.IPv4.parseCIDR(config!.subnet))).toBe(true);
    expect(address.match(ipaddr.IPv4.parseCIDR(config!.ip_range))).toBe(false);
  }
});

test('services restart, drain, wait for what they need, and use declared volumes, networks and existing files', () => {
  for (const [name, service] of Object.entries(services)) {
    expect(service, name).toMatchObject({ restart: 'unless-stopped', stop_grace_period: expect.any(String) });
    const limit = drainSeconds() + STOP_LIMIT_SECONDS;
    if ([...nodes, ...workers].some(([each]) => each === name))
      expect(Number.parseInt(service.stop_grace_period, 10)).toBeGreaterThanOrEqual(limit);
    const used = Array.isArray(service.networks) ? service.networks : Object.keys(service.networks);
    expect(Object.keys(networks), name).toEqual(expect.arrayContaining(used));
    const volumesOf = (variables: Record<string, string>) =>
      service.volumes.map((volume) => interpolate(volume, variables).split(':')[0]);
    for (const source of [...volumesOf({}), ...volumesOf(clustered)]) {
      if (source!.startsWith('.')) expect(existsSync(join(root, source!)), source).toBe(true);
      else expect(Object.keys(volumes)).toContain(source);
    }
    for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
      expect(services[needed], needed).toBeDefined();
      expect(condition).toBe('service_healthy');
    }
  }
  expect(services.database!.healthcheck?.test).toContain('pg_isready');
});

const scratch = scratchFolder();
test.each(['compose', 'cluster'])('nginx accepts its configuration: %s', (name) => {
  const folder = mkdtempSync(join(scratch, 'nginx-'));
  const file = join(folder, 'nginx.conf');
  const server = readText(`deploy/nginx/${name}.conf`)
    .replaceAll(/server midroll\S*:/g, 'server 127.0.0.1:')
    .replaceAll(/listen (\d+) /g, `listen unix:${folder}/socket-$1 `)
    .replaceAll(/\/var\/(cache|log)\/\w+/g, folder);
  // As in the image: keys must not reach the log that it configures by itself.
  writeFileSync(
    file,
    `pid ${folder}/pid; error_log stderr; events {} http { access_log off; keepalive_timeout 65; ${server} }`,
  );
  const args = ['-t', '-e', 'stderr', '-p', folder, '-c', file];
  const { status, stderr } = spawnSync(nginxProgram(), args, { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
});
