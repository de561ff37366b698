// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { scratchFolder } from '../opened.ts';
import { installTools } from './installTools.ts';
import { runBlocks, type Shell } from './runBlocks.ts';

const folder = scratchFolder();
const shell: Shell = { cwd: folder, env: installTools(folder), places: [['http://127.0.0.1:8080', 'http://here']] };

const fence = (info: string, content: string): string => `\`\`\`${info}\n${content}\n\`\`\`\n`;
const run = (...blocks: readonly string[]): Promise<string[]> => runBlocks('page.md', blocks.join('\n'), shell);

test('commands run in one shell, in order, and those that are not tested are left out', async () => {
  const page = [
    fence('sh', 'A=1'),
    fence('sh not-tested="cannot"', 'A=2'),
    fence('sh', 'echo $A http://127.0.0.1:8080'),
  ];
  expect(await run(...page)).toEqual(['', '1 http://here']);
});

test('a command that fails is reported with its line', async () => {
  await expect(run(fence('sh', 'true'), fence('sh', 'echo before; false'))).rejects.toThrow(/page\.md:5[\s\S]*before/);
});

test.each([
  ['json', '{"a": "…", "b": [1]}', `echo '{"a": "x", "b": [1], "c": 2}'`, true],
  ['json', '{"a": 1}', `echo '{"a": 2}'`, false],
  ['text', 'one … three\n…\nend', 'printf "one 2 three\\nx\\ny\\nend\\n"', true],
  ['text', 'one … three', 'echo one 2 four', false],
  ['text', 'one', 'echo "one  "', true],
])('%s output %s of %s matches: %s', async (language, shown, command, matches) => {
  const result = run(fence('sh', command), fence(language, shown));
  if (matches) await result;
  else await expect(result).rejects.toThrow('page.md:5');
});

test('a program that keeps running is interrupted when it has printed the text', async () => {
  const server = fence('sh until="ready at"', 'echo "ready at $ADMIN_PORT"\nsleep 1000');
  expect(await run(server, fence('sh', 'echo after'))).toEqual(['', 'after']);
});

test('a program that ends without printing the text is reported with its output', async () => {
  await expect(run(fence('sh until="ready"', 'echo broken; exit 1'))).rejects.toThrow('broken');
});
