// SPDX-License-Identifier: Apache-2.0
// The files in .github cannot run here. These tests check what they share with the project: names of scripts and versions of
// Node.js.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readText, readYaml, root } from './repositoryFiles.ts';

const manifest = JSON.parse(readText('package.json')) as { scripts: Record<string, string>; engines: { node: string } };

const readDocument = (path: string): unknown => {
  const [document, ...others] = readYaml(path);
  expect(others).toEqual([]);
  return document;
};

const yamlFiles = readdirSync(join(root, '.github'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.ya?ml$/.test(name))
  .map((name) => `.github/${name}`);

type Job = {
  'timeout-minutes'?: number;
  container?: { image: string };
  permissions?: unknown;
  strategy?: { matrix: { node: number[] } };
  steps: { uses?: string; run?: string }[];
};
type Workflow = { permissions: unknown; concurrency: unknown; jobs: Record<string, Job> };
type IssueForm = {
  name: string;
  description: string;
  body: { type: string; id?: string; attributes: { label?: string; options?: unknown[]; value?: string } }[];
};
const workflow = () => readDocument('.github/workflows/check.yml') as Workflow;

test('every YAML file of .github is valid YAML', () => {
  expect(yamlFiles).toContain('.github/workflows/check.yml');
  for (const path of yamlFiles) expect(readDocument(path)).toBeTypeOf('object');
});

test('the workflow runs scripts that exist', () => {
  const commands = Object.values(workflow().jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
  const scripts = commands
    .flatMap((command) => [...command.matchAll(/npm (?:run )?([\w:]+)/g)].map(([, name]) => name!))
    .filter((name) => name !== 'ci');
  expect(scripts.sort()).toEqual(['check:quick', 'test']);
  for (const name of scripts) expect(Object.keys(manifest.scripts)).toContain(name);
});

test('the workflow covers the oldest supported version of Node.js, and none that is not supported', () => {
  const oldest = Number(/^>=(\d+)\./.exec(manifest.engines.node)?.[1]);
  const { quick, full } = workflow().jobs;
  const versions = quick!.strategy!.matrix.node;
  expect(Math.min(...versions)).toBe(oldest);
  expect(versions).toContain(Number(/^node:(\d+)-/.exec(full!.container!.image)?.[1]));
});

test('the workflow may only read, ends hanging jobs and uses official actions by major version', () => {
  const { permissions, concurrency, jobs } = workflow();
  expect(permissions).toEqual({ contents: 'read' });
  expect(concurrency).toBeDefined();
  for (const job of Object.values(jobs)) {
    expect(job.permissions).toBeUndefined();
    expect(job['timeout-minutes']).toBeGreaterThan(0);
    for (const { uses } of job.steps) if (uses !== undefined) expect(uses).toMatch(/^actions\/[a-z-]+@v\d+$/);
  }
});

test('the fields of issue forms have labels and distinct ids', () => {
  for (const name of ['bug', 'feature']) {
    const form = readDocument(`.github/ISSUE_TEMPLATE/${name}.yml`) as IssueForm;
    const fields = form.body.filter(({ type }) => type !== 'markdown');
    const ids = fields.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, attributes } of fields) {
      expect(id).toMatch(/^[a-z-]+$/);
      expect(attributes.label).toMatch(/\S/);
    }
  }
});
