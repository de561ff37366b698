// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { createHeadWriter } from './writeHead.ts';

let time = Date.parse('2026-03-01T12:00:00.999Z');
const writeHead = createHeadWriter({ keepAliveTimeout: 65_900 }, () => time);
const fields = (length: string) => ['content-type', 'a/b', 'content-length', length, 'vary', 'Accept'];

test('a head with the length and the second of its response', () => {
  const headWith = (length: string, second: string) =>
    [
      ...['HTTP/1.1 200 OK', 'content-type: a/b', `content-length: ${length}`, 'vary: Accept'],
      ...[`Date: Sun, 01 Mar 2026 12:00:${second} GMT`, 'Connection: keep-alive', 'Keep-Alive: timeout=65', '', ''],
    ].join('\r\n');
  expect(writeHead(200, fields('7'))).toBe(headWith('7', '00'));
  time += 1;
  expect(writeHead(200, fields('12345'))).toBe(headWith('12345', '01'));
});

test('without a time-out for idle connections, none is promised', () => {
  const write = createHeadWriter({ keepAliveTimeout: 0 }, () => time);
  expect(write(204, [])).toMatch(/^HTTP\/1\.1 204 No Content\r\nDate: [^\r]+\r\nConnection: keep-alive\r\n\r\n$/);
});

test('heads that differ in another field are not mixed up', () => {
  const types = Array.from({ length: 20 }, (_, index) => `type/${index % 10}`);
  for (const type of types) expect(writeHead(200, ['content-type', type])).toContain(`\r\ncontent-type: ${type}\r\n`);
  expect(writeHead(404, fields('7'))).toContain('HTTP/1.1 404 Not Found\r\n');
});

test.each(['\r\nx: y', 'a\nb', 'a\0b', '\u0100'])('the value %j is refused, as by node:http', (value) => {
  expect(() => writeHead(302, ['location', value, 'content-length', '0'])).toThrow(TypeError);
  expect(() => writeHead(200, fields(value))).toThrow(TypeError);
  writeHead(200, fields('7'));
  expect(() => writeHead(200, fields(value))).toThrow(TypeError);
});
