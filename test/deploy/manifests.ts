// SPDX-License-Identifier: Apache-2.0
// Reads the manifests of deploy/kubernetes for their tests, without kubectl.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseAllDocuments } from 'yaml';

export const folder = join(import.meta.dirname, '../../deploy/kubernetes');

// biome-ignore lint/suspicious/noExplicitAny: manifests have many shapes
export type Manifest = Readonly<Record<string, any>>;
export type Labels = Readonly<Record<string, string>>;

export const files: readonly string[] = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(relative(folder, entry.parentPath), entry.name))
  .sort();

/** @throws if a document is not valid YAML, or repeats a key */
export function readYaml(path: string): Manifest[] {
  const documents = parseAllDocuments(readFileSync(join(folder, path), 'utf8'), { uniqueKeys: true });
  return documents.map((document) => {
    if (document.errors.length > 0) throw new Error(`${path}: ${document.errors[0]!.message}`);
    return document.toJS() as Manifest;
  });
}

const isKustomization = (path: string) => path.endsWith('kustomization.yaml');
const yamlFiles = files.filter((path) => path.endsWith('.yaml'));
export const kustomizations: readonly Manifest[] = yamlFiles
  .filter(isKustomization)
  .map((path) => ({ path, ...readYaml(path)[0] }));
export const kustomization = (path: string): Manifest =>
  kustomizations.find((each) => each.path === join(path, 'kustomization.yaml'))!;

/** All objects, without the patches of the overlay. */
const objects: readonly Manifest[] = yamlFiles
  .filter((path) => !isKustomization(path) && !path.startsWith('single-node/'))
  .flatMap(readYaml);
export const ofKind = (kind: string): Manifest[] => objects.filter((each) => each.kind === kind);
export const named = (kind: string, name: string): Manifest | undefined =>
  ofKind(kind).find(({ metadata }) => metadata.name === name);

export const workloads = [...ofKind('StatefulSet'), ...ofKind('Deployment')];
export const containerOf = (workload: Manifest): Manifest => workload.spec.template.spec.containers[0];

/** The workloads whose pods a selector selects. */
export const selectedBy = (selector: Labels): Manifest[] =>
  workloads.filter(({ spec }) =>
    Object.entries(selector).every(([name, value]) => spec.template.metadata.labels[name] === value),
  );

/** Reads `NAME=value` lines. */
export const readVariables = (lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    lines
      .filter((line) => /^\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

/** The settings of the installation that is described in a folder: those of the base, and its own. */
export const settingsOf = (path: string): Record<string, string> => ({
  ...readVariables(readFileSync(join(folder, 'base/settings.env'), 'utf8').split('\n')),
  ...readVariables(kustomization(path).configMapGenerator[0].literals),
});

/** What a container gets: the ConfigMap, the Secret and its own variables. */
export const environmentOf = (
  workload: Manifest,
  settings: Readonly<Record<string, string>>,
): Record<string, string> => ({
  ...settings,
  ...(named('Secret', 'midroll')!.stringData as Record<string, string>),
  ...Object.fromEntries(
    (containerOf(workload).env as { name: string; value: string }[]).map(({ name, value }) => [name, value]),
  ),
});
