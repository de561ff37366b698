// SPDX-License-Identifier: Apache-2.0
import { columns } from './columns.ts';
import type { Command } from './commands.ts';

const usage = ({ name, operand, options, requiresYes }: Command): string =>
  [
    `midroll ${name}`,
    ...(operand ? [operand] : []),
    ...options.map((option) => (option.isRequired ? `--${option.name} …` : `[--${option.name} …]`)),
    ...(requiresYes ? ['--yes'] : []),
  ].join(' ');

const databaseNote = 'Uses the database that DATA_DIR or DATABASE_URL names. Servers that use it can keep running.';

export const generalHelp = (commands: readonly Command[]): string =>
  [
    'midroll: manages API keys and tenants, and copies the data',
    '',
    columns(commands.map((command) => [`  midroll ${command.name}`, command.summary])),
    '',
    'Run midroll COMMAND --help for details.',
    databaseNote,
  ].join('\n');

export const commandHelp = (command: Command): string =>
  [
    `${command.summary}.`,
    '',
    `  ${usage(command)}`,
    ...(command.options.length
      ? ['', columns(command.options.map(({ name, description }) => [`  --${name}`, description]))]
      : []),
    '',
    `Example: ${command.example}`,
    command.remark ?? databaseNote,
  ].join('\n');
