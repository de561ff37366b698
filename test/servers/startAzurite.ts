// A blob storage account of a test's own: Azurite on a free port, in a folder of its own, gone afterwards.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export type Azurite = {
  /** The settings of a cloud system that keeps its creatives there. */
  readonly settings: { readonly storageAccount: string; readonly storageKey: string; readonly container: string };
  /** Goes away, as a cloud does now and then. */
  leave(): Promise<void>;
  /** Comes back with what it held, at the same address. */
  comeBack(): Promise<void>;
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
      const timer = setTimeout(() => reject(new Error('Azurite did not start in time')), START_TIMEOUT);
      let said = '';
      child.stdout!.on('data', (chunk) => {
        said += chunk;
        const [, url] = /successfully listens on (\S+)/.exec(said) ?? [];
        if (url === undefined) return;
        clearTimeout(timer);
        resolve(url);
      });
      child.once('exit', () => reject(new Error(`Azurite ended at once: ${said}`)));
    });
  }

  const url = await start('0');
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  process.once('exit', () => child.kill('SIGKILL'));
  return {
    settings: { storageAccount: `${url}/${ACCOUNT}`, storageKey: KEY, container: 'films' },
    leave: () => end('SIGTERM'),
    comeBack: async () => void (await start(new URL(url).port)),
    stop: async () => {
      await end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
