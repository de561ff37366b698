// SPDX-License-Identifier: Apache-2.0
import { main } from '../src/cli/main.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Runs the command line. @returns its exit code, and what it wrote to standard output and to standard error */
export async function runCommand(env: Env, ...words: string[]): Promise<{ status: number; out: string; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const output = { result: (text: string) => void out.push(text), note: (text: string) => void err.push(text) };
  return { status: await main(words, env, output), out: out.join('\n'), err: err.join('\n') };
}
