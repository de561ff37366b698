// SPDX-License-Identifier: Apache-2.0
// Runs nginx with the sample of deploy/nginx, in which only ports, paths and addresses of nodes are replaced.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../demo/listen.ts';
import { readText } from '../repositoryFiles.ts';
import { endProcess } from '../servers/endProcess.ts';
import { nginxProgram } from '../servers/programs.ts';

const sample = (name: string): string => readText(`deploy/nginx/${name}`);

export type NginxSample = {
  readonly httpPort: number;
  readonly httpsPort: number;
  /** Of live.example.com and admin.example.com. */
  readonly certificate: string;
  /** The lines of the access log. */
  accessLog(): string[];
  errorLog(): string;
  close(): Promise<void>;
};

/** Of its ports. */
export type NodeUrls = { readonly liveUrl: string; readonly adminUrl: string };
export type Balance = 'session' | 'roundRobin';

/** @throws if the sample does not contain one of the texts, because then it is not tested */
function replaceAll(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`deploy/nginx does not contain "${from}".`);
    return result.replaceAll(from, to);
  }, text);
}

export const hostOf = (url: string): string => new URL(url).host;
const servers = (urls: readonly string[]): string =>
  urls.map((url) => `server ${hostOf(url)} max_fails=3 fail_timeout=5s;`).join('\n');

type Ports = Pick<NginxSample, 'httpPort' | 'httpsPort'>;

function writeFiles(
  folder: string,
  nodes: readonly NodeUrls[],
  balance: Balance,
  { httpPort, httpsPort }: Ports,
): string {
  for (const name of ['conf.d', 'log', 'temp']) mkdirSync(join(folder, name), { recursive: true });
  const server = replaceAll(sample('midroll.conf'), {
    'listen 80;': `listen 127.0.0.1:${httpPort};`,
    'listen 443 ': `listen 127.0.0.1:${httpsPort} `,
    '/etc/nginx/tls/': `${folder}/`,
    '/var/log/nginx/': `${folder}/log/`,
    '/var/cache/midroll': `${folder}/cache`,
  });
  const upstreams = replaceAll(sample('upstreams.conf'), {
    'server 127.0.0.1:8081 max_fails=3 fail_timeout=5s;': servers(nodes.map(({ liveUrl }) => liveUrl)),
    'server 127.0.0.1:8080 max_fails=3 fail_timeout=5s;': servers(nodes.map(({ adminUrl }) => adminUrl)),
    ...(balance === 'session' ? {} : { 'hash $midroll_affinity consistent;': '' }),
  });
  writeFileSync(join(folder, 'conf.d/midroll.conf'), server);
  writeFileSync(join(folder, 'conf.d/upstreams.conf'), upstreams);
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/temp/${name};`,
  );
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 2;
pid ${folder}/nginx.pid;
error_log ${folder}/log/main.log;
events { worker_connections 512; }
http { ${temp.join(' ')} include ${folder}/conf.d/*.conf; }
`,
  );
  return file;
}

function makeCertificate(folder: string): void {
  const names = 'subjectAltName=DNS:live.example.com,DNS:admin.example.com';
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'midroll.key'];
  const args = ['req', '-x509', '-days', '2', '-subj', '/CN=live.example.com', '-addext', names, ...key];
  execFileSync('openssl', [...args, '-out', 'midroll.crt'], { cwd: folder, stdio: 'ignore' });
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}

/** @param balance as in the sample, by default @throws with the message of `nginx -t` if nginx does not accept the sample */
export async function startNginx(nodes: readonly NodeUrls[], balance: Balance = 'session'): Promise<NginxSample> {
  const program = nginxProgram();
  const folder = mkdtempSync(join(tmpdir(), 'midroll-nginx-'));
  const ports = { httpPort: await findFreePort(0), httpsPort: await findFreePort(0) };
  const args = ['-p', folder, '-e', join(folder, 'startup.log'), '-c', writeFiles(folder, nodes, balance, ports)];
  makeCertificate(folder);
  const check = spawnSync(program, [...args, '-t'], { encoding: 'utf8' });
  if (check.status !== 0) throw new Error(`nginx -t: ${check.stderr}`);
  const child = spawn(program, args, { stdio: 'ignore' });
  process.once('exit', () => child.kill('SIGTERM'));
  while (!(await accepts(ports.httpsPort))) {
    if (child.exitCode !== null) throw new Error(readFileSync(join(folder, 'log/main.log'), 'utf8'));
    await sleep(20);
  }
  const read = (name: string): string => readFileSync(join(folder, 'log', name), 'utf8');
  return {
    ...ports,
    certificate: readFileSync(join(folder, 'midroll.crt'), 'utf8'),
    accessLog: () => read('access.log').split('\n').filter(Boolean),
    errorLog: () => read('error.log') + read('main.log'),
    async close() {
      await endProcess(child, 'SIGTERM');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
