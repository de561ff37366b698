// SPDX-License-Identifier: Apache-2.0
// nginx of the cluster, with the configuration that compose.yaml uses for several nodes (deploy/nginx/cluster.conf). Only
// addresses, folders and what the page of the demo shows differ.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clusterConf } from '../clusterConf.ts';
import type { MemberSpec } from './member.ts';

export type ProxyPlace = {
  readonly program: string;
  readonly folder: string;
  readonly adminPort: number;
  readonly livePort: number;
  /** The addresses of the nodes, as `address:port`. */
  readonly live: readonly string[];
  readonly admin: readonly string[];
  /** Where nginx sends a line for each response. */
  readonly logPort: number;
  readonly logFile: string;
};

/** Seconds. Channels of the demo respond within two; the file allows for VoD, whose responses may wait longer. */
const READ_TIMEOUT = 4;

function replaceLines(text: string, replacements: readonly (readonly [RegExp, string])[]): string {
  return replacements.reduce((result, [pattern, by]) => {
    if (!pattern.test(result)) throw new Error(`deploy/nginx/cluster.conf does not contain ${pattern}.`);
    return result.replace(pattern, () => by);
  }, text);
}

const servers = (addresses: readonly string[]): string =>
  addresses.map((address) => `    server ${address} max_fails=3 fail_timeout=5s;\n`).join('');

/** One line of the log for each response: the nodes that were tried, and the last status. */
export const LOG_FORMAT = '$upstream_addr $status';

function writeConfiguration({ folder, adminPort, livePort, live, admin, logPort }: ProxyPlace): string {
  const server = replaceLines(readFileSync(clusterConf, 'utf8'), [
    [/(?: {4}server \S+:8081 .*\n)+/, servers(live)],
    [/(?: {4}server \S+:8080 .*\n)+/, servers(admin)],
    [/listen 80 default_server;/, `listen 127.0.0.1:${livePort};`],
    [/listen 8080 default_server;/, `listen 127.0.0.1:${adminPort};`],
    [/\/var\/cache\/midroll/g, join(folder, 'cache')],
    [
      /access_log \/var\/log\/nginx\/access.log midroll;/g,
      `access_log syslog:server=127.0.0.1:${logPort} midroll_demo;`,
    ],
    [/error_log \/var\/log\/nginx\/error.log crit;/g, 'error_log stderr crit;'],
    [/# (add_header X-Served-By .*)/, 'add_header X-Served-By $upstream_addr always;'],
    [/# (add_header Access-Control-Expose-Headers .*)/, 'add_header Access-Control-Expose-Headers X-Served-By always;'],
    [/proxy_read_timeout 20s;/, `proxy_read_timeout ${READ_TIMEOUT}s;`],
  ]);
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/temp-${name};`,
  );
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `${process.getuid?.() === 0 ? 'user root;\n' : ''}daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr crit;
events { worker_connections 1024; }
http {
log_format midroll_demo '${LOG_FORMAT}';
${temp.join('\n')}
${server}
}
`,
  );
  return file;
}

export function proxySpec(place: ProxyPlace): MemberSpec {
  const { program, folder, livePort, adminPort, logFile } = place;
  mkdirSync(folder, { recursive: true });
  return {
    id: 'nginx',
    title: 'nginx',
    kind: 'proxy',
    logFile,
    cwd: folder,
    env: process.env,
    command: [program, '-p', folder, '-e', 'stderr', '-c', writeConfiguration(place)],
    endSignal: 'SIGTERM',
    isReady: async () => {
      // Without a node behind it, nginx responds, too.
      const responses = await Promise.all([livePort, adminPort].map((port) => fetch(`http://127.0.0.1:${port}/`)));
      return responses.length > 0;
    },
  };
}
