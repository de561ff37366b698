// SPDX-License-Identifier: Apache-2.0
// The files that GitHub reads cannot run here. These tests hold what they share with the project: names of scripts, versions
// of Node.js, paths and headings.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json')) as { scripts: Record<string, string>; engines: { node: string } };

function readYaml(path: string): unknown {
  const document = parseDocument(read(path), { prettyErrors: true });
  expect([...document.errors, ...document.warnings].map(({ message }) => `${path}: ${message}`)).toEqual([]);
  return document.toJS();
}

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
const workflow = () => readYaml('.github/workflows/check.yml') as Workflow;

test('every YAML file of .github is valid YAML', () => {
  expect(yamlFiles).toContain('.github/workflows/check.yml');
  for (const path of yamlFiles) expect(readYaml(path)).toBeTypeOf('object');
});

test('the workflow runs scripts that exist', () => {
  const commands = Object.values(workflow().jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
  const scripts = commands
    .flatMap((command) => [...command.matchAll(/npm (?:run )?([\w:]+)/g)].map(([, name]) => name!))
    .filter((name) => name !== 'ci');
  expect(scripts.sort()).toEqual(['build', 'check:quick', 'test']);
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
    const form = readYaml(`.github/ISSUE_TEMPLATE/${name}.yml`) as IssueForm;
    const fields = form.body.filter(({ type }) => type !== 'markdown');
    const ids = fields.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, attributes } of fields) {
      expect(id).toMatch(/^[a-z-]+$/);
      expect(attributes.label).toMatch(/\S/);
    }
  }
});

/** As GitHub derives it: lower case, without punctuation, a dash for each space. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const handbook = ['architecture', 'comparison', 'troubleshooting'].map((name) => `docs/${name}.md`);
test.each(['SECURITY.md', 'CODE_OF_CONDUCT.md', 'CONTRIBUTING.md', ...handbook])(
  'the links of %s lead to files and headings',
  (page) => {
    for (const [, target, anchor] of read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)) {
      const path = target === '' ? page : join(dirname(page), target!);
      expect(existsSync(join(root, path)), `${page}: ${path}`).toBe(true);
      if (anchor === undefined) continue;
      const headings = [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!));
      expect(headings, `${page}: ${path}`).toContain(anchor);
    }
  },
);

test('every statement of docs/comparison.md about another product has a source', () => {
  const page = read('docs/comparison.md');
  const defined = [...page.matchAll(/^\[([\w-]+)\]: https:\/\/\S+$/gm)].map(([, name]) => name!);
  const used = new Set([...page.matchAll(/\]\[([\w-]+)\]/g)].map(([, name]) => name!));
  expect([...used].sort()).toEqual(defined.sort());
  const [, hosted] = page.split('\n## ');
  const rows = hosted!.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| |'));
  expect(rows.length).toBeGreaterThan(10);
  // The first cells are the criterion and Midroll.
  for (const row of rows)
    for (const cell of row.split(' | ').slice(2)) expect(cell).toMatch(/^not documented|\]\[[\w-]+\]/);
});

test('docs/architecture.md lists every module', () => {
  const modules = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const table = read('docs/architecture.md').split('\n## Modules')[1];
  for (const { name } of modules) expect(table).toContain(`\`${name}\``);
});
