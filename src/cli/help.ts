import { columns } from './columns.ts';
import type { Command } from './commands.ts';

const usage = ({ name, operand, options, wantsYes }: Command): string =>
  [
    `midroll ${name}`,
    ...(operand ? [operand] : []),
    ...options.map((option) => (option.isRequired ? `--${option.name} …` : `[--${option.name} …]`)),
    ...(wantsYes ? ['--yes'] : []),
  ].join(' ');

const store = 'The store is the one that DATA_DIR or DATABASE_URL names; servers may be running on it.';

export const generalHelp = (commands: readonly Command[]): string =>
  [
    'midroll: the command line of Midroll',
    '',
    columns(commands.map((command) => [`  midroll ${command.name}`, command.summary])),
    '',
    'midroll COMMAND --help tells more of each.',
    store,
  ].join('\n');

export const commandHelp = (command: Command): string =>
  [
    `${command.summary}.`,
    '',
    `  ${usage(command)}`,
    ...(command.options.length
      ? ['', columns(command.options.map(({ name, meaning }) => [`  --${name}`, meaning]))]
      : []),
    '',
    `Example: ${command.example}`,
    store,
  ].join('\n');
