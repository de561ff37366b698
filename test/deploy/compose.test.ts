// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { expect, test } from 'vitest';
import { composeVariables } from '../../scripts/writeEnvExample.ts';
import { STOP_LIMIT_SECONDS } from '../../src/composition/ending/finish.ts';
import { readConfig } from '../../src/config.ts';
import { environment } from '../../src/environment.ts';
import { readText, root } from '../repositoryFiles.ts';
import { readCompose } from './containerFiles.ts';
import { findNginx } from './startNginx.ts';

const drainSeconds = (): number => {
  const read = readConfig({});
  return read.ok ? read.config.DRAIN_SECONDS : Number.NaN;
};

const { services, networks, volumes } = readCompose();
const midroll = services.midroll!;
const worker = services.worker!;
const settings = Object.keys(environment.properties);

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
  for (const { environment: variables } of [midroll, worker]) {
    expect(Object.keys(variables).filter((name) => !settings.includes(name))).toEqual(['PGPASSWORD']);
  }
});

test('every variable that compose.yaml reads is in .env.example', () => {
  const read = [...readText('compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name!);
  const documented = [...settings, ...Object.keys(composeVariables)];
  expect(read.filter((name) => !documented.includes(name))).toEqual([]);
});

test.each(['midroll', 'worker'])('the settings of %s are valid', (name) => {
  const read = readConfig(environmentOf(name, secrets));
  expect(read).toMatchObject({ ok: true, config: { DATA_DIR: '/data', HOST: '0.0.0.0' } });
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

test('only nginx is published; the administrative port is published on loopback', () => {
  const published = Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]));
  expect(published).toEqual([
    ['midroll', '127.0.0.1:8080:8080'],
    ['nginx', expect.stringMatching(/^\$\{HTTP_PORT:-80\}:80$/)],
  ]);
});

test('Midroll trusts the address of nginx, which is in the subnet and outside the range of other containers', () => {
  const [config] = networks.default!.ipam!.config as unknown as { subnet: string; ip_range: string }[];
  const addressOf = (name: string) =>
    (services[name]!.networks as Record<string, { ipv4_address: string }>).default!.ipv4_address;
  expect(environmentOf('midroll', secrets).TRUSTED_PROXIES).toBe(addressOf('nginx'));
  for (const name of ['nginx', 'midroll']) {
    const address = ipaddr.IPv4.parse(addressOf(name));
    expect(address.match(ipaddr.IPv4.parseCIDR(config!.subnet))).toBe(true);
    expect(address.match(ipaddr.IPv4.parseCIDR(config!.ip_range))).toBe(false);
  }
});

test('services restart, drain, wait for what they need, and use declared volumes, networks and existing files', () => {
  for (const [name, service] of Object.entries(services)) {
    expect(service, name).toMatchObject({ restart: 'unless-stopped', stop_grace_period: expect.any(String) });
    const limit = drainSeconds() + STOP_LIMIT_SECONDS;
    if (/^(?:midroll|worker)$/.test(name))
      expect(Number.parseInt(service.stop_grace_period, 10)).toBeGreaterThanOrEqual(limit);
    const used = Array.isArray(service.networks) ? service.networks : Object.keys(service.networks);
    expect(Object.keys(networks), name).toEqual(expect.arrayContaining(used));
    for (const volume of service.volumes) {
      const [source] = volume.split(':');
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

test('nginx accepts its configuration', () => {
  const folder = mkdtempSync(join(tmpdir(), 'midroll-compose-'));
  const file = join(folder, 'nginx.conf');
  const server = readText('deploy/nginx/compose.conf')
    .replace('server midroll:8081', 'server 127.0.0.1:8081')
    .replace('listen 80 ', `listen unix:${folder}/socket `)
    .replaceAll(/\/var\/(cache|log)\/\w+/g, folder);
  writeFileSync(file, `pid ${folder}/pid; error_log stderr; events {} http { ${server} }`);
  const args = ['-t', '-e', 'stderr', '-p', folder, '-c', file];
  const { status, stderr } = spawnSync(findNginx(), args, { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(status, stderr).toBe(0);
});
