// SPDX-License-Identifier: Apache-2.0
// Executes the commands of a page in order, in one bash, and compares their output with the page.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';
import { type CodeBlock, codeBlocks } from './codeBlocks.ts';
import { expectOutput } from './matchOutput.ts';

export type Shell = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the page says, and what it is in this test: URLs with default ports. */
  readonly places?: readonly (readonly [said: string, is: string])[];
};

const SEPARATOR = '----- end of a command -----';
export const isExecuted = ({ language, attributes }: CodeBlock): boolean =>
  language === 'sh' && attributes['not-tested'] === undefined;

/** `until="text"` marks a program that keeps running: it runs until it prints the text, on any ports, with data of its own. */
const prelude = `
pid=
trap '[ -z "$pid" ] || kill -KILL -- -$pid' EXIT
until_prints() {
  local log text=$1 tenths=0
  log=$(mktemp -p "$SCRATCH")
  set -m
  (export ADMIN_PORT=0 LIVE_PORT=0 DATA_DIR="$log.data"; running_block) > "$log" 2>&1 &
  pid=$!
  set +m
  until grep -qF -- "$text" "$log"; do
    if ! kill -0 $pid 2> "$SCRATCH/gone" || [ $((tenths += 1)) -gt 1200 ]; then
      echo "It did not print \\"$text\\", but:" >&2
      cat "$log" >&2
      return 1
    fi
    sleep 0.1
  done
  kill -INT -- -$pid
  wait $pid || true
  pid=
}
`;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function scriptOf({ content, attributes: { until } }: CodeBlock): string {
  const command = until === undefined ? content : `running_block() {\n${content}\n}\nuntil_prints ${quoted(until)}\n`;
  return `${command}\necho; echo '${SEPARATOR}'\n`;
}

function kill({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid!, signal);
  } catch {
    // The group has no processes left.
  }
}

async function execute(script: string, { cwd, env }: Shell): Promise<{ code: unknown; output: string; log: string }> {
  const shell = spawn('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script], { cwd, env, detached: true });
  let output = '';
  let log = '';
  shell.stdin.end();
  shell.stdout.setEncoding('utf8').on('data', (data) => {
    output += data;
  });
  shell.stderr.setEncoding('utf8').on('data', (data) => {
    log += data;
  });
  const limit = setTimeout(() => {
    log += 'The page takes longer than five minutes: a command waits for something that does not happen.\n';
    kill(shell, 'SIGTERM');
  }, 300_000);
  const [code] = await once(shell, 'exit');
  clearTimeout(limit);
  // What a page has started in the background and not ended.
  kill(shell, 'SIGKILL');
  return { code, output, log };
}

/** @returns the output of each command that was executed */
export async function runBlocks(page: string, markdown: string, shell: Shell): Promise<string[]> {
  const said = (shell.places ?? []).reduce((text, [there, is]) => text.replaceAll(there, is), markdown);
  const blocks = codeBlocks(said);
  const commands = blocks.filter(isExecuted);
  const { code, output, log } = await execute(`${prelude}${commands.map(scriptOf).join('')}`, shell);
  const outputs = output.split(`\n${SEPARATOR}\n`);
  if (code !== 0) {
    const { line, content } = commands[outputs.length - 1]!;
    const advice = 'Correct it, or mark its fence not-tested="reason" if no test can execute it.';
    throw new Error(`${page}:${line} failed.\n${content}\n${outputs.at(-1)}\n${log}\n${advice}`);
  }
  for (const [index, block] of blocks.entries()) {
    const before = blocks[index - 1];
    if (!block.followsBlock || !before || !isExecuted(before) || !/^(json|text)$/.test(block.language)) continue;
    const shown = outputs[commands.indexOf(before)]!;
    try {
      expectOutput(shown, block);
    } catch (error) {
      throw new Error(`${page}:${block.line} shows something else than the command before it prints.\n${shown}`, {
        cause: error,
      });
    }
  }
  expect(outputs).toHaveLength(commands.length + 1);
  return outputs.slice(0, -1).map((one) => one.trim());
}
