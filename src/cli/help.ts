// SPDX-License-Identifier: Apache-2.0
import { columns } from './columns.ts';
import type { Command, Option } from './command.ts';

function optionUsage({ name, isFlag, isRequired }: Option): string {
  const text = isFlag ? `--${name}` : `--${name} …`;
  return isRequired ? text : `[${text}]`;
}

const usage = ({ name, operand, options, requiresYes }: Command): string =>
  [
    `midroll ${name}`,
    ...(operand ? [operand] : []),
    ...options.map(optionUsage),
    ...(requiresYes ? ['--yes'] : []),
  ].join(' ');

const databaseNote = 'Uses the database that DATA_DIR or DATABASE_URL names. Servers that use it can keep running.';
const envFile: Option = { name: 'env-file', description: 'File with settings, one NAME=VALUE per line' };

export const generalHelp = (commands: readonly Command[]): string =>
  [
    'midroll: server-side ad insertion for HLS and DASH',
    '',
    columns(commands.map((command) => [`  midroll ${command.name}`, command.summary])),
    '',
    'Run midroll COMMAND --help for details, midroll --version for the version.',
    'Settings are environment variables, or lines of the file that --env-file names.',
  ].join('\n');

export const commandHelp = (command: Command): string =>
  [
    `${command.summary}.`,
    '',
    `  ${usage(command)}`,
    '',
    columns([...command.options, envFile].map(({ name, description }) => [`  --${name}`, description])),
    '',
    `Example: ${command.example}`,
    'details' in command ? command.details : databaseNote,
  ].join('\n');
