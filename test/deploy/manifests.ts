// SPDX-License-Identifier: Apache-2.0
// Reads the manifests of deploy/kubernetes for their tests, without kubectl.
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readText, readYaml, root } from '../repositoryFiles.ts';

export const folder = join(root, 'deploy/kubernetes');

// biome-ignore lint/suspicious/noExplicitAny: manifests have many shapes
export type Manifest = Readonly<Record<string, any>>;
export type Labels = Readonly<Record<string, string>>;

export const files: readonly string[] = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(relative(folder, entry.parentPath), entry.name))
  .sort();

const readManifests = (path: string) => readYaml(`deploy/kubernetes/${path}`) as Manifest[];

const isKustomization = (path: string) => path.endsWith('kustomization.yaml');
const yamlFiles = files.filter((path) => path.endsWith('.yaml'));
export const kustomizations: readonly Manifest[] = yamlFiles
  .filter(isKustomization)
  .map((path) => ({ path, ...readManifests(path)[0] }));
export const kustomization = (path: string): Manifest =>
  kustomizations.find((each) => each.path === join(path, 'kustomization.yaml'))!;

/** All objects, without the patches of the overlays. */
const objects: readonly Manifest[] = yamlFiles
  .filter((path) => !isKustomization(path) && !/\/without-[a-z-]+\.yaml$/.test(path))
  .flatMap(readManifests);
export const ofKind = (kind: string): Manifest[] => objects.filter((each) => each.kind === kind);
export const named = (kind: string, name: string): Manifest | undefined =>
  ofKind(kind).find(({ metadata }) => metadata.name === name);

const allWorkloads = [...ofKind('StatefulSet'), ...ofKind('Deployment')];
const isMidroll = ({ spec }: Manifest) => spec.template.metadata.labels['app.kubernetes.io/name'] === 'midroll';
/** Those that run Midroll. */
export const workloads = allWorkloads.filter(isMidroll);
/** Those that run what Midroll uses. */
export const stores = allWorkloads.filter((each) => !isMidroll(each));
export const containerOf = (workload: Manifest): Manifest => workload.spec.template.spec.containers[0];

/** The workloads whose pods a selector selects. */
export const selectedBy = (selector: Labels): Manifest[] =>
  allWorkloads.filter(({ spec }) =>
    Object.entries(selector).every(([name, value]) => spec.template.metadata.labels[name] === value),
  );

/** Reads `NAME=value` lines. */
export const readVariables = (lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    lines
      .filter((line) => /^\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

/**
 * The settings of the installation that is described in a folder: those of the base, its own, and those of components
 * (Kustomize 5.1).
 */
export const settingsOf = (path: string): Record<string, string> => ({
  ...readVariables(readText('deploy/kubernetes/base/settings.env').split('\n')),
  ...literalsOf(kustomization(path)),
  ...Object.assign({}, ...componentsOf(path).map(literalsOf)),
});

export const literalsOf = ({ configMapGenerator = [] }: Manifest): Record<string, string> =>
  readVariables(configMapGenerator.flatMap(({ literals = [] }: Manifest) => literals));
const componentsOf = (path: string): Manifest[] =>
  (kustomization(path).components ?? []).map((name: string) => kustomization(join(path, name)));

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
