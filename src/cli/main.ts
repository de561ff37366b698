// SPDX-License-Identifier: Apache-2.0
// The command line. Parses arguments and maps results to exit codes; the commands are in commands.ts.
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../config.ts';
import { describeError } from '../errors.ts';
import { CommandError } from './commandError.ts';
import { type Command, commands, type Outcome } from './commands.ts';
import { commandHelp, generalHelp } from './help.ts';

export const EXIT = { success: 0, failure: 1, usage: 2 } as const;

export type Output = { result(text: string): void; note(text: string): void };
const terminal: Output = { result: (text) => console.log(text), note: (text) => console.error(text) };

/** @returns the exit code */
export async function main(
  line: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  output: Output = terminal,
): Promise<number> {
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
  const read = readConfig(env);
  if (!read.ok) {
    output.note(read.problems.join('\n'));
    return EXIT.failure;
  }
  return run(command, given, read.config, output);
}

type Arguments = {
  readonly options: Record<string, string>;
  readonly operand: string;
  readonly isConfirmed: boolean;
};

/** @returns a message if the arguments are invalid */
function readArguments(command: Command, words: readonly string[]): Arguments | string {
  const options = Object.fromEntries(command.options.map(({ name }) => [name, { type: 'string' as const }]));
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { ...options, yes: { type: 'boolean' } },
    });
    const { yes, ...texts } = values as Record<string, string | boolean | undefined>;
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

async function run(command: Command, given: Arguments, config: Config, output: Output): Promise<number> {
  try {
    const { note, result } = await runWithStores(command, given, config, output);
    if (note) output.note(note);
    if (result) output.result(result);
    return EXIT.success;
  } catch (error) {
    output.note(error instanceof CommandError ? error.message : `Command failed: ${describeError(error)}.`);
    return EXIT.failure;
  }
}

async function runWithStores(command: Command, given: Arguments, config: Config, { note }: Output): Promise<Outcome> {
  if ('runAlone' in command) return command.runAlone({ config, operand: given.operand, note });
  const { close, tenants, keys } = await openStores(config);
  try {
    return await command.run({ tenants, keys, now: new Date().toISOString(), ...given });
  } finally {
    await close();
  }
}

/** Imported only if a command runs, so that --help is fast. */
async function openStores(config: Config) {
  const { openStores: open } = await import('./openStores.ts');
  return open(config);
}
