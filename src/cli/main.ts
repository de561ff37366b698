// SPDX-License-Identifier: Apache-2.0
// The command line. Parses arguments and maps results to exit codes; the commands are in programCommands.ts and
// storeCommands.ts.
import { readFileSync } from 'node:fs';
import { parseArgs, parseEnv } from 'node:util';
import type { Config } from '../config.ts';
import { describeError } from '../errors.ts';
import { millis } from '../time/units.ts';
import { version } from '../version.ts';
import {
  type Arguments,
  type Command,
  CommandError,
  columns,
  type Environment,
  EXIT,
  type Option,
  type Output,
  type StoreCommand,
  settingsOf,
} from './command.ts';
import { commandEntries } from './openStores.ts';
import { programCommands } from './programCommands.ts';
import { storeCommands } from './storeCommands.ts';

export const commands: readonly Command[] = [...programCommands, ...storeCommands];
/** Connections that never respond do not keep the process. */
const END_MS = 500;
const terminal: Output = {
  result: (text) => console.log(text),
  note: (text) => console.error(text),
  end: (code) => void setTimeout(() => process.exit(code), END_MS).unref(),
};

/** @returns the exit code */
export async function main(line: readonly string[], env: Environment, output: Output = terminal): Promise<number> {
  if (line.length === 1 && (line[0] === '--version' || line[0] === '-v')) {
    output.result(version);
    return EXIT.success;
  }
  const words = line[0] === 'help' ? [...line.slice(1), '--help'] : line;
  const isCommand = ({ name }: Command) => name.split(' ').every((word, index) => words[index] === word);
  const command = commands.find(isCommand);
  if (!command) {
    const names = words.filter((word) => !word.startsWith('-'));
    const within = commands.filter(({ name }) => names.length === 1 && name.startsWith(`${names[0]} `));
    const isHelp = names.length === 0 || within.length > 0;
    const help = generalHelp(within.length > 0 ? within : commands);
    if (isHelp) output.result(help);
    else output.note(`Unknown command "${words.join(' ')}".\n\n${help}`);
    return isHelp ? EXIT.success : EXIT.usage;
  }
  const rest = words.slice(command.name.split(' ').length);
  if (rest.includes('--help') || rest.includes('-h')) {
    output.result(commandHelp(command));
    return EXIT.success;
  }
  const given = readArguments(command, rest);
  if (typeof given === 'string') {
    output.note(`${given}\n\n${commandHelp(command)}`);
    return EXIT.usage;
  }
  return run(command, given, env, output);
}

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

const generalHelp = (commands: readonly Command[]): string =>
  [
    'midroll: server-side ad insertion for HLS and DASH',
    '',
    columns(commands.map((command) => [`  midroll ${command.name}`, command.summary])),
    '',
    'Run midroll COMMAND --help for details, midroll --version for the version.',
    'Settings are environment variables, or lines of the file that --env-file names.',
  ].join('\n');

const commandHelp = (command: Command): string =>
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

/** @returns a message if the arguments are invalid */
function readArguments(command: Command, words: readonly string[]): Arguments | string {
  const options = Object.fromEntries(
    command.options.map(({ name, isFlag }) => [name, { type: isFlag ? ('boolean' as const) : ('string' as const) }]),
  );
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { ...options, 'env-file': { type: 'string' }, yes: { type: 'boolean' } },
    });
    const { yes, ...given } = values as Record<string, string | boolean | undefined>;
    const texts = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value === true ? '' : value]));
    const missing = command.options.find(({ name, isRequired }) => isRequired && !texts[name]);
    if (missing) return `Missing --${missing.name}: ${missing.description}.`;
    if (command.operand && positionals.length !== 1)
      return `Expected one ${command.operand}; got ${positionals.length}.`;
    if (!command.operand && positionals.length > 0) return `Unexpected argument "${positionals[0]}".`;
    return { options: texts as Record<string, string>, operand: positionals[0] ?? '', isConfirmed: yes === true };
  } catch (error) {
    return (error as Error).message;
  }
}

/** Variables of the process override those of the file. */
function withFile(env: Environment, file: string | undefined): Environment {
  if (file === undefined) return env;
  try {
    return { ...parseEnv(readFileSync(file, 'utf8')), ...env };
  } catch (error) {
    throw new CommandError(`--env-file must be a readable file: ${describeError(error)}.`);
  }
}

async function run(command: Command, given: Arguments, env: Environment, output: Output): Promise<number> {
  try {
    const settings = withFile(env, given.options['env-file']);
    if ('start' in command) return (await command.start({ ...given, env: settings, output })) ?? EXIT.success;
    return await runOnStores(command, given, settingsOf(settings), output);
  } catch (error) {
    output.note(error instanceof CommandError ? error.message : `Command failed: ${describeError(error)}.`);
    return EXIT.failure;
  }
}

async function runOnStores(command: StoreCommand, given: Arguments, config: Config, output: Output): Promise<number> {
  // Imported only if a command runs, so that --help is fast.
  const { openStores } = await import('./openStores.ts');
  const { tenants, keys, close } = await openStores(config);
  try {
    const at = Date.now();
    const entry = commandEntries(`midroll ${command.name}`, millis(at));
    const { note, result } = await command.run({ tenants, keys, now: new Date(at).toISOString(), entry, ...given });
    if (note) output.note(note);
    if (result) output.result(result);
    return EXIT.success;
  } finally {
    await close();
  }
}
