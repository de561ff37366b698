// The command line: keys and tenants of the store that the environment names, while servers run on it or not.
// It knows words and exits; what a command does stands in commands.ts.
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../config.ts';
import { type Command, CommandFailure, commands } from './commands.ts';
import { commandHelp, generalHelp } from './help.ts';

export const EXIT = { done: 0, failed: 1, misused: 2 } as const;

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
    const asked = words.filter((word) => !word.startsWith('-'));
    const within = commands.filter(({ name }) => asked.length === 1 && name.startsWith(`${asked[0]} `));
    const isHelp = asked.length === 0 || within.length > 0;
    const help = generalHelp(within.length > 0 ? within : commands);
    if (isHelp) output.result(help);
    else output.note(`There is no command "${words.join(' ')}".\n\n${help}`);
    return isHelp ? EXIT.done : EXIT.misused;
  }
  const rest = words.slice(command.name.split(' ').length);
  if (rest.includes('--help') || rest.includes('-h')) {
    output.result(commandHelp(command));
    return EXIT.done;
  }
  const given = readArguments(command, rest);
  if (typeof given === 'string') {
    output.note(`${given}\n\n${commandHelp(command)}`);
    return EXIT.misused;
  }
  const read = readConfig(env);
  if (!read.ok) {
    output.note(read.problems.join('\n'));
    return EXIT.failed;
  }
  return run(command, given, read.config, output);
}

type Given = { readonly options: Record<string, string>; readonly operand: string; readonly isSure: boolean };

/** @returns what is wrong with the words, as a sentence */
function readArguments(command: Command, words: readonly string[]): Given | string {
  const options = Object.fromEntries(command.options.map(({ name }) => [name, { type: 'string' as const }]));
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { ...options, yes: { type: 'boolean' } },
    });
    const { yes, ...texts } = values as Record<string, string | boolean | undefined>;
    const missing = command.options.find(({ name, isRequired }) => isRequired && !texts[name]);
    if (missing) return `--${missing.name} is wanted: ${missing.meaning}.`;
    if (command.operand && positionals.length !== 1)
      return `One ${command.operand} is wanted; ${positionals.length} came.`;
    if (!command.operand && positionals.length > 0)
      return `Nothing is wanted after the options; "${positionals[0]}" came.`;
    return { options: texts as Record<string, string>, operand: positionals[0] ?? '', isSure: yes === true };
  } catch (error) {
    return (error as Error).message;
  }
}

async function run(command: Command, given: Given, config: Config, output: Output): Promise<number> {
  let stores: Awaited<ReturnType<typeof openStores>> | undefined;
  try {
    stores = await openStores(config);
    const { tenants, keys } = stores;
    const said = await command.run({ tenants, keys, now: new Date().toISOString(), ...given });
    if (said.note) output.note(said.note);
    if (said.result) output.result(said.result);
    return EXIT.done;
  } catch (error) {
    output.note(error instanceof CommandFailure ? error.message : `It failed: ${(error as Error).message}`);
    return EXIT.failed;
  } finally {
    await stores?.close();
  }
}

/** Loaded only when a command runs: help should come at once. */
async function openStores(config: Config) {
  const { openStores: open } = await import('./openStores.ts');
  return open(config);
}
