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
  strategy?: { matrix: { node: string[]; shard: number[] } };
  steps: { uses?: string; run?: string }[];
};
type Workflow = { permissions: unknown; concurrency: unknown; jobs: Record<string, Job> };
type IssueForm = {
  name: string;
  description: string;
  body: { type: string; id?: string; attributes: { label?: string; options?: unknown[]; value?: string } }[];
};
const workflows = ['check', 'system'].map((name) => readDocument(`.github/workflows/${name}.yml`) as Workflow);
const jobs = workflows.flatMap((workflow) => Object.values(workflow.jobs));

test('every YAML file of .github is valid YAML', () => {
  expect(yamlFiles).toContain('.github/workflows/check.yml');
  for (const path of yamlFiles) expect(readDocument(path)).toBeTypeOf('object');
});

test('the workflows run the scripts of the check, and all of them exist', () => {
  const commands = jobs.flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
  const scripts = commands
    .flatMap((command) => [...command.matchAll(/npm (?:run )?([\w:]+)/g)].map(([, name]) => name!))
    .filter((name) => name !== 'ci');
  expect(scripts.sort()).toEqual(['test', 'test:long', 'test:system']);
  for (const name of scripts) expect(Object.keys(manifest.scripts)).toContain(name);
});

test('`npm test` runs in all of its shards, on the oldest supported version of Node.js and on newer ones', () => {
  const oldest = /^>=(\d+\.\d+)\./.exec(manifest.engines.node)![1]!;
  const job = workflows[0]!.jobs.test!;
  const { node, shard } = job.strategy!.matrix;
  expect(node).toEqual([oldest, '22', '24']);
  const command = job.steps.map(({ run }) => run).find((run) => run?.startsWith('npm test'));
  expect(command).toBe(`npm test -- --shard=\${{ matrix.shard }}/${shard.length}`);
  expect(shard).toEqual(shard.map((_, index) => index + 1));
});

test('the workflows may only read, end hanging jobs and use official actions by major version', () => {
  for (const { permissions, concurrency } of workflows) {
    expect(permissions).toEqual({ contents: 'read' });
    expect(concurrency).toBeDefined();
  }
  for (const job of jobs) {
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
