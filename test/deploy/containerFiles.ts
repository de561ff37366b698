// SPDX-License-Identifier: Apache-2.0
// Reads the files of the container deployment for their tests.
import { readConfig } from '../../src/config.ts';
import { readText, readYaml } from '../repositoryFiles.ts';

/** The default of DRAIN_SECONDS. */
export const drainSeconds = (): number => {
  const read = readConfig({});
  return read.ok ? read.config.DRAIN_SECONDS : Number.NaN;
};

export type ComposeService = {
  readonly image: string;
  readonly environment: Readonly<Record<string, unknown>>;
  readonly networks: readonly string[] | Readonly<Record<string, { readonly ipv4_address?: string }>>;
  readonly ports?: readonly string[];
  readonly volumes: readonly string[];
  readonly restart: string;
  readonly user?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly profiles?: readonly string[];
  readonly command?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string; readonly required?: boolean }>>;
  readonly stop_grace_period: string;
};
export type Compose = {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, { readonly ipam?: { readonly config: readonly { subnet: string }[] } }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};

/** compose.yaml with its anchors and merge keys resolved; variables stay as they are. */
export const readCompose = (): Compose => readYaml('compose.yaml')[0] as Compose;

export type Instruction = { readonly name: string; readonly text: string };

/** The instructions of the Dockerfile, with continued lines joined. */
export const readDockerfile = (): Instruction[] =>
  readText('Dockerfile')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ name: line.slice(0, line.indexOf(' ')), text: line.slice(line.indexOf(' ') + 1) }));
