// SPDX-License-Identifier: Apache-2.0
// Every command in the documentation is executed by a test, or states why not. README.md beside this file has the rules.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { markdownPages, readPage, root } from '../../site/markdownPages.ts';
import { type CodeBlock, codeBlocks, looksLikeCommands } from './codeBlocks.ts';
import { ownTests } from './ownTests.ts';

const otherShells = new Set(['bash', 'shell', 'console', 'zsh', 'shell-session', 'shellsession', 'powershell']);
const unspecific = new Set(['', 'indented', 'text', 'txt']);

/** What is wrong with a block, and what to do. */
function faultOf(block: CodeBlock, page: string): string | undefined {
  const { language, attributes, section } = block;
  // Directly after a command, it is the command's output.
  if (language === 'text' && block.followsBlock) return undefined;
  if (otherShells.has(language)) return `is marked "${language}": mark commands as sh.`;
  if (unspecific.has(language) && looksLikeCommands(block)) return 'contains commands: fence it and mark it as sh.';
  if (language !== 'sh') return undefined;
  const reason = attributes['not-tested'];
  if (reason !== undefined) {
    return reason.trim() === '' ? 'has an empty not-tested="…": state why no test can execute it.' : undefined;
  }
  const own = ownTests[page];
  if (own?.section !== undefined && own.section !== section) {
    return `is outside of "${own.section}", which is what ${own.test} executes: mark it not-tested="reason", or move it.`;
  }
  return undefined;
}

test.each(markdownPages())('every command of %s is executed by a test or states why not', (page) => {
  const faults = codeBlocks(readPage(page)).flatMap((block) => {
    const fault = faultOf(block, page);
    return fault === undefined ? [] : [`${page}:${block.line} ${fault}`];
  });
  expect(faults).toEqual([]);
});

test.each(Object.entries(ownTests))('%s is executed by a test that names it', (page, own) => {
  expect(existsSync(join(root, page)), `test/docs/ownTests.ts lists ${page}, which does not exist.`).toBe(true);
  const file = join(root, own.test);
  expect(existsSync(file), `test/docs/ownTests.ts names ${own.test}, which does not exist.`).toBe(true);
  expect(readFileSync(file, 'utf8')).toContain(page);
});
