// SPDX-License-Identifier: Apache-2.0
// examples/go-client with a client that is generated from the OpenAPI document: `npm run test:clients`. Not part of the check,
// because it needs Go, and downloads the generator.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { opened } from '../opened.ts';
import { root } from '../repositoryFiles.ts';
import { documentedVersion, startExampleServer } from './exampleServer.ts';

const generator = documentedVersion(/github\.com\/oapi-codegen\/\S+@v[\d.]+/);
const server = await opened(startExampleServer());

test('a generated Go client compiles and runs the example', async (context) => {
  const { folder } = server;
  const go = (...args: string[]) => spawnSync('go', args, { cwd: folder, encoding: 'utf8' });
  const version = go('version');
  if (version.status !== 0) return context.skip(`go does not work: ${version.stderr ?? version.error?.message}`);
  cpSync(join(root, 'examples/go-client'), folder, { recursive: true });
  mkdirSync(join(folder, 'midroll'), { recursive: true });
  const download = go('run', generator, '--version');
  if (download.status !== 0) return context.skip(`go cannot install ${generator}: ${download.stderr}`);
  for (const args of [['run', generator, '-config', 'oapi-codegen.yaml', 'openapi.json'], ['mod', 'tidy'], ['vet']]) {
    const { status, stderr } = go(...args);
    expect([args[0], status, stderr]).toEqual([args[0], 0, expect.any(String)]);
  }
  expect(await server.run('go', ['run', '.'], process.env)).toEqual([
    0,
    ['Created playlist By Go with 1 item', 'Found Go channel for https://ads.example.com/vast', 'Deleted: NOT_FOUND'],
  ]);
});
