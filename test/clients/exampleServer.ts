// SPDX-License-Identifier: Apache-2.0
// A Midroll for the programs of examples/, whose clients are generated from its OpenAPI document, and a folder to generate them in.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readText } from '../repositoryFiles.ts';
import { startAdmin } from '../servers/adminServer.ts';

export type ExampleServer = {
  /** Contains openapi.json. */
  readonly folder: string;
  /** @returns the exit code and the lines that the program has printed */
  run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<[number, string[]]>;
  close(): Promise<void>;
};

export async function startExampleServer(): Promise<ExampleServer> {
  const admin = await startAdmin();
  const url = await admin.app.listen({ port: 0, host: '127.0.0.1' });
  const folder = mkdtempSync(join(tmpdir(), 'midroll-client-'));
  writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${url}/openapi.json`)).text());
  return {
    folder,
    async run(program, args, env) {
      // The server is in this process, so waiting for the program must not block it.
      const child = spawn(program, args, { cwd: folder, env: { ...env, ADMIN_URL: url, API_KEY: admin.key } });
      let text = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
      const code = await new Promise<number>((done) => child.on('close', done));
      return [code, text.trim().split('\n')];
    },
    async close() {
      await admin.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The version of a generator that docs/clients.md names. */
export function documentedVersion(pattern: RegExp): string {
  const [version] = pattern.exec(readText('docs/clients.md')) ?? [];
  if (version === undefined) throw new Error(`docs/clients.md must name a version like ${pattern}.`);
  return version;
}
