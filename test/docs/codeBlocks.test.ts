// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { codeBlocks, looksLikeCommands } from './codeBlocks.ts';

const page = `# Title

## One

\`\`\`sh not-tested="needs root" until="ready"
npm start
\`\`\`

\`\`\`text
ready
\`\`\`

Words.

    curl example.com

    more

## Two

- a point

    in the list

  \`\`\`json
  {"a":
    1}
  \`\`\`
`;

test('finds fenced and indented blocks with their language, attributes, line and section', () => {
  expect(codeBlocks(page)).toEqual([
    {
      language: 'sh',
      attributes: { 'not-tested': 'needs root', until: 'ready' },
      content: 'npm start\n',
      line: 5,
      followsBlock: false,
      section: 'One',
    },
    { language: 'text', attributes: {}, content: 'ready\n', line: 9, followsBlock: true, section: 'One' },
    {
      language: 'indented',
      attributes: {},
      content: 'curl example.com\n\nmore\n',
      line: 15,
      followsBlock: false,
      section: 'One',
    },
    { language: 'json', attributes: {}, content: '{"a":\n  1}\n', line: 25, followsBlock: false, section: 'Two' },
  ]);
});

test.each([
  ['npm start', true],
  ['$ ls', true],
  ['PORT=80 npm start', true],
  ['BASE_URL=http://127.0.0.1 KEY=x', true],
  ['GET /api/v2/systems    the names', false],
  ['/hls/<channel>/<session>', false],
  ['time, cache    units of time', false],
])('%s is a command: %s', (content, expected) => {
  expect(looksLikeCommands({ ...codeBlocks('```\nx\n```')[0]!, content })).toBe(expected);
});
