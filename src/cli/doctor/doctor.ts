// SPDX-License-Identifier: Apache-2.0
// `midroll doctor`: checks an installation without changing it, and states what to do about each problem.
import { egressAllow, readConfig } from '../../config.ts';
import { plural } from '../../plural.ts';
import { type UnknownSetting, unknownSettings } from '../../settings/unknownSettings.ts';
import { columns, type Environment } from '../command.ts';
import {
  checkConsole,
  checkDisk,
  checkEgress,
  checkFfmpeg,
  checkNode,
  checkOpenFiles,
  checkPorts,
  configuredUrls,
} from './checkMachine.ts';
import { checkMail } from './checkMail.ts';
import { checkDatabase, checkMediaStore, checkSessionStore } from './checkStores.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

const marks = { ok: '✓', warning: '!', error: '✗' } as const;

type Examined = {
  /** An additional host to check, such as an ad server. */
  readonly url?: string | undefined;
  /** Default: those of the environment. */
  readonly unknown?: readonly UnknownSetting[];
};

export async function examine(
  env: Environment,
  { url, unknown = unknownSettings(env) }: Examined = {},
): Promise<Finding[]> {
  const system = [checkNode(), checkConsole(), checkOpenFiles()].flatMap((finding) => finding ?? []);
  const misspelled = unknown.map(({ text }) => warning('Settings', text, 'Correct the name, or remove it.'));
  const read = readConfig(env);
  if (!read.ok)
    return [
      ...system,
      ...misspelled,
      ...read.problems.map((problem) => failed('Settings', problem, 'Correct it and run again.')),
    ];
  const { config } = read;
  const { finding, state } = await checkDatabase(config);
  const configured = state?.schema === 'current' ? await configuredUrls(config) : { urls: [] };
  const mediaStore = await checkMediaStore(config);
  const sessionStore = await checkSessionStore(config);
  const mail = await checkMail(config);
  const needsFfmpeg = config.ROLE !== 'serve';
  return [
    ...system,
    ...(misspelled.length > 0 ? misspelled : [ok('Settings', 'valid')]),
    ...(needsFfmpeg ? checkFfmpeg(config) : [ok('ffmpeg', 'not needed with ROLE=serve')]),
    await checkDisk(config),
    ...(mediaStore ? [mediaStore] : []),
    finding,
    ...(sessionStore ? [sessionStore] : []),
    ...(mail ? [mail] : []),
    ...(config.ROLE === 'worker' ? [] : await checkPorts(config)),
    ...(configured.finding ? [configured.finding] : []),
    ...(await checkEgress([...(url === undefined ? [] : [url]), ...configured.urls], egressAllow(config))),
  ];
}

function summary(findings: readonly Finding[]): string {
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length;
  const [errors, warnings] = [count('error'), count('warning')];
  if (errors > 0) return `${plural(errors, 'error')}, ${plural(warnings, 'warning')}. Correct the lines marked ✗.`;
  const start = 'Start the server with "midroll serve".';
  return warnings > 0 ? `No errors, ${plural(warnings, 'warning')}. ${start}` : `Everything works. ${start}`;
}

/** One line for each finding, with what to do about it. */
export function listFindings(findings: readonly Finding[]): string {
  const rows = findings.map(({ state, subject, text, advice }) => [
    marks[state],
    subject,
    advice === undefined ? text : `${text.replace(/\.$/, '')}${text.endsWith('?') ? '' : '.'} ${advice}`,
  ]);
  return columns(rows);
}

export const report = (findings: readonly Finding[]): string => `${listFindings(findings)}\n\n${summary(findings)}`;
