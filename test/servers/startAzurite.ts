// SPDX-License-Identifier: Apache-2.0
// Starts a blob storage account for a test: Azurite on a free port with a temporary folder.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { endProcess } from './endProcess.ts';

export type Azurite = {
  /** The settings of a cloud system that publishes creatives there. */
  readonly settings: { readonly storageAccount: string; readonly storageKey: string; readonly container: string };
  /** Begins an outage. */
  pause(): Promise<void>;
  /** Ends the outage: the same data, the same URL. */
  resume(): Promise<void>;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
};

const require = createRequire(import.meta.url);
const ACCOUNT = 'midrolltest';
const KEY = Buffer.from('a key of the tests and of nothing else').toString('base64');
const START_TIMEOUT = 300_000;

export async function startAzurite(): Promise<Azurite> {
  const main = join(dirname(require.resolve('azurite/package.json')), 'dist/src/blob/main.js');
  const folder = mkdtempSync(join(tmpdir(), 'midroll-azurite-'));
  let child: ChildProcess;

  async function start(port: string): Promise<string> {
    const options = ['--blobHost', '127.0.0.1', '--blobPort', port, '--disableTelemetry'];
    child = spawn(process.execPath, [main, ...options, '--skipApiVersionCheck', '--silent', '--location', folder], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, AZURITE_ACCOUNTS: `${ACCOUNT}:${KEY}` },
    });
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('Azurite did not start in time.')), START_TIMEOUT);
      let output = '';
      child.stdout!.on('data', (chunk) => {
        output += chunk;
        const [, url] = /successfully listens on (\S+)/.exec(output) ?? [];
        if (url === undefined) return;
        clearTimeout(timer);
        resolve(url);
      });
      child.once('exit', () => reject(new Error(`Azurite ended at its start: ${output}`)));
    });
  }

  const url = await start('0');
  process.once('exit', () => child.kill('SIGKILL'));
  return {
    settings: { storageAccount: `${url}/${ACCOUNT}`, storageKey: KEY, container: 'creatives' },
    pause: () => endProcess(child, 'SIGTERM'),
    resume: async () => void (await start(new URL(url).port)),
    stop: async () => {
      await endProcess(child, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
