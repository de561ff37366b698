// SPDX-License-Identifier: Apache-2.0
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { environment } from '../../src/settings/environment.ts';
import { readText, root } from '../repositoryFiles.ts';
import { readDockerfile } from './containerFiles.ts';

const instructions = readDockerfile();
const textsOf = (name: string) => instructions.filter((each) => each.name === name).map(({ text }) => text);
const settings = Object.keys(environment.properties);

test('every variable in the Dockerfile is a setting, or belongs to Node or npm', () => {
  const names = textsOf('ENV').flatMap((text) => [...text.matchAll(/(\w+)=\S+/g)].map(([, name]) => name!));
  expect(names).toContain('DATA_DIR');
  const known = new Set([...settings, 'NODE_ENV', 'NODE_OPTIONS', 'npm_config_nodedir']);
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});

test('the image exposes the default ports', () => {
  const { ADMIN_PORT, LIVE_PORT } = environment.properties as unknown as Record<string, { default: number }>;
  expect(textsOf('EXPOSE')).toEqual([`${ADMIN_PORT!.default} ${LIVE_PORT!.default}`]);
});

test('the image runs as a user with a number, with its data in a volume, and starts node without a shell', () => {
  expect(textsOf('USER')).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
  expect(textsOf('VOLUME')).toEqual(['/data']);
  expect(textsOf('ENV').join(' ')).toContain('DATA_DIR=/data');
  expect(textsOf('ENTRYPOINT').map((text) => JSON.parse(text))).toEqual([['node', '/app/dist/midroll.js']]);
  expect(textsOf('CMD').map((text) => JSON.parse(text))).toEqual([['serve']]);
  const [health] = textsOf('HEALTHCHECK');
  expect(JSON.parse(health!.slice(health!.indexOf('[')))).toEqual(['node', '/app/isHealthy.mjs']);
});

test('the version of Node satisfies package.json', () => {
  const [major] = /(?<=node:)\d+/.exec(textsOf('ARG').join(' ')) ?? [];
  const [least] = /\d+/.exec(JSON.parse(readText('package.json')).engines.node) ?? [];
  expect(Number(major)).toBeGreaterThanOrEqual(Number(least));
});

test('every file that COPY names exists, and .dockerignore does not exclude it', () => {
  const included = readText('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));
  for (const path of included) expect(existsSync(join(root, path)), path).toBe(true);
  const sources = textsOf('COPY')
    .filter((text) => !text.startsWith('--from'))
    .flatMap((text) => text.split(' ').slice(0, -1))
    .filter((path) => path !== '.');
  expect(sources).not.toEqual([]);
  for (const path of sources) {
    expect(existsSync(join(root, path)), path).toBe(true);
    const isIncluded = included.some((each) => path === each || path.startsWith(`${each}/`));
    expect(isIncluded, `${path} in .dockerignore`).toBe(true);
  }
});

test('the build context contains every folder that the build compiles', () => {
  const sources = readdirSync(join(root, 'scripts'))
    .filter((name) => /^build.*\.mjs$/.test(name))
    .flatMap((name) => [...readText(`scripts/${name}`).matchAll(/join\(root, '([\w.-]+)/g)].map(([, path]) => path!));
  expect(sources).toContain('src');
  for (const path of new Set(sources.filter((each) => !['dist', 'node_modules'].includes(each)))) {
    expect(readText('.dockerignore')).toContain(`!${path}\n`);
  }
});
