// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { naming } from '../../test/naming.ts';
import { readXml } from './read.ts';

it.each([
  ['<a>\n<b></a>', 2, 'CLOSE_TAG', []],
  ['<a><b>', 1, 'BREAKS_OFF', ['b']],
  ['<a><![CDATA[', 1, 'BREAKS_OFF', ['a']],
  ['', 1, 'NO_ROOT', []],
  ['<a/><b/>', 1, 'SECOND_ROOT', []],
  ['x', 1, 'TEXT_OUTSIDE', []],
  ['<a>&x;</a>', 1, 'UNKNOWN_ENTITY', []],
  ['<a b=c/>', 1, 'UNQUOTED_VALUE', []],
  ['<a b="1" b="2"/>', 1, 'DUPLICATE_ATTRIBUTE', ['b']],
  ['<a>\u0001</a>', 1, 'CHARACTER', []],
  ['<a>\n1 < 2</a>', 2, 'MALFORMED', ['tag']],
  ['<a b c="1"/>', 1, 'MALFORMED', ['attribute']],
  ['<a b="1"c="2"/>', 1, 'MALFORMED', ['attributes']],
  ['<?xml version=\\"1.0\\" encoding=\\"UTF-8\\"?><a/>', 1, 'MALFORMED', ['XML']],
  ['<a><?xml version="1.0"?></a>', 1, 'MALFORMED', ['XML']],
])('%s', (text, line, code, names) => {
  const fault = readXml(text);
  expect(fault).toMatchObject({ line, code, reason: naming(...names) });
  // Terms of the parser must not leak into messages.
  expect('reason' in fault && fault.reason).not.toMatch(/whitespace|disallowed|root node|unclosed|unmatched/);
});
