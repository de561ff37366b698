// SPDX-License-Identifier: Apache-2.0
// The built server, as started by `npm start`, and requests of a client with its key.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll } from 'vitest';
import { endProcess } from '../../servers/endProcess.ts';

const KEY = 'the-key-of-this-test';

export type Server = { readonly process: ChildProcess; readonly admin: string; readonly live: string };

/** @returns a function that starts a server, which ends with the tests of the file */
export function builtServers(): (env: Record<string, string>) => Promise<Server> {
  const servers: ChildProcess[] = [];
  afterAll(async () => {
    for (const server of servers) await endProcess(server, 'SIGKILL');
  });
  return async (env) => {
    const server = spawn(process.execPath, ['dist/main.js'], {
      env: {
        ...{ PATH: process.env.PATH, ADMIN_PORT: '0', LIVE_PORT: '0', ADMIN_RATE_LIMIT: '0', LOG_LEVEL: 'silent' },
        ...{ BOOTSTRAP_API_KEY: KEY, ...env },
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    servers.push(server);
    const output: string[] = [];
    for await (const line of createInterface(server.stderr!)) {
      const [, admin, live] = /administration (http:\S+?), live (http:\S+)/.exec(line) ?? [];
      if (admin && live) return { process: server, admin, live };
      output.push(line);
    }
    throw new Error(`the server exited before it listened: ${output.join('\n')}`);
  };
}

/** @param path below /api/v2 */
export async function send<Json = Record<string, unknown>>(
  { admin }: Server,
  method: string,
  path: string,
  body?: object,
) {
  const response = await fetch(`${admin}/api/v2/${path}`, {
    method,
    headers: { 'x-api-key': KEY, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, headers: response.headers, json: (await response.json()) as Json };
}
